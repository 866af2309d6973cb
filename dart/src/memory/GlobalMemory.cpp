#include "memory/GlobalMemory.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <optional>
#include <set>

#include "base/Error.h"
#include "dash/core/Statistics.h"
#include "network/rma/RmaDriver.h"

namespace dash::dart {

namespace {

constexpr std::size_t table_size = std::size_t{1} << 16;
/// From this size on, freed pages of the pool are returned to the system.
constexpr std::uint64_t large = 64 * 1024;
constexpr std::uint64_t pool_alignment = 64;

Segment* table() noexcept {
  // In .bss: only pages with ids in use are ever accessed.
  static Segment entries[table_size];
  return entries;
}

/// The windows of the segments in the heaps, by segment id; null for segments in no window.
const HeapWindow*& window_entry(std::int16_t segid) noexcept {
  static std::array<const HeapWindow*, IdPool::num_ids + 1> entries;
  return entries[static_cast<std::size_t>(segid)];
}

/// Whether a segment has had streams. A message of a stream that no unit has received would be taken for one of the next
/// segment with the same id.
std::atomic<bool>& has_had_streams(std::int16_t segid) noexcept {
  static std::array<std::atomic<bool>, IdPool::num_ids + 1> entries;
  return entries[static_cast<std::size_t>(segid)];
}

Segment& entry_of(std::int16_t segid) noexcept {
  return table()[static_cast<std::uint16_t>(segid)];
}

std::uint64_t round_up(std::uint64_t value, std::uint64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

}  // namespace

Segment* const segment_table = table();

GlobalMemory::GlobalMemory(Session& session, RmaDriver& driver, SymmetricHeap& heap,
                           const Team& all)
    : _session(session),
      _driver(driver),
      _heap(heap),
      _registered_pool(session.plan().registered_pool_begin, session.plan().pool_end),
      _pool(session.plan().pool_begin, session.plan().registered_pool_begin) {
  Segment& pool = add_segment(all, DART_SEGMENT_LOCAL);
  pool.heap_offset = session.plan().pool_begin;
  pool.base = session.heap().base() + pool.heap_offset;
  pool.nbytes = session.plan().pool_end - session.plan().pool_begin;
}

GlobalMemory::~GlobalMemory() {
  entry_of(DART_SEGMENT_LOCAL) = Segment{};
  for (std::size_t id = 1; id <= IdPool::num_ids; ++id) {
    const auto segid = static_cast<std::int16_t>(id);
    if (_segment_ids.is_used(segid)) entry_of(segid) = Segment{};
    has_had_streams(segid).store(false, std::memory_order_relaxed);
    const auto registered = static_cast<std::int16_t>(-segid);
    if (_registered_ids.is_used(segid)) entry_of(registered) = Segment{};
  }
  const HeapPlan& plan = _session.plan();
  Heap& heap = _session.heap();
  heap.decommit(plan.pool_begin, _pool.high_water() - plan.pool_begin);
  heap.decommit(plan.registered_pool_begin,
                _registered_pool.high_water() - plan.registered_pool_begin);
}

Segment& GlobalMemory::add_segment(const Team& team, std::int16_t segid) {
  Segment& segment = entry_of(segid);
  segment.slots = team.slots();
  segment.units = team.units();
  segment.stride = _session.heap().nbytes();
  segment.teamid = static_cast<std::int16_t>(team.id() | (core::counting() ? Segment::counted : 0));
  segment.nunits = team.size();
  return segment;
}

dart_gptr_t GlobalMemory::allocate(Team& team, const SymmetricHeap::AllocationRequest& request) {
  const SymmetricHeap::Reservation reserved = _heap.reserve(team, request, _segment_ids);
  Segment& segment = add_segment(team, reserved.id);
  segment.generation = reserved.generation;
  segment.heap_offset = reserved.offset;
  segment.base = _session.heap().base() + reserved.offset;
  segment.nbytes = reserved.nbytes;
  window_entry(reserved.id) = reserved.window;
  team.segments().insert(reserved.id);
  dart_gptr_t gptr = DART_GPTR_NULL;
  gptr.unitid = 0;
  gptr.flags = reserved.generation;
  gptr.segid = reserved.id;
  gptr.teamid = team.id();
  return gptr;
}

void GlobalMemory::free(Team& team, std::int16_t segid) {
  Segment& segment = entry_of(segid);
  const std::uint64_t offset = segment.heap_offset;
  segment = Segment{};
  team.segments().erase(segid);
  const bool recycles_id = !has_had_streams(segid).exchange(false, std::memory_order_relaxed);
  team.freed().push_back({offset, segid, &_segment_ids, recycles_id});
  team.collectives().at_next_barrier([this, &team] { _heap.release_freed(team); });
}

std::unique_ptr<GlobalMemory::Registered> GlobalMemory::make_window(Team& team, void* begin,
                                                                    std::uint64_t nbytes) {
  MPI_Comm communicator = team.communicator();
  team.barrier();  // see RegisteredWindow
  return std::unique_ptr<Registered>(
      new Registered{RegisteredWindow(_driver, communicator, begin, nbytes, team.units()),
                     std::vector<std::int32_t>(static_cast<std::size_t>(team.size()), -1)});
}

dart_gptr_t GlobalMemory::attach(Team& team, void* begin,
                                 const SymmetricHeap::AllocationRequest& request) {
  const SymmetricHeap::Reservation reserved = _heap.reserve_id(team, request, _registered_ids);
  const std::int16_t id = reserved.id;
  const std::uint64_t nbytes = request.nbytes;
  std::unique_ptr<Registered> registered;
  try {
    registered = make_window(team, begin, nbytes);
  } catch (...) {
    // MPI has no window left, or cannot register the memory; the call has failed on all units.
    _heap.release_id(id, _registered_ids);
    throw;
  }
  const auto segid = static_cast<std::int16_t>(-id);
  registered->slots[static_cast<std::size_t>(team.my_id())] = 0;
  Segment& segment = add_segment(team, segid);
  segment.generation = reserved.generation;
  segment.base = static_cast<char*>(begin);
  segment.slots = registered->slots.data();
  segment.nbytes = nbytes;
  segment.stride = 0;
  segment.window = &registered->window;
  {
    const std::lock_guard lock(_registered_mutex);
    _registered.emplace(segid, std::move(registered));
    _num_registered.store(_registered.size(), std::memory_order_release);
  }
  team.segments().insert(segid);
  dart_gptr_t gptr = DART_GPTR_NULL;
  gptr.unitid = 0;
  gptr.flags = reserved.generation;
  gptr.segid = segid;
  gptr.teamid = team.id();
  return gptr;
}

void GlobalMemory::detach(Team& team, std::int16_t segid) {
  team.barrier();  // see RegisteredWindow
  _driver.wait_for_sends(entry_of(segid).base, entry_of(segid).nbytes);
  team.segments().erase(segid);
  std::unique_ptr<Registered> removed;
  {
    const std::lock_guard lock(_registered_mutex);
    entry_of(segid) = Segment{};
    const auto found = _registered.find(segid);
    removed = std::move(found->second);
    _registered.erase(found);
    _num_registered.store(_registered.size(), std::memory_order_release);
  }
  removed.reset();
  _heap.release_id(static_cast<std::int16_t>(-segid), _registered_ids);
}

bool GlobalMemory::is_registered(const void* address) noexcept {
  // Any order suffices: the mutex orders the map, and the caller knows of the registration, so this load is ordered
  // after its store.
  if (_num_registered.load(std::memory_order_acquire) == 0) return false;
  const auto value = reinterpret_cast<std::uintptr_t>(address);
  const std::lock_guard lock(_registered_mutex);
  return std::any_of(_registered.begin(), _registered.end(), [value](const auto& entry) {
    const Segment& segment = entry_of(entry.first);
    return value - reinterpret_cast<std::uintptr_t>(segment.base) < segment.nbytes;
  });
}

void GlobalMemory::clear(Team& team) {
  // In the same order on all units, because detaching is collective.
  const std::set<std::int16_t> ordered(team.segments().begin(), team.segments().end());
  for (const std::int16_t segid : ordered) {
    if (segid < 0) {
      detach(team, segid);
    } else {
      free(team, segid);
    }
  }
  _heap.release_freed(team);
}

/// \returns false if the system has no memory
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
  return nbytes < large || heap.commit(offset, nbytes);
}

/// The pool that contains an offset in the heap.
RangeAllocator& GlobalMemory::pool_of(std::uint64_t offset) noexcept {
  return offset >= _session.plan().registered_pool_begin ? _registered_pool : _pool;
}

dart_gptr_t GlobalMemory::allocate_local(std::uint64_t nbytes) {
  std::lock_guard lock(_mutex);
  const std::uint64_t size = std::max(round_up(nbytes, pool_alignment), pool_alignment);
  std::optional<std::uint64_t> offset;
  if (size >= nbytes) offset = _registered_pool.find_best(size);
  if (size >= nbytes && !offset) offset = _pool.find_best(size);
  if (!offset) {
    throw_error(DART_ERR_NOMEM,
                "no free range of {} bytes in the local pool of {} bytes; see DART_HEAP_SIZE",
                nbytes, _session.plan().pool_end - _session.plan().pool_begin);
  }
  RangeAllocator& pool = pool_of(*offset);
  const std::uint64_t high_water = pool.high_water();
  pool.take(*offset, size);
  if (!_heap.has_memory_for(size) || !make_zero(*offset, size, high_water)) {
    pool.release(*offset);
    throw_error(DART_ERR_NOMEM, "the system has no memory for {} bytes", nbytes);
  }
  dart_gptr_t gptr = DART_GPTR_NULL;
  gptr.unitid = _session.layout().unit;
  gptr.segid = DART_SEGMENT_LOCAL;
  gptr.teamid = DART_TEAM_ALL;
  gptr.addr_or_offs.offset = *offset - _session.plan().pool_begin;
  return gptr;
}

void GlobalMemory::free_local(const dart_gptr_t& gptr, Sends sends) {
  const std::uint64_t offset = gptr.addr_or_offs.offset + _session.plan().pool_begin;
  const bool is_from_pool = gptr.segid == DART_SEGMENT_LOCAL && gptr.teamid == DART_TEAM_ALL &&
                            gptr.unitid == _session.layout().unit;
  std::optional<std::uint64_t> size;
  if (is_from_pool) {
    const std::lock_guard lock(_mutex);
    size = pool_of(offset).size_of_used(offset);
  }
  if (size && sends == Sends::wait) _driver.wait_for_sends(_session.heap().own() + offset, *size);
  const std::lock_guard lock(_mutex);
  const auto nbytes = size ? pool_of(offset).release(offset) : std::nullopt;
  if (!nbytes) {
    throw_error(DART_ERR_INVAL,
                "{{unit {}, segment {}, team {}, offset {}}} is not the start of a live allocation "
                "of dart_memalloc by this unit ({})",
                static_cast<int>(gptr.unitid), gptr.segid, gptr.teamid, gptr.addr_or_offs.offset,
                _session.layout().unit);
  }
  if (*nbytes >= large) _session.heap().decommit(offset, *nbytes);
}

Segment& GlobalMemory::find(const dart_gptr_t& gptr) {
  Segment& segment = entry_of(gptr.segid);
  if (segment.nunits == 0 || segment.team() != gptr.teamid) {
    throw_error(DART_ERR_INVAL, "team {} has no live segment {}", gptr.teamid, gptr.segid);
  }
  if (!is_current(segment, gptr.flags)) {
    throw_error(DART_ERR_INVAL,
                "the segment {} of the pointer has been freed; a later allocation of team {} has "
                "the same id",
                gptr.segid, gptr.teamid);
  }
  return segment;
}

void GlobalMemory::use_for_streams(std::int16_t segid) noexcept {
  if (segid > 0) has_had_streams(segid).store(true, std::memory_order_relaxed);
}

const Segment& GlobalMemory::check(const dart_gptr_t& gptr, std::uint64_t nbytes) {
  const Segment& segment = find(gptr);
  const int unit = gptr.unitid;
  const bool is_member = unit >= 0 && unit < segment.nunits;
  const std::uint64_t offset = gptr.addr_or_offs.offset;
  const std::uint64_t size =
      segment.window != nullptr && is_member ? segment.window->nbytes(unit) : segment.nbytes;
  if (is_member && offset <= size && nbytes <= size - offset) return segment;
  if (!is_member) {
    throw_error(DART_ERR_INVAL, "unit {} is not in team {}, which has units 0 to {}", unit,
                gptr.teamid, segment.nunits - 1);
  }
  throw_error(DART_ERR_INVAL,
              "{} bytes at offset {} are past the end of segment {}, of which unit {} has {} bytes",
              nbytes, offset, gptr.segid, unit, size);
}

/// The window of memory in the heaps; null if it lies in none.
const HeapWindow* GlobalMemory::window_of(const Segment& segment,
                                          const dart_gptr_t& gptr) const noexcept {
  if (gptr.segid != DART_SEGMENT_LOCAL) return window_entry(gptr.segid);
  const std::uint64_t offset = segment.heap_offset + gptr.addr_or_offs.offset;
  return offset >= _session.plan().registered_pool_begin ? _session.first_window() : nullptr;
}

RemoteAddress GlobalMemory::remote_address(const Segment& segment,
                                           const dart_gptr_t& gptr) const noexcept {
  if (segment.window != nullptr)
    return segment.window->address_of(gptr.unitid, gptr.addr_or_offs.offset);
  return heap_address(window_of(segment, gptr), segment.units[gptr.unitid],
                      segment.heap_offset + gptr.addr_or_offs.offset);
}

}  // namespace dash::dart
