#include "dash/internal/dynamic/BucketHeap.h"

#include <algorithm>
#include <limits>

#include "dash/Exception.h"
#include "dash/dart/Access.h"
#include "dash/dart/if/dart.h"
#include "dash/internal/container/ContainerStorage.h"
#include "dash/internal/element/ElementAccess.h"
#include "dash/internal/team/Collective.h"

namespace dash::internal {

BucketHeap::BucketHeap(std::size_t element_bytes, Team& team)
    : _team(&team),
      _element_bytes(element_bytes),
      _others(team.size()),
      _offsets(team.size() + 1, 0) {
  if (team.size() == 0) return;
  team.register_deallocator(this, [this] {
    _registered = false;
    free_own();
  });
  _registered = true;
}

void* BucketHeap::grow(std::size_t nelem) {
  if (nelem == 0) return nullptr;
  if (nelem > std::numeric_limits<std::ptrdiff_t>::max() / _element_bytes) {
    throw_too_large(nelem, _element_bytes);
  }
  Bucket bucket;
  check(dart_memalloc(nelem * _element_bytes, DART_TYPE_BYTE, &bucket.gptr), "dash::GlobHeapMem");
  bucket.address = dart::on_node_address(bucket.gptr, 0);
  bucket.size = nelem;
  bucket.begin = own_size();
  _own.push_back(bucket);
  return bucket.address;
}

void BucketHeap::shrink(std::size_t nelem) {
  if (nelem > own_size()) {
    DASH_THROW(exception::OutOfRange, "dash::GlobHeapMem: cannot shrink by "
                                          << nelem << " elements, but the unit has " << own_size());
  }
  while (nelem != 0) {
    Bucket& last = _own.back();
    const std::size_t taken = std::min(nelem, last.size);
    last.size -= taken;
    nelem -= taken;
    if (last.size != 0) return;
    if (last.committed) {
      _released.push_back(last);
    } else {
      dart_memfree(last.gptr);
    }
    _own.pop_back();
  }
}

void BucketHeap::resize(std::size_t nelem) {
  if (nelem >= own_size()) {
    grow(nelem - own_size());
  } else {
    shrink(own_size() - nelem);
  }
}

void BucketHeap::exchange() {
  const std::size_t nunits = _team->size();
  std::vector<std::size_t> counts(nunits);
  const std::size_t mine = _own.size();
  allgather_bytes(&mine, counts.data(), sizeof mine, *_team);
  const std::size_t most = *std::max_element(counts.begin(), counts.end());
  Buckets send(_own);
  send.resize(most);
  Buckets received(most * nunits);
  if (most != 0) allgather_bytes(send.data(), received.data(), most * sizeof(Bucket), *_team);
  for (std::size_t unit = 0; unit < nunits; ++unit) {
    const auto first = received.begin() + static_cast<std::ptrdiff_t>(unit * most);
    Buckets& buckets = _others[unit];
    buckets.assign(first, first + static_cast<std::ptrdiff_t>(counts[unit]));
    std::size_t size = 0;
    for (Bucket& bucket : buckets) {
      bucket.address = dart::on_node_address(bucket.gptr, 0);
      size += bucket.size;
    }
    _offsets[unit + 1] = _offsets[unit] + size;
  }
}

void BucketHeap::commit() {
  if (_team->size() == 0) return;
  // Also ensures that no unit accesses released memory from here on.
  _team->barrier();
  exchange();
  for (Bucket& bucket : _own)
    bucket.committed = true;
  for (const Bucket& bucket : _released)
    dart_memfree(bucket.gptr);
  _released.clear();
}

void BucketHeap::free_own() noexcept {
  for (const Bucket& bucket : _own)
    dart_memfree(bucket.gptr);
  for (const Bucket& bucket : _released)
    dart_memfree(bucket.gptr);
  _own.clear();
  _released.clear();
  for (Buckets& buckets : _others)
    buckets.clear();
  std::fill(_offsets.begin(), _offsets.end(), 0);
}

void BucketHeap::deallocate() {
  if (!_registered) return;
  _registered = false;
  _team->unregister_deallocator(this);
  _team->barrier();
  free_own();
}

std::size_t BucketHeap::committed_own() const noexcept {
  if (_team->size() == 0) return 0;
  const auto me = static_cast<std::size_t>(_team->myid().id);
  return _offsets[me + 1] - _offsets[me];
}

void BucketHeap::check_unit(team_unit_t unit) const {
  if (static_cast<std::size_t>(unit.id) < _others.size()) return;
  DASH_THROW(exception::OutOfRange, "no unit " << unit << " in a team of " << _others.size());
}

std::size_t BucketHeap::size(team_unit_t unit) const {
  check_unit(unit);
  if (is_own(unit)) return own_size();
  const auto i = static_cast<std::size_t>(unit.id);
  return _offsets[i + 1] - _offsets[i];
}

std::size_t BucketHeap::begin_of(team_unit_t unit) const {
  check_unit(unit);
  const std::size_t committed = _offsets[static_cast<std::size_t>(unit.id)];
  return unit.id <= _team->myid().id ? committed : committed - committed_own() + own_size();
}

BucketHeap::LocalIndex BucketHeap::local_of(std::ptrdiff_t position) const {
  if (position < 0 || static_cast<std::size_t>(position) >= size()) {
    DASH_THROW(exception::OutOfRange,
               "element " << position << " is not in the dash::GlobHeapMem of size " << size());
  }
  auto at = static_cast<std::size_t>(position);
  const auto me = static_cast<std::size_t>(_team->myid().id);
  const std::size_t own_begin = _offsets[me];
  if (at >= own_begin && at < own_begin + own_size()) {
    return {_team->myid(), static_cast<std::ptrdiff_t>(at - own_begin)};
  }
  // Converts to the position with the caller's committed size.
  if (at >= own_begin) at = at + committed_own() - own_size();
  const auto after = std::upper_bound(_offsets.begin(), _offsets.end(), at);
  const auto unit = after - _offsets.begin() - 1;
  return {team_unit_t(static_cast<dart_unit_t>(unit)),
          static_cast<std::ptrdiff_t>(at - _offsets[static_cast<std::size_t>(unit)])};
}

const BucketHeap::Bucket* BucketHeap::find(const Buckets& buckets, std::ptrdiff_t index) noexcept {
  const auto after = std::upper_bound(
      buckets.begin(), buckets.end(), static_cast<std::size_t>(index),
      [](std::size_t at, const Bucket& bucket) { return at < bucket.begin + bucket.size; });
  return after == buckets.end() ? nullptr : &*after;
}

BucketHeap::Location BucketHeap::location_of(team_unit_t unit, std::ptrdiff_t index) const {
  const Buckets& buckets = is_own(unit) ? _own : _others[static_cast<std::size_t>(unit.id)];
  const Bucket* const bucket = index < 0 ? nullptr : find(buckets, index);
  if (bucket == nullptr) {
    DASH_THROW(exception::OutOfRange,
               "element " << index << " of unit " << unit << ", which has " << size(unit));
  }
  const std::size_t offset = (static_cast<std::size_t>(index) - bucket->begin) * _element_bytes;
  Location location{bucket->gptr, nullptr, unit};
  location.gptr.addr_or_offs.offset += offset;
  if (bucket->address != nullptr) location.address = static_cast<char*>(bucket->address) + offset;
  return location;
}

BucketHeap::Location BucketHeap::location_of(std::ptrdiff_t position) const {
  const LocalIndex local = local_of(position);
  return location_of(local.unit, local.index);
}

void* BucketHeap::local_address(std::ptrdiff_t index) const noexcept {
  const Bucket* const bucket = find(_own, index);
  if (bucket == nullptr) return nullptr;
  return static_cast<char*>(bucket->address) +
         (static_cast<std::size_t>(index) - bucket->begin) * _element_bytes;
}

}  // namespace dash::internal
