#include "dash/memory/GlobalSegment.h"

#include <algorithm>
#include <atomic>
#include <numeric>
#include <utility>

#include "dash/Exception.h"
#include "dash/dart/Access.h"
#include "dash/dart/Collective.h"
#include "dash/dart/if/dart.h"
#include "dash/internal/element/ElementAccess.h"

namespace dash::internal {

constinit std::atomic<const GlobalSegment*> GlobalSegment::registry[65536]{};

LocalSizes::LocalSizes(const std::vector<std::size_t>& nbytes) : _nunits(nbytes.size()) {
  if (nbytes.empty()) return;
  _common = nbytes.front();
  const bool equal = std::all_of(nbytes.begin(), nbytes.end(),
                                 [this](std::size_t size) { return size == _common; });
  if (equal) return;
  _each = std::make_unique<std::size_t[]>(_nunits);
  std::copy(nbytes.begin(), nbytes.end(), _each.get());
}

std::size_t LocalSizes::maximum() const noexcept {
  return is_common() ? _common : *std::max_element(_each.get(), _each.get() + _nunits);
}

std::size_t LocalSizes::sum() const noexcept {
  return is_common() ? _common * _nunits
                     : std::accumulate(_each.get(), _each.get() + _nunits, std::size_t{0});
}

GlobalSegment::GlobalSegment(GlobalSegment&& other) noexcept
    : _team(other._team),
      _parts(std::move(other._parts)),
      _num_parts(std::exchange(other._num_parts, 0)),
      _entry(std::exchange(other._entry, &no_segment)),
      _begin(std::exchange(other._begin, DART_GPTR_NULL)),
      _local_begin(std::exchange(other._local_begin, nullptr)),
      _sizes(std::exchange(other._sizes, LocalSizes())) {
  publish(this);
}

GlobalSegment& GlobalSegment::operator=(GlobalSegment&& other) noexcept {
  if (this == &other) return *this;
  publish(nullptr);
  _team = other._team;
  _parts = std::move(other._parts);
  _num_parts = std::exchange(other._num_parts, 0);
  _entry = std::exchange(other._entry, &no_segment);
  _begin = std::exchange(other._begin, DART_GPTR_NULL);
  _local_begin = std::exchange(other._local_begin, nullptr);
  _sizes = std::exchange(other._sizes, LocalSizes());
  publish(this);
  return *this;
}

GlobalSegment::~GlobalSegment() {
  publish(nullptr);
}

void GlobalSegment::publish(GlobalSegment* segment) const noexcept {
  if (is_allocated()) entry(_begin.segid).store(segment, std::memory_order_release);
}

void GlobalSegment::allocate(LocalSizes sizes) {
  if (_team->size() == 0) {
    DASH_THROW(dash::exception::InvalidArgument,
               "global memory cannot be allocated by a team without units ("
                   << (_team->is_null() ? "Team::Null()" : "dash::init has not been called")
                   << ")");
  }
  if (is_allocated()) {
    DASH_THROW(dash::exception::InvalidArgument,
               "memory of " << _sizes.sum() << " bytes is already allocated; deallocate it "
                            << "before the next allocation");
  }
  dart_gptr_t gptr = DART_GPTR_NULL;
  check(dart_team_memalloc_aligned(_team->dart_id(), sizes.maximum(), DART_TYPE_BYTE, &gptr),
        "allocation of global memory");
  _begin = gptr;
  _entry = &dart::segment_of(gptr);
  find_parts();
  _sizes = std::move(sizes);
  _local_begin = dart::on_node_address(gptr_at(_team->myid(), 0), 0);
  publish(this);
}

void GlobalSegment::find_parts() {
  const std::size_t nunits = _team->size();
  if (nunits > max_cached_parts) return;
  _parts = std::make_unique<char*[]>(nunits);
  for (std::size_t unit = 0; unit < nunits; ++unit) {
    _parts[unit] = static_cast<char*>(
        dart::uncounted_address(gptr_at(team_unit_t(static_cast<dart_unit_t>(unit)), 0), 0));
  }
  _num_parts = static_cast<std::uint32_t>(nunits);
}

void* GlobalSegment::mapped_part(team_unit_t unit) const noexcept {
  return is_allocated() ? dart::on_node_address(gptr_at(unit, 0), 0) : nullptr;
}

void GlobalSegment::allocate_local(std::size_t nbytes) {
  std::vector<std::size_t> sizes(std::max<std::size_t>(_team->size(), 1));
  if (_team->size() > 0) {
    _team->collectives().allgather(&nbytes, sizes.data(), sizeof(nbytes));
  }
  allocate(LocalSizes(sizes));
}

void GlobalSegment::deallocate() {
  if (!is_allocated()) return;
  publish(nullptr);
  const dart_gptr_t gptr = std::exchange(_begin, DART_GPTR_NULL);
  _entry = &no_segment;
  _num_parts = 0;
  _parts.reset();
  _local_begin = nullptr;
  _sizes = LocalSizes();
  check(dart_team_memfree(gptr), "deallocation of global memory");
}

void GlobalSegment::check_unit(team_unit_t unit) const {
  if (unit >= 0 && unit < _team->size()) return;
  DASH_THROW(dash::exception::OutOfRange,
             "unit " << unit << " is out of range; the team has " << _team->size() << " units");
}

void GlobalSegment::flush() const {
  if (is_allocated()) check(dart_flush_all(_begin), "flush");
}

void GlobalSegment::flush(team_unit_t unit) const {
  check_unit(unit);
  if (is_allocated()) check(dart_flush(gptr_at(unit, 0)), "flush");
}

void GlobalSegment::flush_local() const {
  if (is_allocated()) check(dart_flush_local_all(_begin), "flush_local");
}

void GlobalSegment::flush_local(team_unit_t unit) const {
  check_unit(unit);
  if (is_allocated()) check(dart_flush_local(gptr_at(unit, 0)), "flush_local");
}

GptrWords advance_to_unit(const GlobalSegment& segment, GptrWords gptr,
                          std::int64_t nbytes) noexcept {
  const LocalSizes& sizes = segment.sizes();
  const auto nunits = static_cast<std::int64_t>(sizes.nunits());
  std::int64_t unit = gptr.unit();
  std::int64_t offset = static_cast<std::int64_t>(gptr.offset) + nbytes;
  const auto size_of = [&sizes](std::int64_t at) {
    return static_cast<std::int64_t>(sizes.of(static_cast<std::size_t>(at)));
  };
  if (sizes.is_common() && sizes.of(0) > 0) {
    // Skips many units at once. The loops below then take at most one step.
    const std::int64_t units = std::clamp(unit + offset / size_of(0), std::int64_t{0}, nunits);
    offset -= (units - unit) * size_of(0);
    unit = units;
  }
  for (; unit < nunits && offset >= size_of(unit); ++unit)
    offset -= size_of(unit);
  for (; unit > 0 && offset < 0;)
    offset += size_of(--unit);
  GptrWords result(gptr.ids, static_cast<std::uint64_t>(offset));
  result.set_unit(static_cast<dart_unit_t>(unit));
  return result;
}

std::int64_t distance_of_units(GptrWords a, GptrWords b) noexcept {
  const auto offsets = static_cast<std::int64_t>(b.offset) - static_cast<std::int64_t>(a.offset);
  const GlobalSegment* segment = GlobalSegment::find(a);
  if (segment == nullptr) return offsets;
  if (a.unit() > b.unit()) return -distance_of_units(b, a);
  const LocalSizes& sizes = segment->sizes();
  if (sizes.is_common()) {
    return (b.unit() - a.unit()) * static_cast<std::int64_t>(sizes.of(0)) + offsets;
  }
  std::int64_t units = 0;
  for (auto unit = a.unit(); unit < b.unit(); ++unit) {
    units += static_cast<std::int64_t>(sizes.of(static_cast<std::size_t>(unit)));
  }
  return units + offsets;
}

bool is_local(const dart_gptr_t& gptr) noexcept {
  dart_team_unit_t myid;
  return dart_team_myid(gptr.teamid, &myid) == DART_OK && gptr.unitid == myid.id;
}

void* local_address(const dart_gptr_t& gptr) noexcept {
  void* address = nullptr;
  return dart_gptr_getaddr(gptr, &address) == DART_OK ? address : nullptr;
}

}  // namespace dash::internal
