#include "memory/SymmetricHeap.h"

#include <algorithm>
#include <array>
#include <mutex>
#include <utility>
#include <vector>

#include "base/Error.h"
#include "dash/core/Memory.h"
#include "dash/core/Spin.h"
#include "network/rma/RmaDriver.h"
#include "teams/Team.h"

namespace dash::dart {

namespace {

constexpr std::uint64_t none = IdPool::none;
/// From this size on, pages are committed when memory is allocated: a lack of memory is then an
/// error of the allocation; at the first access, the system would kill the process. Pages of
/// smaller blocks are committed at their first access.
constexpr std::uint64_t committed_min = 4 * 1024 * 1024;

/// Freed blocks keep their pages only in a beginning of the symmetric part of this size, so that no more memory is unused.
/// Blocks are allocated from the beginning.
constexpr std::uint64_t kept_bytes = 16 * 1024 * 1024;

/// Offset of a block in its first page, in steps of 17 cache lines. With equal offsets, arrays that
/// a loop traverses together would compete for the same sets of the first-level cache, and a load
/// would wait for a store to the same offset of another page.
constexpr std::uint64_t num_page_offsets = 64;
constexpr std::uint64_t max_page_offset = (num_page_offsets - 1) * core::cache_line_size;
std::uint64_t page_offset(std::int16_t id) noexcept {
  return static_cast<std::uint64_t>(id) * 17 % num_page_offsets * core::cache_line_size;
}

/// Bytes in whole pages that contain a block at any page offset.
std::uint64_t whole_pages(std::uint64_t nbytes) {
  const std::uint64_t page = core::page_size();
  return (std::max(nbytes, std::uint64_t{1}) + max_page_offset + page - 1) / page * page;
}

}  // namespace

SymmetricHeap::SymmetricHeap(Session& session, RmaDriver& driver)
    : _session(session),
      _driver(driver),
      _rest(session.plan().first_slab_end, session.plan().heap_end) {
  const HeapPlan& plan = session.plan();
  const auto& windows = session.windows();
  add(plan.pool_end, plan.first_slab_end, session.first_window());
  // Windows of an earlier runtime of this session.
  for (std::size_t i = 1; i < windows.size(); ++i) {
    _rest.take(windows[i]->begin(), windows[i]->end() - windows[i]->begin());
    add(windows[i]->begin(), windows[i]->end(), windows[i].get());
  }
}

SymmetricHeap::~SymmetricHeap() {
  Heap& heap = _session.heap();
  std::sort(_slabs.begin(), _slabs.end(),
            [](const Slab& a, const Slab& b) { return a.begin < b.begin; });
  std::uint64_t rest_begin = _slabs.front().end;
  for (const Slab& slab : _slabs) {
    heap.decommit(slab.begin, slab.ranges.high_water() - slab.begin);
    if (slab.begin > rest_begin) heap.decommit(rest_begin, slab.begin - rest_begin);
    rest_begin = slab.end;
  }
  if (_rest.high_water() > rest_begin) heap.decommit(rest_begin, _rest.high_water() - rest_begin);
}

/// \pre the mutex is held, or this is a constructor
void SymmetricHeap::add(std::uint64_t begin, std::uint64_t end, const HeapWindow* window) {
  _slabs.push_back(Slab{RangeAllocator(begin, end), begin, end, window});
}

/// The slab of an offset; null if it lies in none. \pre the mutex is held
SymmetricHeap::Slab* SymmetricHeap::slab_of(std::uint64_t offset) noexcept {
  const auto found = std::find_if(_slabs.begin(), _slabs.end(), [offset](const Slab& slab) {
    return slab.begin <= offset && offset < slab.end;
  });
  return found == _slabs.end() ? nullptr : &*found;
}

/// \pre the mutex is held
RangeAllocator& SymmetricHeap::ranges_of(std::uint64_t offset) noexcept {
  Slab* const slab = slab_of(offset);
  return slab == nullptr ? _rest : slab->ranges;
}

bool SymmetricHeap::has_memory_for(std::uint64_t nbytes, std::optional<std::uint64_t> block) {
  {
    const std::lock_guard lock(_mutex);
    if (nbytes <= _margin) {
      _margin -= nbytes;
      return true;
    }
  }
  const Heap& heap = _session.heap();
  std::uint64_t reused = 0;
  if (block && nbytes <= heap.nbytes() - *block)
    reused = std::min(nbytes, heap.resident_bytes(*block, *block + nbytes));
  std::uint64_t available =
      core::available_memory() / static_cast<std::uint64_t>(_session.host_units());
  {
    // Memory that is reserved but has no pages yet still counts as available to the system.
    const std::lock_guard lock(_mutex);
    std::uint64_t high_water = _rest.high_water();
    for (const Slab& slab : _slabs)
      high_water = std::max(high_water, slab.ranges.high_water());
    const std::uint64_t in_memory = heap.bytes_in_memory(_session.plan().pool_end, high_water);
    const std::uint64_t in_use = in_memory - std::min(in_memory, reused);
    available -= std::min(available, _reserved - std::min(_reserved, in_use));
  }
  const std::uint64_t needed = nbytes - reused;
  if (needed > available) return false;
  const std::lock_guard lock(_mutex);
  _margin = (available - needed) / 4;
  return true;
}

/// The best-fitting block of an area, or its lowest free block from `at_least` on; `none` if there is
/// none. \pre the mutex is held
std::uint64_t SymmetricHeap::find_block(std::uint64_t at_least, bool first, std::uint64_t pages,
                                        Area area) {
  const auto find_in = [&](const RangeAllocator& ranges) {
    return (first ? ranges.find_best(pages) : ranges.find(pages, at_least)).value_or(none);
  };
  if (area == Area::rest) return find_in(_rest);
  std::uint64_t lowest = none;
  for (const Slab& slab : _slabs) {
    if (slab.is_open) lowest = std::min(lowest, find_in(slab.ranges));
    if (first && lowest != none) break;  // in the oldest slab with space
  }
  return lowest;
}

SymmetricHeap::Proposal SymmetricHeap::propose(const Proposal& at_least, bool first,
                                               std::uint64_t pages, IdPool& ids, Area area) {
  const std::lock_guard lock(_mutex);
  Proposal proposal{0, first ? ids.find_recycled() : ids.find(at_least.serial)};
  if (proposal.serial != none)
    proposal.generation = ids.next_generation(IdPool::id_of(proposal.serial));
  if (pages != 0) proposal.offset = find_block(at_least.offset, first, pages, area);
  return proposal;
}

/// Each member proposes the best-fitting block and the id that was recycled last; members whose
/// heaps have the same history agree at once. Otherwise each proposes its lowest free block and its
/// least recently used id, and as long as the proposals differ, those from the highest proposal on.
/// \returns nothing if a member has no such block, too little memory, or freed blocks to release first
std::optional<SymmetricHeap::Proposal> SymmetricHeap::agree(Team& team, TeamRequest& request,
                                                            IdPool& ids, Area area) {
  Proposal at_least{0, 0};
  bool has_memory = true;
  std::uint64_t last_serial = none;
  for (bool first = true;; first = false) {
    const Proposal mine = propose(at_least, first, pages_of(request), ids, area);
    // If the units agree on another block than the first one, this is an estimate.
    if (first && request.with_memory && mine.offset != none && !request.has_freed)
      has_memory = has_memory_for(request.nbytes, mine.offset);
    const std::uint64_t enough = has_memory ? 1 : 0;
    const std::uint64_t valid = request.error.empty() ? 1 : 0;
    const std::uint64_t surplus = first && has_surplus(team, pages_of(request)) ? 1 : 0;
    const std::uint64_t freed = request.has_freed ? 1 : 0;
    const std::uint64_t generation = mine.generation;
    std::array<std::uint64_t, 16> minmax{mine.offset,    mine.offset,    mine.serial, mine.serial,
                                         request.nbytes, request.nbytes, enough,      enough,
                                         valid,          valid,          surplus,     surplus,
                                         freed,          freed,          generation,  generation};
    team.allreduce(minmax.data(), minmax.data(), minmax.size(), DART_TYPE_ULONGLONG,
                   DART_OP_MINMAX);
    if (minmax[8] == 0) {
      if (valid == 0) throw_error(DART_ERR_INVAL, "{}", request.error);
      throw_error(DART_ERR_INVAL, "another unit of team {} has passed invalid arguments",
                  team.id());
    }
    const bool is_largest = minmax[4] == minmax[5];
    request.nbytes = minmax[5];
    request.has_freed = minmax[13] == 1;
    if (request.has_freed) return std::nullopt;
    if (first) request.finds_surplus = minmax[10] == 1;
    if (minmax[6] == 0 || minmax[1] == none) return std::nullopt;
    // All ids have been proposed once: each is in use by a member.
    if (!first && last_serial == none && minmax[3] != none)
      last_serial = minmax[3] + IdPool::num_ids;
    if (minmax[3] >= last_serial) {
      throw_error(DART_ERR_NOMEM, "no id of {} is free on all units of team {}", IdPool::num_ids,
                  team.id());
    }
    if (!is_largest) continue;  // propose again, for the largest size
    if (minmax[0] == minmax[1] && minmax[2] == minmax[3])
      return Proposal{minmax[0], minmax[2], static_cast<std::uint8_t>(minmax[15])};
    if (first) {
      // Otherwise the next proposals would differ again.
      const std::lock_guard lock(_mutex);
      if (minmax[2] != minmax[3]) ids.forget_recycled();
      at_least = {minmax[0] == minmax[1] ? minmax[0] : 0, 0};
    } else {
      at_least = {minmax[1], minmax[3]};
    }
  }
}

void SymmetricHeap::throw_no_memory(const Team& team, std::uint64_t nbytes) const {
  throw_error(DART_ERR_NOMEM,
              "no memory for {} bytes on each unit of team {} ({} bytes are available to this "
              "unit's host, the heap of a unit has {}; see DART_HEAP_SIZE)",
              nbytes, team.id(), core::available_memory(), _session.heap().nbytes());
}

std::uint64_t SymmetricHeap::pages_of(const TeamRequest& request) const noexcept {
  if (!request.with_memory) return 0;
  // The limit keeps the rounding from overflowing. A block larger than the heap is never found.
  return whole_pages(std::min(request.nbytes, _session.heap().nbytes() + 1));
}

SymmetricHeap::Outcome SymmetricHeap::take(const Proposal& agreed, const TeamRequest& request,
                                           std::uint64_t own_nbytes, IdPool& ids) {
  const std::uint64_t pages = pages_of(request);
  {
    const std::lock_guard lock(_mutex);
    // Another thread of this unit may have completed an allocation with another team in the
    // meantime.
    if (ids.is_used(IdPool::id_of(agreed.serial))) return Outcome::no_longer_free;
    if (pages != 0) {
      // The units may remove a slab that is not open, see remove_empty_slabs().
      const Slab* const slab = slab_of(agreed.offset);
      if (slab != nullptr && !slab->is_open) return Outcome::no_longer_free;
      RangeAllocator& ranges = ranges_of(agreed.offset);
      if (ranges.find(pages, agreed.offset) != agreed.offset) return Outcome::no_longer_free;
      ranges.take(agreed.offset, pages);
      if (slab != nullptr) _in_slabs += pages;
    }
    ids.take(agreed.serial, agreed.generation);
    _reserved += pages;
  }
  const std::uint64_t begin = agreed.offset + page_offset(IdPool::id_of(agreed.serial));
  if (own_nbytes < committed_min || _session.heap().commit(begin, own_nbytes))
    return Outcome::taken;
  return Outcome::no_memory;
}

/// \collective over the team
SymmetricHeap::Outcome SymmetricHeap::worst(Team& team, Outcome own) {
  auto value = static_cast<std::uint64_t>(own);
  team.allreduce(&value, &value, 1, DART_TYPE_ULONGLONG, DART_OP_MIN);
  return static_cast<Outcome>(value);
}

SymmetricHeap::Reservation SymmetricHeap::reserve(Team& team, const AllocationRequest& request,
                                                  IdPool& ids) {
  // No lock is held during the collectives: waiting in them may run continuations that allocate.
  bool has_removed = false;
  bool has_released = false;
  while (true) {
    TeamRequest agreed_request{true, request.nbytes, request.error};
    agreed_request.has_freed = !has_released && !team.freed().empty();
    std::optional<Proposal> agreed = agree(team, agreed_request, ids, Area::slabs);
    if (agreed_request.has_freed) {
      // All members have called this function, and have freed the blocks before.
      release_freed(team);
      has_released = true;
      continue;
    }
    if (agreed_request.finds_surplus && !has_removed) {
      remove_empty_slabs(team, pages_of(agreed_request), RemoveBefore::block);
      has_removed = true;  // the units may have different empty slabs, of which none is removed
      continue;
    }
    if (!agreed) {
      if (may_add_slab(team) && add_slab(team, agreed_request, ids)) continue;
      agreed = agree(team, agreed_request, ids, Area::rest);
    }
    if (!agreed) throw_no_memory(team, agreed_request.nbytes);
    const Outcome own = take(*agreed, agreed_request, request.nbytes, ids);
    const Outcome all = worst(team, own);
    const std::int16_t id = IdPool::id_of(agreed->serial);
    const std::uint64_t begin = agreed->offset + page_offset(id);
    if (all == Outcome::taken) {
      const std::lock_guard lock(_mutex);
      const Slab* const slab = slab_of(begin);
      _peak_in_slabs = std::max(_peak_in_slabs, _in_slabs);
      return {begin, agreed_request.nbytes, id, agreed->generation,
              slab == nullptr ? nullptr : slab->window};
    }
    if (own != Outcome::no_longer_free) release(begin, id, ids);
    if (all == Outcome::no_memory) {
      throw_error(DART_ERR_NOMEM, "the system has no memory for {} bytes on each unit of team {}",
                  agreed_request.nbytes, team.id());
    }
  }
}

SymmetricHeap::Reservation SymmetricHeap::reserve_id(Team& team, const AllocationRequest& request,
                                                     IdPool& ids) {
  while (true) {
    TeamRequest agreed_request{false, 0, request.error};
    // Without memory, there always is a proposal.
    const Proposal agreed = agree(team, agreed_request, ids, Area::slabs).value();
    const Outcome own = take(agreed, agreed_request, 0, ids);
    const std::int16_t id = IdPool::id_of(agreed.serial);
    if (worst(team, own) == Outcome::taken) return {0, 0, id, agreed.generation, nullptr};
    if (own == Outcome::taken) release_id(id, ids);
  }
}

void SymmetricHeap::release_freed(Team& team) {
  // In the order of the calls, so that the id that was freed last is used next. A release may run a continuation that
  // frees another block of the team.
  const std::vector<FreedBlock> blocks = std::exchange(team.freed(), {});
  for (const FreedBlock& block : blocks)
    release(block.offset, block.id, *block.ids, block.recycles_id);
}

void SymmetricHeap::release(std::uint64_t offset, std::int16_t id, IdPool& ids, bool recycles) {
  const std::uint64_t first_page = offset - page_offset(id);
  std::uint64_t nbytes = 0;
  {
    const std::lock_guard lock(_mutex);
    nbytes = ranges_of(first_page).size_of_used(first_page).value_or(0);
  }
  _driver.wait_for_sends(_session.heap().own() + first_page, nbytes);
  // Without the mutex, because this takes time. No other thread takes the block before it is released.
  Heap& heap = _session.heap();
  const bool may_keep_pages = first_page + nbytes <= _session.plan().pool_end + kept_bytes;
  if (!may_keep_pages || !heap.zero_in_place(first_page, nbytes)) heap.decommit(first_page, nbytes);
  const std::lock_guard lock(_mutex);
  Slab* const slab = slab_of(first_page);
  if (slab != nullptr) _in_slabs -= nbytes;
  (slab == nullptr ? _rest : slab->ranges).release(first_page);
  _reserved -= nbytes;
  if (recycles) {
    ids.recycle(id);
  } else {
    ids.release(id);
  }
}

/// Whether the team may create and remove slabs. The answer is the same on all its units.
///
/// Another team of all units may not: two threads can allocate with two teams at the same time, in a different order on
/// different units, but all units must create the windows in the same order.
bool SymmetricHeap::may_add_slab(const Team& team) const noexcept {
  return team.id() == DART_TEAM_ALL && _session.plan().has_slabs &&
         _session.first_window() != nullptr && !_has_window_failed;
}

/// \pre the mutex is held
SlabPolicy SymmetricHeap::policy() const noexcept {
  const HeapPlan& plan = _session.plan();
  SlabPolicy policy{plan.pool_end - plan.registered_pool_begin, _slabs.size()};
  for (const Slab& slab : _slabs)
    policy.nbytes += slab.end - slab.begin;
  return policy;
}

/// Whether this unit has empty slabs that are not needed, if the block is allocated.
bool SymmetricHeap::has_surplus(const Team& team, std::uint64_t pages) {
  if (!may_add_slab(team)) return false;
  const std::lock_guard lock(_mutex);
  return policy().has_surplus(_in_slabs + pages) &&
         std::any_of(_slabs.begin() + 1, _slabs.end(),
                     [](const Slab& slab) { return slab.ranges.num_used() == 0; });
}

/// Creates a slab for the request.
/// \returns false if there is no space, if there are enough slabs, or if MPI cannot create a window; the same on all
///          units
/// \collective over the team of all units
bool SymmetricHeap::add_slab(Team& team, const TeamRequest& request, IdPool& ids) {
  const std::uint64_t needed = pages_of(request);
  const std::uint64_t peak = remove_empty_slabs(team, needed, RemoveBefore::slab);
  std::optional<SlabPolicy::NextSlab> next;
  {
    const std::lock_guard lock(_mutex);
    next = policy().next(needed, peak, core::page_size());
  }
  if (!next) return false;
  std::uint64_t nbytes = next->wanted;
  std::optional<std::uint64_t> begin = take_slab(team, nbytes, ids);
  while (!begin && nbytes > next->least) {
    const std::uint64_t half = nbytes / 2;
    nbytes = std::max(next->least, half - half % core::page_size());
    begin = take_slab(team, nbytes, ids);
  }
  if (!begin) return false;
  // The barrier makes progress for units that still wait for operations of others; creating the
  // window does not.
  team.barrier();
  const HeapWindow* const window = _session.add_window(*begin, *begin + nbytes);
  const std::lock_guard lock(_mutex);
  if (window == nullptr) {
    _has_window_failed = true;
    _rest.release(*begin);
    return false;
  }
  add(*begin, *begin + nbytes, window);
  return true;
}

/// Takes a range of the memory outside of the slabs.
/// \returns its offset, which is the same on all units; nothing if there is no such range
/// \collective over the team of all units
std::optional<std::uint64_t> SymmetricHeap::take_slab(Team& team, std::uint64_t nbytes,
                                                      IdPool& ids) {
  const std::string no_error;
  while (true) {
    // pages_of() adds pages to the size of a request, for the offset in the first page.
    TeamRequest request{true, nbytes - max_page_offset, no_error};
    const std::optional<Proposal> agreed = agree(team, request, ids, Area::rest);
    if (!agreed) return std::nullopt;
    Outcome own = Outcome::no_longer_free;
    {
      const std::lock_guard lock(_mutex);
      if (_rest.find(nbytes, agreed->offset) == agreed->offset) {
        _rest.take(agreed->offset, nbytes);
        own = Outcome::taken;
      }
    }
    if (worst(team, own) == Outcome::taken) return agreed->offset;
    const std::lock_guard lock(_mutex);
    if (own == Outcome::taken) _rest.release(agreed->offset);
  }
}

/// Frees the windows of slabs that are empty on all units, and returns their memory to the system, as far as SlabPolicy
/// says. The first slab stays.
/// \param pages  size of the block to allocate
/// \returns the largest memory in blocks of the slabs at a time, on any unit, if the block is allocated in a slab
/// \collective over the team of all units
std::uint64_t SymmetricHeap::remove_empty_slabs(Team& team, std::uint64_t pages,
                                                RemoveBefore purpose) {
  std::vector<std::uint64_t> minmax;
  SlabPolicy policy;
  {
    const std::lock_guard lock(_mutex);
    policy = this->policy();
    const std::uint64_t in_use = _in_slabs + pages;
    const std::uint64_t peak = std::max(_peak_in_slabs, in_use);
    minmax = {in_use, in_use, peak, peak};
    for (Slab& slab : _slabs) {
      // Until the units have agreed, no other team takes a block of the slab.
      slab.is_open = slab.ranges.num_used() != 0;
      minmax.insert(minmax.end(), 2, slab.is_open ? 0 : 1);
    }
  }
  team.allreduce(minmax.data(), minmax.data(), minmax.size(), DART_TYPE_ULONGLONG, DART_OP_MINMAX);
  const std::uint64_t in_use = minmax[1];
  const std::uint64_t peak = minmax[3];
  const auto must_remove = [&] {
    return purpose == RemoveBefore::slab ? policy.must_shrink(pages, peak)
                                         : policy.has_surplus(in_use);
  };
  bool has_synchronized = false;
  for (std::size_t i = policy.num_slabs; i-- > 1;) {
    const bool is_empty = minmax[4 + 2 * i] != 0;
    if (!is_empty || !must_remove()) continue;
    policy.nbytes -= _slabs[i].end - _slabs[i].begin;
    --policy.num_slabs;
    if (!has_synchronized) team.barrier();  // see add_slab()
    has_synchronized = true;
    remove_slab(team, i);
  }
  const std::lock_guard lock(_mutex);
  for (Slab& slab : _slabs)
    slab.is_open = true;
  return peak;
}

/// \pre the slab is empty and not open, so that no other thread uses it  \collective over all units
void SymmetricHeap::remove_slab(Team& team, std::size_t index) {
  const std::uint64_t begin = _slabs[index].begin;
  _session.remove_window(_slabs[index].window);
  team.barrier();  // until then, the other units of the node return the pages of this unit
  const std::lock_guard lock(_mutex);
  _slabs.erase(_slabs.begin() + static_cast<std::ptrdiff_t>(index));
  _rest.release(begin);
}

void SymmetricHeap::release_id(std::int16_t id, IdPool& ids) noexcept {
  const std::lock_guard lock(_mutex);
  ids.release(id);
}

}  // namespace dash::dart
