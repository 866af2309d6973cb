#pragma once

#include <cstddef>
#include <cstring>
#include <vector>

#include "dash/async/Operation.h"
#include "dash/core/Export.h"
#include "dash/dart/Access.h"
#include "dash/dart/if/dart_globmem.h"
#include "dash/internal/Unit.h"

namespace dash::internal {

/// Waits for an operation, whatever it ends with: before its memory goes away.
DASH_API void settle(exec::Operation& operation) noexcept;

/// A copy within native memory: in the call if it is small, else by the copy queue.
/// \pre the ranges do not overlap
DASH_API exec::Operation copy_bytes_async(void* dest, const void* src, std::size_t nbytes);

/// The caller's id in the team that a pointer is of; undefined if it is no member.
DASH_API team_unit_t caller_id_of(const dart_gptr_t& gptr) noexcept;

/// The one contiguous-run transfer: starts the runs of a transfer between global and native memory,
/// and completes them together.
///
/// Small runs within the node are made at once. Runs of the caller's own memory are plain copies,
/// made after the last remote run has been started. All others are in flight together.
/// \threads one at a time per object
class DASH_API Transfer {
 public:
  /// Bytes up to which the call that would start a run costs more than its copy.
  static constexpr std::size_t small_run = 1024;

  enum class Mode : unsigned char {
    asynchronous,  ///< the caller goes on meanwhile
    blocking       ///< it will wait(): all runs within the node are plain copies, and those in
                   ///< flight may be waited for when they are very many
  };

  /// \param myid  the caller's id in the team that owns the global memory, or undefined: it is looked
  ///              up if it matters then
  explicit Transfer(team_unit_t myid, Mode mode = Mode::asynchronous) noexcept
      : _myid(myid), _mode(mode) {}
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;
  /// Waits for what was started if an exception prevented finish(): the buffers are the caller's.
  ~Transfer();

  /// \throws exception::InvalidArgument if the global memory is not within a live allocation
  void get(void* dest, const dart_gptr_t& src, std::size_t nbytes) {
    if (nbytes <= small_run) {
      if (const void* address = dart::uncounted_address(src, nbytes)) {
        std::memcpy(dest, address, nbytes);
        return;
      }
    }
    start_get(dest, src, nbytes);
  }

  /// The caller must not change [src, src + nbytes) before completion.
  /// \throws exception::InvalidArgument if the global memory is not within a live allocation
  void put(const dart_gptr_t& dest, const void* src, std::size_t nbytes) {
    if (nbytes <= small_run) {
      if (void* address = dart::uncounted_address(dest, nbytes)) {
        std::memcpy(address, src, nbytes);
        return;
      }
    }
    start_put(dest, src, nbytes);
  }

  /// Makes the plain copies; the transfer is complete with the operation returned.
  /// \completion remote for puts
  exec::Operation finish();

  /// finish(), and waits.
  /// \throws what a run failed with
  void wait() { finish().wait(); }

 private:
  struct PlainCopy {
    void* dest;
    const void* src;
    std::size_t nbytes;
  };

  void start_get(void* dest, const dart_gptr_t& src, std::size_t nbytes);
  void start_put(const dart_gptr_t& dest, const void* src, std::size_t nbytes);
  bool is_plain(const dart_gptr_t& gptr) noexcept;
  void add(exec::Operation operation);
  void limit_in_flight();

  team_unit_t _myid;
  Mode _mode;
  std::vector<PlainCopy> _plain;
  std::vector<exec::Operation> _in_flight;
};

}  // namespace dash::internal
