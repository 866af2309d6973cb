#include "memory/SymmetricHeap.h"

#include <algorithm>
#include <array>

#include "base/Error.h"
#include "dash/core/Memory.h"
#include "dash/core/Spin.h"
#include "teams/Team.h"

namespace dash::dart {

namespace {

constexpr std::uint64_t none = IdPool::none;
/// From this size on, pages are committed when memory is allocated: a lack of memory is then an
/// error of the allocation; at the first access, the system would kill the process. Pages of
/// smaller blocks are committed at their first access.
constexpr std::uint64_t committed_min = 4 * 1024 * 1024;

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

SymmetricHeap::SymmetricHeap(Session& session)
    : _session(session), _ranges(session.plan().pool_end, session.plan().heap_end) {}

bool SymmetricHeap::has_memory_for(std::uint64_t nbytes) {
  {
    const std::lock_guard lock(_mutex);
    if (nbytes <= _margin) {
      _margin -= nbytes;
      return true;
    }
  }
  std::uint64_t available =
      core::available_memory() / static_cast<std::uint64_t>(_session.host_units());
  {
    // Memory that is reserved but has no pages yet still counts as available to the system.
    const std::lock_guard lock(_mutex);
    const std::uint64_t in_memory =
        _session.heap().bytes_in_memory(_session.plan().pool_end, _ranges.high_water());
    available -= std::min(available, _reserved - std::min(_reserved, in_memory));
  }
  if (nbytes > available) return false;
  const std::lock_guard lock(_mutex);
  _margin = (available - nbytes) / 4;
  return true;
}

SymmetricHeap::Proposal SymmetricHeap::propose(const Proposal& at_least, bool first,
                                               std::uint64_t pages, const IdPool& ids) {
  const std::lock_guard lock(_mutex);
  Proposal proposal{0, ids.find(at_least.serial)};
  if (pages == 0) return proposal;
  proposal.offset =
      (first ? _ranges.find_best(pages) : _ranges.find(pages, at_least.offset)).value_or(none);
  return proposal;
}

/// Each member proposes the best-fitting block; members whose heaps have the same history agree at
/// once. Otherwise each proposes its lowest free block, and as long as the proposals differ, its
/// lowest free block from the highest proposal on.
SymmetricHeap::Proposal SymmetricHeap::agree(Team& team, TeamRequest& request, const IdPool& ids) {
  Proposal at_least{0, 0};
  const bool has_memory = has_memory_for(request.nbytes);
  std::uint64_t last_serial = none;
  for (bool first = true;; first = false) {
    const Proposal mine = propose(at_least, first, pages_of(request), ids);
    const std::uint64_t enough = has_memory ? 1 : 0;
    const std::uint64_t valid = request.error.empty() ? 1 : 0;
    std::array<std::uint64_t, 10> minmax{mine.offset,    mine.offset,    mine.serial, mine.serial,
                                         request.nbytes, request.nbytes, enough,      enough,
                                         valid,          valid};
    team.allreduce(minmax.data(), minmax.data(), minmax.size(), DART_TYPE_ULONGLONG,
                   DART_OP_MINMAX);
    if (minmax[8] == 0) {
      if (valid == 0) throw_error(DART_ERR_INVAL, "{}", request.error);
      throw_error(DART_ERR_INVAL, "another unit of team {} has passed invalid arguments",
                  team.id());
    }
    if (minmax[6] == 0 || minmax[1] == none) {
      throw_error(DART_ERR_NOMEM,
                  "no memory for {} bytes on each unit of team {} ({} bytes are available to this "
                  "unit's host, the heap of a unit has {}; see DART_HEAP_SIZE)",
                  minmax[5], team.id(), core::available_memory(), _session.heap().nbytes());
    }
    // All ids have been proposed once: each is in use by a member.
    if (first && minmax[3] != none) last_serial = minmax[3] + IdPool::num_ids;
    if (minmax[3] >= last_serial) {
      throw_error(DART_ERR_NOMEM, "no id of {} is free on all units of team {}", IdPool::num_ids,
                  team.id());
    }
    if (minmax[4] != minmax[5]) {
      request.nbytes = minmax[5];  // propose again, for the largest size
      continue;
    }
    if (minmax[0] == minmax[1] && minmax[2] == minmax[3]) return {minmax[0], minmax[2]};
    at_least = first ? Proposal{0, minmax[3]} : Proposal{minmax[1], minmax[3]};
  }
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
    if (pages != 0 && _ranges.find(pages, agreed.offset) != agreed.offset)
      return Outcome::no_longer_free;
    ids.take(agreed.serial);
    if (pages != 0) _ranges.take(agreed.offset, pages);
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
  while (true) {
    TeamRequest agreed_request{true, request.nbytes, request.error};
    const Proposal agreed = agree(team, agreed_request, ids);
    const Outcome own = take(agreed, agreed_request, request.nbytes, ids);
    const Outcome all = worst(team, own);
    const std::int16_t id = IdPool::id_of(agreed.serial);
    const std::uint64_t begin = agreed.offset + page_offset(id);
    if (all == Outcome::taken) return {begin, agreed_request.nbytes, id};
    if (own != Outcome::no_longer_free) release(begin, id, ids);
    if (all == Outcome::no_memory) {
      throw_error(DART_ERR_NOMEM, "the system has no memory for {} bytes on each unit of team {}",
                  agreed_request.nbytes, team.id());
    }
  }
}

std::int16_t SymmetricHeap::reserve_id(Team& team, const AllocationRequest& request, IdPool& ids) {
  while (true) {
    TeamRequest agreed_request{false, 0, request.error};
    const Proposal agreed = agree(team, agreed_request, ids);
    const Outcome own = take(agreed, agreed_request, 0, ids);
    const std::int16_t id = IdPool::id_of(agreed.serial);
    if (worst(team, own) == Outcome::taken) return id;
    if (own == Outcome::taken) release_id(id, ids);
  }
}

void SymmetricHeap::release(std::uint64_t offset, std::int16_t id, IdPool& ids) noexcept {
  const std::lock_guard lock(_mutex);
  const std::uint64_t first_page = offset - page_offset(id);
  const std::uint64_t nbytes = _ranges.release(first_page).value_or(0);
  _reserved -= nbytes;
  _session.heap().decommit(first_page, nbytes);
  ids.release(id);
}

void SymmetricHeap::release_id(std::int16_t id, IdPool& ids) noexcept {
  const std::lock_guard lock(_mutex);
  ids.release(id);
}

}  // namespace dash::dart
