#include "tasks/GlobalMemoryRange.h"

#include "dash/Exception.h"
#include "dash/GlobPtr.h"
#include "dash/Team.h"
#include "dash/dart/Access.h"

namespace dash::tasks::internal {

GlobalMemoryRange GlobalMemoryRange::of(const dart_gptr_t& gptr, std::size_t nbytes) {
  const dart::Segment& segment = dart::segment_of(gptr);
  if (!dart::is_valid_access(segment, gptr, nbytes)) {
    DASH_THROW(exception::InvalidArgument, "a task depends on "
                                               << nbytes << " bytes at " << gptr
                                               << ", which is not within a live allocation");
  }
  const int owner = segment.units[gptr.unitid];
  if (owner == Team::GlobalUnitID().id) return of(dash::internal::local_address(gptr), nbytes);
  const std::uintptr_t offset = gptr.addr_or_offs.offset;
  return {owner, gptr.segid, {offset, offset + nbytes}};
}

GlobalMemoryRange GlobalMemoryRange::of(const void* address, std::size_t nbytes) {
  return {Team::GlobalUnitID().id, own_memory, exec::MemoryRange::of(address, nbytes)};
}

}  // namespace dash::tasks::internal
