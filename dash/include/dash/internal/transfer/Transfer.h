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

/// A transfer of one run by who waits for it.
/// \throws exception::InvalidArgument if the global memory is not within a live allocation
DASH_API void get_run(void* dest, const dart_gptr_t& src, std::size_t nbytes);
DASH_API void put_run(const dart_gptr_t& dest, const void* src, std::size_t nbytes);

/// The same by who goes on meanwhile; what is the caller's own is copied in the call.
/// \param myid  as for Transfer
DASH_API exec::Operation get_run_async(void* dest, const dart_gptr_t& src, std::size_t nbytes,
                                       team_unit_t myid);
DASH_API exec::Operation put_run_async(const dart_gptr_t& dest, const void* src, std::size_t nbytes,
                                       team_unit_t myid);

/// The one contiguous-run transfer: starts the runs of a transfer between global and native memory,
/// and completes them together.
///
/// Small runs within the node are made at once. All others are collected, thousands at a time: those
/// of a unit are one operation, however many they are, and those of all units are in flight
/// together. Units that call it at once for the same memory begin with different units: each with
/// what follows its own in the order of units and, of other nodes, with as many units further as
/// there are units of its node before it. Runs of the caller's own memory are plain copies, made
/// after the last remote one has been started.
/// \threads one at a time per object
class DASH_API Transfer {
 public:
  /// Bytes up to which the call that would start a run costs more than its copy.
  static constexpr std::size_t small_run = 1024;
  /// The same for a caller that waits, who would collect the run and copy it then.
  static constexpr std::size_t small_run_of_waiting = std::size_t{16} << 10;

  enum class Mode : unsigned char {
    asynchronous,  ///< the caller goes on meanwhile
    blocking       ///< it will wait(): all runs within the node are plain copies, and those in
                   ///< flight may be waited for when they are very many
  };

  /// \param myid  the caller's id in the team that owns the global memory, or undefined: it is looked
  ///              up if it matters then
  explicit Transfer(team_unit_t myid, Mode mode = Mode::asynchronous) noexcept
      : _myid(myid),
        _mode(mode),
        _small_run(mode == Mode::blocking ? small_run_of_waiting : small_run) {}
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;
  /// Waits for what was started if an exception prevented finish(): the buffers are the caller's.
  ~Transfer();

  /// \throws exception::InvalidArgument if the global memory is not within a live allocation
  void get(void* dest, const dart_gptr_t& src, std::size_t nbytes) {
    if (nbytes <= _small_run) {
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
    if (nbytes <= _small_run) {
      if (void* address = dart::uncounted_address(dest, nbytes)) {
        std::memcpy(address, src, nbytes);
        return;
      }
    }
    start_put(dest, src, nbytes);
  }

  /// Runs of `nbytes` bytes, in memory of one unit that lie `stride` bytes apart and follow each other
  /// in native memory.
  struct Rows {
    std::size_t nbytes;
    std::size_t stride;
    std::size_t count;

    std::size_t span() const noexcept { return (count - 1) * stride + nbytes; }
  };

  /// \overload
  void get(void* dest, const dart_gptr_t& src, const Rows& rows) {
    if (rows.count == 1) return get(dest, src, rows.nbytes);
    get_rows(dest, src, rows);
  }
  /// \overload
  void put(const dart_gptr_t& dest, const void* src, const Rows& rows) {
    if (rows.count == 1) return put(dest, src, rows.nbytes);
    put_rows(dest, src, rows);
  }

  /// Makes the plain copies; the transfer is complete with the operation returned.
  /// \completion remote for puts
  exec::Operation finish();

  /// finish(), and waits.
  /// \throws what a run failed with
  void wait() { finish().wait(); }

 private:
  /// Not begun yet.
  struct Run {
    dart_gptr_t gptr;
    void* memory;  // native; a put only reads it
    void* mapped;  // of the global memory, if a plain copy is to be made
    std::size_t nbytes;
  };
  /// Runs of one unit.
  struct Group {
    std::size_t begin;
    std::size_t end;
  };
  struct InFlight {
    exec::Operation operation;
    std::size_t nruns = 0;
  };
  enum class Direction : unsigned char { get, put };

  void get_rows(void* dest, const dart_gptr_t& src, const Rows& rows);
  void put_rows(const dart_gptr_t& dest, const void* src, const Rows& rows);
  void start_get(void* dest, const dart_gptr_t& src, std::size_t nbytes);
  void start_put(const dart_gptr_t& dest, const void* src, std::size_t nbytes);
  void add(const Run& run, Direction direction);
  bool is_plain(const dart_gptr_t& gptr) noexcept;
  team_unit_t myid(const dart_gptr_t& gptr) noexcept;
  void begin_collected();
  std::vector<Group> group_by_unit();
  exec::Operation begin(const Group& group) const;
  void make_plain_copies();
  void limit_in_flight();

  team_unit_t _myid;
  Mode _mode;
  std::size_t _small_run;
  Direction _direction = Direction::get;
  std::vector<Run> _plain;
  std::vector<Run> _collected;
  std::vector<InFlight> _in_flight;
  std::size_t _runs_in_flight = 0;
};

}  // namespace dash::internal
