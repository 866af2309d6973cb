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
  std::int16_t teamid = 0;
  std::uint16_t flags = 0;  // the user's
  // Of memory that users have registered; null for memory in the heaps.
  const RegisteredWindow* window = nullptr;
};
static_assert(sizeof(Segment) == 64);

/// Entries by segment id, as an unsigned number. Written when segments come and go, which the
/// collective that does it orders before and after their use.
extern DASH_API Segment* const segment_table;

/// Whether [offset, offset + nbytes) of the unit lies in a live segment.
inline bool is_valid_access(const Segment& segment, const dart_gptr_t& gptr,
                            std::size_t nbytes) noexcept {
  const std::uint64_t offset = gptr.addr_or_offs.offset;
  return static_cast<std::uint32_t>(gptr.unitid) < static_cast<std::uint32_t>(segment.nunits) &&
         gptr.teamid == segment.teamid && offset <= segment.nbytes &&
         nbytes <= segment.nbytes - offset;
}

inline const Segment& segment_of(const dart_gptr_t& gptr) noexcept {
  return segment_table[static_cast<std::uint16_t>(gptr.segid)];
}

/// Address in this process of `nbytes` bytes of global memory on the caller's node.
/// \returns nullptr if the unit is on another node, or the pointer is not valid for so many bytes
/// \blocks never  \threads any
inline void* on_node_address(const dart_gptr_t& gptr, std::size_t nbytes) noexcept {
  const Segment& segment = segment_of(gptr);
  if (!is_valid_access(segment, gptr, nbytes)) return nullptr;
  const std::int32_t slot = segment.slots[gptr.unitid];
  if (slot < 0) return nullptr;
  return segment.base + static_cast<std::uint64_t>(slot) * segment.stride +
         gptr.addr_or_offs.offset;
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
