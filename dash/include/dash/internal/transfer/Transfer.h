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

/// Waits for an operation and ignores its errors, for example before its memory is freed.
DASH_API void wait_ignoring_errors(exec::Operation& operation) noexcept;

/// Copies native memory: immediately if it is small, otherwise through the copy queue.
/// \pre the ranges do not overlap
DASH_API exec::Operation copy_bytes_async(void* dest, const void* src, std::size_t nbytes);

/// The caller's id in the team of a pointer; UNDEFINED_TEAM_UNIT_ID if it is not a member.
DASH_API team_unit_t caller_id_of(const dart_gptr_t& gptr) noexcept;

/// Transfers the contiguous blocks of a range between global and native memory, as one operation.
///
/// Small blocks within the node are copied immediately. All other blocks are collected, thousands
/// at a time: the blocks of one unit form one operation, and the operations of all units are in
/// flight concurrently. So that units do not all access the same unit first, the operations are
/// ordered by target, from the unit that follows the caller, and rotated by the number of units
/// that precede the caller on its node. Blocks in the caller's own memory are plain copies, made
/// after the last operation has started.
/// \threads externally synchronized per object
class DASH_API Transfer {
 public:
  /// Size in bytes up to which copying a block immediately is faster than starting an operation.
  static constexpr std::size_t small_block = 1024;
  /// The same for a blocking caller, for which a collected block would only be copied later.
  static constexpr std::size_t small_block_blocking = std::size_t{16} << 10;

  enum class Mode : unsigned char {
    asynchronous,  ///< the caller continues during the transfer
    blocking       ///< the caller calls wait() next: blocks within the node are plain copies. In
                   ///< both modes, get() and put() may wait if very many blocks are in flight
  };

  /// \param myid  the caller's id in the team that owns the global memory; if undefined, it is
  ///         looked up when needed
  explicit Transfer(team_unit_t myid, Mode mode = Mode::asynchronous) noexcept
      : _myid(myid),
        _mode(mode),
        _small_block(mode == Mode::blocking ? small_block_blocking : small_block) {}
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;
  /// Waits for started operations if an exception prevented finish(), because the caller owns the
  /// buffers.
  ~Transfer();

  /// \throws exception::InvalidArgument if the global memory is not within a live allocation
  void get(void* dest, const dart_gptr_t& src, std::size_t nbytes) {
    if (nbytes <= _small_block) {
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
    if (nbytes <= _small_block) {
      if (void* address = dart::uncounted_address(dest, nbytes)) {
        std::memcpy(address, src, nbytes);
        return;
      }
    }
    start_put(dest, src, nbytes);
  }

  /// Blocks of `nbytes` bytes in memory of one unit, whose starts are `stride` bytes apart and
  /// which are adjacent in native memory.
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

  /// Starts the remaining blocks and makes the plain copies.
  /// \returns an operation; complete when all blocks of the transfer are complete
  /// \completion remote for puts
  exec::Operation finish();

  /// Calls finish() and waits.
  /// \throws the error of a failed block
  void wait() { finish().wait(); }

 private:
  /// A block that has not been started.
  struct Block {
    dart_gptr_t gptr;
    void* memory;  // native memory; a put only reads it
    void* mapped;  // address of the global memory if a plain copy is to be made
    std::size_t nbytes;
  };
  /// A range of collected blocks of one unit.
  struct Group {
    std::size_t begin;
    std::size_t end;
  };
  struct PendingOperation {
    exec::Operation operation;
    std::size_t nblocks = 0;
  };
  enum class Direction : unsigned char { get, put };

  void get_rows(void* dest, const dart_gptr_t& src, const Rows& rows);
  void put_rows(const dart_gptr_t& dest, const void* src, const Rows& rows);
  void start_get(void* dest, const dart_gptr_t& src, std::size_t nbytes);
  void start_put(const dart_gptr_t& dest, const void* src, std::size_t nbytes);
  void add(const Block& block, Direction direction);
  bool is_plain(const dart_gptr_t& gptr) noexcept;
  team_unit_t myid(const dart_gptr_t& gptr) noexcept;
  void begin_collected();
  std::vector<Group> group_by_unit();
  exec::Operation begin(const Group& group) const;
  void make_plain_copies();
  void limit_in_flight();

  team_unit_t _myid;
  Mode _mode;
  std::size_t _small_block;
  Direction _direction = Direction::get;
  std::vector<Block> _plain;
  std::vector<Block> _collected;
  std::vector<PendingOperation> _in_flight;
  std::size_t _blocks_in_flight = 0;
};

}  // namespace dash::internal
