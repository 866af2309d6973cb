#pragma once

/// \file
/// Inline access to memory of the caller's node: it costs an address computation, not a call into
/// the runtime. Internal to the library.

#include <cstddef>
#include <cstdint>

#include "dash/core/Export.h"
#include "dash/dart/if/dart_globmem.h"
#include "dash/dart/if/dart_types.h"

namespace dash::dart {

class RegisteredWindow;

/// An entry of the translation table. It is one cache line for any number of units.
///
/// Each unit's part of a segment lies at the same offset of its heap, and the heaps of a node lie
/// `stride` bytes apart in this process. So an address is the sum of a base, a multiple of the
/// stride, and the offset.
struct alignas(64) Segment {
  char* base = nullptr;                 // the segment in the heap of the node's slot 0
  const std::int32_t* slots = nullptr;  // slot on the caller's node of each unit of the team, or -1
  const std::int32_t* units = nullptr;  // global id of each unit of the team
  std::uint64_t nbytes = 0;             // of each unit's part
  std::uint64_t stride = 0;
  std::uint64_t heap_offset = 0;  // of the segment in each heap
  std::int32_t nunits = 0;        // 0: no such segment
  // Combined with `counted` while accesses are counted. A fast path compares it with the team's id
  // and then finds no valid segment, so it calls the runtime, which counts. Without counting, this
  // costs nothing.
  std::int16_t teamid = 0;
  std::uint8_t flags = 0;       // the application's
  std::uint8_t generation = 0;  // of the use of the id; 0 for segments that are never freed
  // The window of memory that the application has registered; null for memory in the heaps.
  const RegisteredWindow* window = nullptr;

  static constexpr std::int16_t counted = INT16_MIN;
  std::int16_t team() const noexcept { return static_cast<std::int16_t>(teamid & INT16_MAX); }
};
static_assert(sizeof(Segment) == 64);

/// The entries, by segment id as an unsigned number. Entries change when segments are allocated and
/// freed; the collectives that do so order the changes before and after all accesses.
extern DASH_API Segment* const segment_table;

/// Whether [offset, offset + nbytes) lies in the unit's part of a segment; false if the segment is
/// not live.
inline bool has_bytes(const Segment& segment, std::int32_t unit, std::uint64_t offset,
                      std::size_t nbytes) noexcept {
  return static_cast<std::uint32_t>(unit) < static_cast<std::uint32_t>(segment.nunits) &&
         offset <= segment.nbytes && nbytes <= segment.nbytes - offset;
}

/// Whether a pointer does not refer to an earlier segment with the same id.
/// \param flags  of the pointer; 0 if the program has composed it
inline bool is_current(const Segment& segment, unsigned flags) noexcept {
  return flags == segment.generation || flags == 0;
}

/// Whether `nbytes` bytes at a pointer lie in a live segment of the team.
inline bool is_valid_access(const Segment& segment, std::int16_t team, const dart_gptr_t& gptr,
                            std::size_t nbytes) noexcept {
  return gptr.teamid == team && is_current(segment, gptr.flags) &&
         has_bytes(segment, gptr.unitid, gptr.addr_or_offs.offset, nbytes);
}
inline bool is_valid_access(const Segment& segment, const dart_gptr_t& gptr,
                            std::size_t nbytes) noexcept {
  return is_valid_access(segment, segment.team(), gptr, nbytes);
}

inline const Segment& segment_of(const dart_gptr_t& gptr) noexcept {
  return segment_table[static_cast<std::uint16_t>(gptr.segid)];
}

/// Address in this process of a byte of a unit; nullptr if the unit is on another node.
/// \pre has_bytes()
inline void* mapped_address(const Segment& segment, std::int32_t unit,
                            std::uint64_t offset) noexcept {
  const std::int32_t slot = segment.slots[unit];
  if (slot < 0) return nullptr;
  return segment.base + static_cast<std::uint64_t>(slot) * segment.stride + offset;
}
/// \overload for a valid pointer
inline void* mapped_address(const Segment& segment, const dart_gptr_t& gptr) noexcept {
  return mapped_address(segment, gptr.unitid, gptr.addr_or_offs.offset);
}

/// Address in this process of `nbytes` bytes of global memory on the caller's node.
/// \returns nullptr if the unit is on another node, or the bytes are not within a live segment
/// \blocks never  \threads thread-safe
inline void* on_node_address(const dart_gptr_t& gptr, std::size_t nbytes) noexcept {
  const Segment& segment = segment_of(gptr);
  if (!is_valid_access(segment, gptr, nbytes)) return nullptr;
  return mapped_address(segment, gptr);
}

/// As on_node_address(), but also nullptr while accesses are counted: then the caller has to call
/// the runtime, which counts the access.
inline void* uncounted_address(const dart_gptr_t& gptr, std::size_t nbytes) noexcept {
  const Segment& segment = segment_of(gptr);
  if (!is_valid_access(segment, segment.teamid, gptr, nbytes)) return nullptr;
  return mapped_address(segment, gptr);
}

/// \overload for a known segment with the bytes of the unit. It does not need a pointer, whose bit
/// fields would go through memory, where loading them would wait for all earlier stores.
/// \param team  expected team of the segment
inline void* uncounted_address(const Segment& segment, std::int16_t team, std::int32_t unit,
                               std::uint64_t offset) noexcept {
  if (segment.teamid != team) return nullptr;
  const std::int32_t slot = segment.slots[unit];
  if (slot < 0) return nullptr;
  char* const address = segment.base + static_cast<std::uint64_t>(slot) * segment.stride + offset;
  if (address == nullptr) __builtin_unreachable();
  return address;
}

/// Copies `nbytes` bytes from global memory.
/// \blocks until the data is in `dest`  \threads thread-safe
/// \throws exception::InvalidArgument if the source is not within a live segment
/// \cost on the node a copy in the call
DASH_API void get_blocking(void* dest, const dart_gptr_t& src, std::size_t nbytes);

/// Copies `nbytes` bytes to global memory.
/// \completion remote on return
/// \blocks until then  \threads thread-safe
/// \throws exception::InvalidArgument if the destination is not within a live segment
DASH_API void put_blocking(const dart_gptr_t& dest, const void* src, std::size_t nbytes);

/// The caller's id in a team; -1 if it is no member, or the runtime is not initialized.
DASH_API std::int32_t unit_of_caller(dart_team_t team) noexcept;

/// Whether an address lies in the caller's part of global memory.
/// \pre the runtime is initialized
/// \blocks never  \threads thread-safe
/// \cost a comparison; a search if memory is registered
DASH_API bool is_own_memory(const void* address) noexcept;

/// Throws the exception that corresponds to a return code of the C interface, with the calling
/// thread's last message.
/// \param operation  describes the call, for the message
/// \throws exception::InvalidArgument for DART_ERR_INVAL, otherwise exception::RuntimeError
[[noreturn]] DASH_API void throw_last_error(dart_ret_t code, const char* operation);

}  // namespace dash::dart
