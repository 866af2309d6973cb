#pragma once

/// \file
/// The inline path to memory of the own node: what an access costs there is an address
/// computation, not a call into the runtime.

#include <cstddef>
#include <cstdint>

#include "dash/core/Export.h"
#include "dash/dart/if/dart_globmem.h"
#include "dash/dart/if/dart_types.h"

namespace dash::dart {

class RegisteredWindow;

/// An entry of the translation table, one cache line whatever the number of units.
///
/// Each unit's part of a segment lies at the same offset of its heap, and the heaps of a node lie
/// `stride` bytes apart in this process; so an address is a base and a multiple of the stride.
struct alignas(64) Segment {
  char* base = nullptr;                 // the segment in the heap of the node's slot 0
  const std::int32_t* slots = nullptr;  // slot on the caller's node of each unit of the team, or -1
  const std::int32_t* units = nullptr;  // global id of each unit of the team
  std::uint64_t nbytes = 0;             // of each unit's part
  std::uint64_t stride = 0;
  std::uint64_t heap_offset = 0;  // of the segment in each heap
  std::int32_t nunits = 0;        // 0: no such segment
  // With `counted`, while accesses are counted: then who looks for the team itself finds the segment
  // invalid, and goes on to the runtime, which counts. So an access that nobody counts costs nothing.
  std::int16_t teamid = 0;
  std::uint16_t flags = 0;  // the user's
  // Of memory that users have registered; null for memory in the heaps.
  const RegisteredWindow* window = nullptr;

  static constexpr std::int16_t counted = INT16_MIN;
  std::int16_t team() const noexcept { return static_cast<std::int16_t>(teamid & INT16_MAX); }
};
static_assert(sizeof(Segment) == 64);

/// Entries by segment id, as an unsigned number. Written when segments come and go, which the
/// collective that does it orders before and after their use.
extern DASH_API Segment* const segment_table;

/// Whether the unit has [offset, offset + nbytes) of a segment; none of one that is not live.
inline bool has_bytes(const Segment& segment, std::int32_t unit, std::uint64_t offset,
                      std::size_t nbytes) noexcept {
  return static_cast<std::uint32_t>(unit) < static_cast<std::uint32_t>(segment.nunits) &&
         offset <= segment.nbytes && nbytes <= segment.nbytes - offset;
}

/// Whether [offset, offset + nbytes) of the unit lies in a live segment, which is of that team.
inline bool is_valid_access(const Segment& segment, std::int16_t team, const dart_gptr_t& gptr,
                            std::size_t nbytes) noexcept {
  return gptr.teamid == team && has_bytes(segment, gptr.unitid, gptr.addr_or_offs.offset, nbytes);
}
inline bool is_valid_access(const Segment& segment, const dart_gptr_t& gptr,
                            std::size_t nbytes) noexcept {
  return is_valid_access(segment, segment.team(), gptr, nbytes);
}

inline const Segment& segment_of(const dart_gptr_t& gptr) noexcept {
  return segment_table[static_cast<std::uint16_t>(gptr.segid)];
}

/// Address in this process of a byte that the unit has; nullptr if it is on another node.
inline void* mapped_address(const Segment& segment, std::int32_t unit,
                            std::uint64_t offset) noexcept {
  const std::int32_t slot = segment.slots[unit];
  if (slot < 0) return nullptr;
  return segment.base + static_cast<std::uint64_t>(slot) * segment.stride + offset;
}
/// \overload of what a valid pointer names
inline void* mapped_address(const Segment& segment, const dart_gptr_t& gptr) noexcept {
  return mapped_address(segment, gptr.unitid, gptr.addr_or_offs.offset);
}

/// Address in this process of `nbytes` bytes of global memory on the caller's node.
/// \returns nullptr if the unit is on another node, or the pointer is not valid for so many bytes
/// \blocks never  \threads any
inline void* on_node_address(const dart_gptr_t& gptr, std::size_t nbytes) noexcept {
  const Segment& segment = segment_of(gptr);
  if (!is_valid_access(segment, gptr, nbytes)) return nullptr;
  return mapped_address(segment, gptr);
}

/// The same for an access that nobody has to hear of: nullptr, too, while accesses are counted. Whoever
/// gets none calls the runtime.
inline void* uncounted_address(const dart_gptr_t& gptr, std::size_t nbytes) noexcept {
  const Segment& segment = segment_of(gptr);
  if (!is_valid_access(segment, segment.teamid, gptr, nbytes)) return nullptr;
  return mapped_address(segment, gptr);
}

/// \overload for who knows the segment, and that the unit has the bytes. It does without a pointer,
/// whose fields of bits go through memory, where a load of them waits for all stores before it.
/// \param team  that the segment is expected to be of
inline void* uncounted_address(const Segment& segment, std::int16_t team, std::int32_t unit,
                               std::uint64_t offset) noexcept {
  if (segment.teamid != team) return nullptr;
  const std::int32_t slot = segment.slots[unit];
  if (slot < 0) return nullptr;
  char* const address = segment.base + static_cast<std::uint64_t>(slot) * segment.stride + offset;
  if (address == nullptr) __builtin_unreachable();
  return address;
}

/// Whether an address is of the caller's own part of global memory, which other units can name.
/// \pre initialised  \blocks never  \threads any
/// \cost a comparison; a search if memory is registered
DASH_API bool is_own_memory(const void* address) noexcept;

/// Throws what a code of the C layer means, with the calling thread's last message.
/// \throws exception::InvalidArgument for DART_ERR_INVAL, std::bad_alloc's kin for DART_ERR_NOMEM
///         (exception::RuntimeError), else exception::RuntimeError
[[noreturn]] DASH_API void throw_last_error(dart_ret_t code, const char* what);

}  // namespace dash::dart
