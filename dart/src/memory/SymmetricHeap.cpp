#include "memory/SymmetricHeap.h"

#include <algorithm>
#include <array>

#include "base/Error.h"
#include "teams/Team.h"
#include "dash/core/Memory.h"
#include "dash/core/Spin.h"

namespace dash::dart {

namespace {

constexpr std::uint64_t nowhere = IdPool::none;
/// From this size pages are provided when they are allocated: the lack of them is an error here,
/// later it would be a kill by the system. Smaller ones come as they are touched.
constexpr std::uint64_t committed_min = 4 * 1024 * 1024;

/// Where in its first page a place begins, in steps of 17 lines of the cache. Arrays that a loop goes
/// through together would otherwise meet in the same few lines of the first cache, and a load that has the
/// address of a store but for the page would wait for it.
constexpr std::uint64_t num_begins = 64;
constexpr std::uint64_t last_begin = (num_begins - 1) * core::cache_line_size;
std::uint64_t into_page(std::int16_t id) noexcept {
  return static_cast<std::uint64_t>(id) * 17 % num_begins * core::cache_line_size;
}

/// Whole pages, wherever the place begins.
std::uint64_t whole_pages(std::uint64_t nbytes) {
  const std::uint64_t page = core::page_size();
  return (std::max(nbytes, std::uint64_t{1}) + last_begin + page - 1) / page * page;
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
    // What is taken and was not touched yet is nobody else's.
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

SymmetricHeap::Offer SymmetricHeap::propose(const Offer& at_least, bool first, std::uint64_t pages,
                                            const IdPool& ids) {
  const std::lock_guard lock(_mutex);
  Offer offer{0, ids.find(at_least.serial)};
  if (pages == 0) return offer;
  offer.offset =
      (first ? _ranges.find_best(pages) : _ranges.find(pages, at_least.offset)).value_or(nowhere);
  return offer;
}

/// Every member proposes the place that fits best; members that did the same before agree at once.
/// Else all propose the lowest place that is free with them, and as long as they differ look on
/// from the highest proposal.
SymmetricHeap::Offer SymmetricHeap::agree(Team& team, Request& request, const IdPool& ids) {
  Offer at_least{0, 0};
  const bool memory = has_memory_for(request.nbytes);
  std::uint64_t last_serial = nowhere;
  for (bool first = true;; first = false) {
    const Offer mine = propose(at_least, first, pages_of(request), ids);
    const std::uint64_t enough = memory ? 1 : 0;
    const std::uint64_t valid = request.error.empty() ? 1 : 0;
    std::array<std::uint64_t, 10> minmax{mine.offset,    mine.offset,    mine.serial, mine.serial,
                                         request.nbytes, request.nbytes, enough,      enough,
                                         valid,          valid};
    team.allreduce(minmax.data(), minmax.data(), minmax.size(), DART_TYPE_ULONGLONG,
                   DART_OP_MINMAX);
    if (minmax[8] == 0) {
      if (valid == 0) throw_error(DART_ERR_INVAL, "{}", request.error);
      throw_error(DART_ERR_INVAL, "another unit of team {} has passed wrong arguments", team.id());
    }
    if (minmax[6] == 0 || minmax[1] == nowhere) {
      throw_error(DART_ERR_NOMEM,
                  "no memory for {} bytes on each unit of team {} ({} bytes are available to this "
                  "unit's host, the heap of a unit has {}; see DART_HEAP_SIZE)",
                  minmax[5], team.id(), core::available_memory(), _session.heap().nbytes());
    }
    // Once round all ids: each is in use by some member.
    if (first && minmax[3] != nowhere) last_serial = minmax[3] + IdPool::num_ids;
    if (minmax[3] >= last_serial) {
      throw_error(DART_ERR_NOMEM, "no id of {} is free on all units of team {}", IdPool::num_ids,
                  team.id());
    }
    if (minmax[4] != minmax[5]) {
      request.nbytes = minmax[5];  // and propose again, for the largest
      continue;
    }
    if (minmax[0] == minmax[1] && minmax[2] == minmax[3]) return {minmax[0], minmax[2]};
    at_least = first ? Offer{0, minmax[3]} : Offer{minmax[1], minmax[3]};
  }
}

std::uint64_t SymmetricHeap::pages_of(const Request& request) const noexcept {
  if (!request.with_memory) return 0;
  // What is larger than the heap finds no place there; rounding must not make it small.
  return whole_pages(std::min(request.nbytes, _session.heap().nbytes() + 1));
}

SymmetricHeap::Taken SymmetricHeap::take(const Offer& offer, const Request& request,
                                         std::uint64_t own_nbytes, IdPool& ids) {
  const std::uint64_t pages = pages_of(request);
  {
    const std::lock_guard lock(_mutex);
    // Another thread of this unit may have agreed with another team since.
    if (ids.is_used(IdPool::id_of(offer.serial))) return Taken::too_late;
    if (pages != 0 && _ranges.find(pages, offer.offset) != offer.offset) return Taken::too_late;
    ids.take(offer.serial);
    if (pages != 0) _ranges.take(offer.offset, pages);
    _reserved += pages;
  }
  const std::uint64_t begin = offer.offset + into_page(IdPool::id_of(offer.serial));
  if (own_nbytes < committed_min || _session.heap().commit(begin, own_nbytes)) {
    return Taken::yes;
  }
  return Taken::no_memory;
}

SymmetricHeap::Taken SymmetricHeap::least(Team& team, Taken mine) {
  auto value = static_cast<std::uint64_t>(mine);
  team.allreduce(&value, &value, 1, DART_TYPE_ULONGLONG, DART_OP_MIN);
  return static_cast<Taken>(value);
}

SymmetricHeap::Place SymmetricHeap::reserve(Team& team, const Wish& wish, IdPool& ids) {
  // No lock is held over the collectives: waiting there may run continuations that allocate.
  while (true) {
    Request request{true, wish.nbytes, wish.error};
    const Offer offer = agree(team, request, ids);
    const Taken mine = take(offer, request, wish.nbytes, ids);
    const Taken all = least(team, mine);
    const std::int16_t id = IdPool::id_of(offer.serial);
    const std::uint64_t begin = offer.offset + into_page(id);
    if (all == Taken::yes) return {begin, request.nbytes, id};
    if (mine != Taken::too_late) release(begin, id, ids);
    if (all == Taken::no_memory) {
      throw_error(DART_ERR_NOMEM, "the system has no memory for {} bytes on each unit of team {}",
                  request.nbytes, team.id());
    }
  }
}

std::int16_t SymmetricHeap::reserve_id(Team& team, const Wish& wish, IdPool& ids) {
  while (true) {
    Request request{false, 0, wish.error};
    const Offer offer = agree(team, request, ids);
    const Taken mine = take(offer, request, 0, ids);
    const std::int16_t id = IdPool::id_of(offer.serial);
    if (least(team, mine) == Taken::yes) return id;
    if (mine == Taken::yes) release_id(id, ids);
  }
}

void SymmetricHeap::release(std::uint64_t offset, std::int16_t id, IdPool& ids) noexcept {
  const std::lock_guard lock(_mutex);
  const std::uint64_t first_page = offset - into_page(id);
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
