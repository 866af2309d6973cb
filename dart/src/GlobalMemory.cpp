#include "GlobalMemory.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

#include "Error.h"
#include "dash/core/Memory.h"
#include "dash/dart/Access.h"

namespace dash::dart {

namespace {

constexpr std::size_t table_size = std::size_t{1} << 16;
/// Ids of collective allocations are 1 ... 32767.
constexpr std::uint64_t num_ids = std::numeric_limits<std::int16_t>::max();
constexpr std::uint64_t nowhere = std::numeric_limits<std::uint64_t>::max();
/// From this size freed pages go back to the system, and the system's free memory is asked for
/// before an allocation.
constexpr std::uint64_t large = 1024 * 1024;
constexpr std::uint64_t pool_alignment = 64;

Segment* table() noexcept {
  // In .bss: only the pages of ids in use are ever touched.
  static Segment entries[table_size];
  return entries;
}

std::uint64_t round_up(std::uint64_t value, std::uint64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

/// Bytes of each heap that a segment takes: whole pages, and one if it is empty, since its offset
/// names it.
std::uint64_t size_of_segment(std::uint64_t nbytes) {
  return std::max<std::uint64_t>(round_up(nbytes, core::page_size()), core::page_size());
}

Segment& entry_of(std::int16_t segid) noexcept {
  return table()[static_cast<std::uint16_t>(segid)];
}

}  // namespace

Segment* const segment_table = table();

GlobalMemory::GlobalMemory(Session& session, const Team& all)
    : _session(session),
      _symmetric(session.plan().pool_end, session.plan().heap_end),
      _pool(session.plan().pool_begin, session.plan().pool_end) {
  Segment& pool = entry_of(DART_SEGMENT_LOCAL);
  pool.heap_offset = session.plan().pool_begin;
  pool.base = session.heap().base() + pool.heap_offset;
  pool.slots = all.slots();
  pool.units = all.units();
  pool.nbytes = session.plan().pool_end - session.plan().pool_begin;
  pool.stride = session.heap().nbytes();
  pool.teamid = DART_TEAM_ALL;
  pool.nunits = all.size();
}

GlobalMemory::~GlobalMemory() {
  const std::uint64_t ids = std::min(_next_serial, num_ids);
  for (std::uint64_t id = 0; id <= ids; ++id)
    table()[id] = Segment{};
  _session.heap().decommit(HeapPlan::reserved, _session.plan().heap_end - HeapPlan::reserved);
}

std::int16_t GlobalMemory::id_of(std::uint64_t serial) noexcept {
  return static_cast<std::int16_t>(1 + serial % num_ids);
}

/// Serial numbers go round the ids, so that the id freed longest ago is used again first.
std::uint64_t GlobalMemory::next_free_serial(std::uint64_t at_least) const noexcept {
  for (std::uint64_t serial = at_least; serial < at_least + num_ids; ++serial) {
    if (entry_of(id_of(serial)).nunits == 0) return serial;
  }
  return nowhere;
}

/// Every member proposes the lowest place that is free with it; as long as they differ, all look
/// on from the highest proposal. Members that did the same before agree in the first round.
GlobalMemory::Place GlobalMemory::agree(Team& team, std::uint64_t nbytes) {
  const std::uint64_t size = size_of_segment(nbytes);
  Place from{0, _next_serial};
  while (true) {
    std::uint64_t offset = nowhere;
    if (nbytes <= _session.heap().nbytes()) {
      std::lock_guard lock(_mutex);
      offset = _symmetric.find(size, from.offset).value_or(nowhere);
    }
    const std::uint64_t serial = next_free_serial(from.serial);
    const std::uint64_t memory = has_memory_for(size) ? 1 : 0;
    std::array<std::uint64_t, 8> minmax{offset, offset, serial, serial,
                                        nbytes, nbytes, memory, memory};
    team.allreduce(minmax.data(), minmax.data(), minmax.size(), DART_TYPE_ULONGLONG,
                   DART_OP_MINMAX);
    if (minmax[4] != minmax[5]) {
      throw_error(DART_ERR_INVAL,
                  "the units of team {} ask for different sizes, between {} and {} bytes; a "
                  "collective allocation needs the same on all",
                  team.id(), minmax[4], minmax[5]);
    }
    if (minmax[6] == 0 || minmax[1] == nowhere) {
      throw_error(DART_ERR_NOMEM,
                  "no memory for {} bytes on each unit of team {} ({} bytes are available to this "
                  "unit's host, the heap of a unit has {}; see DART_HEAP_SIZE)",
                  nbytes, team.id(), core::available_memory(), _session.heap().nbytes());
    }
    if (minmax[3] == nowhere) {
      throw_error(DART_ERR_NOMEM, "all {} segment ids are in use", num_ids);
    }
    if (minmax[0] == minmax[1] && minmax[2] == minmax[3]) return {minmax[0], minmax[2]};
    from = {minmax[1], minmax[3]};
  }
}

/// Too much is an error here; later it would be a kill by the system.
bool GlobalMemory::has_memory_for(std::uint64_t nbytes) const {
  if (nbytes < large) return true;
  const auto units = static_cast<std::uint64_t>(_session.host_units());
  return nbytes <= core::available_memory() / units;
}

/// Pages are provided here, by their owner: that places them on its NUMA node.
bool GlobalMemory::make_zero(std::uint64_t offset, std::uint64_t nbytes,
                             std::uint64_t high_water) noexcept {
  Heap& heap = _session.heap();
  const std::uint64_t used =
      offset < high_water ? std::min(nbytes, high_water - offset) : std::uint64_t{0};
  if (used >= large) {
    heap.decommit(offset, used);
  } else if (used != 0) {
    std::memset(heap.own() + offset, 0, used);
  }
  return nbytes == 0 || heap.commit(offset, nbytes);
}

dart_gptr_t GlobalMemory::allocate(Team& team, std::uint64_t nbytes) {
  // No lock is held over the collectives: waiting there may run continuations that allocate.
  const std::uint64_t size = size_of_segment(nbytes);
  const Place place = agree(team, nbytes);
  std::uint64_t high_water = 0;
  {
    std::lock_guard lock(_mutex);
    high_water = _symmetric.high_water();
    _symmetric.take(place.offset, size);
  }
  std::uint64_t committed = make_zero(place.offset, size, high_water) ? 1 : 0;
  // Also the barrier after which everybody's part is zero and may be written.
  team.allreduce(&committed, &committed, 1, DART_TYPE_ULONGLONG, DART_OP_MIN);
  if (committed == 0) {
    std::lock_guard lock(_mutex);
    _symmetric.release(place.offset);
    throw_error(DART_ERR_NOMEM, "the system has no memory for {} bytes on each unit", nbytes);
  }
  _next_serial = place.serial + 1;
  Segment& segment = entry_of(id_of(place.serial));
  segment.heap_offset = place.offset;
  segment.base = _session.heap().base() + place.offset;
  segment.slots = team.slots();
  segment.units = team.units();
  segment.nbytes = nbytes;
  segment.stride = _session.heap().nbytes();
  segment.teamid = team.id();
  segment.nunits = team.size();
  dart_gptr_t gptr = DART_GPTR_NULL;
  gptr.unitid = 0;
  gptr.segid = id_of(place.serial);
  gptr.teamid = team.id();
  return gptr;
}

void GlobalMemory::free(const dart_gptr_t& gptr) {
  std::lock_guard lock(_mutex);
  Segment& segment = entry_of(gptr.segid);
  const std::uint64_t offset = segment.heap_offset;
  segment = Segment{};
  const std::uint64_t nbytes = _symmetric.release(offset).value_or(0);
  if (nbytes >= large) _session.heap().decommit(offset, nbytes);
}

dart_gptr_t GlobalMemory::allocate_local(std::uint64_t nbytes) {
  std::lock_guard lock(_mutex);
  const std::uint64_t size = std::max(round_up(nbytes, pool_alignment), pool_alignment);
  const auto offset = size < nbytes ? std::nullopt : _pool.find(size, 0);
  if (!offset) {
    throw_error(DART_ERR_NOMEM,
                "no room for {} bytes in the local pool of {} bytes; see DART_HEAP_SIZE", nbytes,
                _session.plan().pool_end - _session.plan().pool_begin);
  }
  const std::uint64_t high_water = _pool.high_water();
  _pool.take(*offset, size);
  if (!has_memory_for(size) || !make_zero(*offset, size, high_water)) {
    _pool.release(*offset);
    throw_error(DART_ERR_NOMEM, "the system has no memory for {} bytes", nbytes);
  }
  dart_gptr_t gptr = DART_GPTR_NULL;
  gptr.unitid = _session.layout().unit;
  gptr.segid = DART_SEGMENT_LOCAL;
  gptr.teamid = DART_TEAM_ALL;
  gptr.addr_or_offs.offset = *offset - _session.plan().pool_begin;
  return gptr;
}

void GlobalMemory::free_local(const dart_gptr_t& gptr) {
  std::lock_guard lock(_mutex);
  if (gptr.segid != DART_SEGMENT_LOCAL || gptr.unitid != _session.layout().unit ||
      gptr.teamid != DART_TEAM_ALL ||
      !_pool.release(gptr.addr_or_offs.offset + _session.plan().pool_begin)) {
    throw_error(DART_ERR_INVAL,
                "{{unit {}, segment {}, team {}, offset {}}} is not the begin of a live allocation "
                "of dart_memalloc by this unit ({})",
                static_cast<int>(gptr.unitid), gptr.segid, gptr.teamid, gptr.addr_or_offs.offset,
                _session.layout().unit);
  }
}

const Segment& GlobalMemory::check(const dart_gptr_t& gptr, std::uint64_t nbytes) {
  const Segment& segment = segment_of(gptr);
  if (is_valid_access(segment, gptr, nbytes)) return segment;
  const int unit = gptr.unitid;
  if (segment.nunits == 0 || segment.teamid != gptr.teamid) {
    throw_error(DART_ERR_INVAL, "team {} has no live segment {}", gptr.teamid, gptr.segid);
  }
  if (unit < 0 || unit >= segment.nunits) {
    throw_error(DART_ERR_INVAL, "unit {} is not in team {}, which has units 0 to {}", unit,
                gptr.teamid, segment.nunits - 1);
  }
  throw_error(DART_ERR_INVAL,
              "{} bytes at offset {} are past the end of segment {}, which has {} bytes per unit",
              nbytes, gptr.addr_or_offs.offset, gptr.segid, segment.nbytes);
}

}  // namespace dash::dart
