#include "dash/internal/dynamic/SlotStore.h"

#include <algorithm>

#include "dash/Exception.h"
#include "dash/dart/Collective.h"
#include "dash/dart/if/dart.h"
#include "dash/internal/element/ElementAccess.h"

namespace dash::internal {

namespace {

constexpr std::size_t round_up(std::size_t n, std::size_t multiple) noexcept {
  return (n + multiple - 1) / multiple * multiple;
}

/// The maximum of the units' numbers, because a slot number must identify the same segment on all
/// units.
std::size_t agreed_first_slots(std::size_t mine, const Team& team) {
  std::size_t max_slots_of_all = mine;
  if (team.size() != 0) {
    team.collectives().allreduce(&mine, &max_slots_of_all, 1, DART_TYPE_SIZET, DART_OP_MAX);
  }
  if (max_slots_of_all > SlotStore::max_slots) {
    DASH_THROW(exception::InvalidArgument, "a container with "
                                               << max_slots_of_all
                                               << " initial elements per unit; expected at most "
                                               << SlotStore::max_slots);
  }
  return max_slots_of_all;
}

}  // namespace

void throw_not_allocated(const char* container) {
  DASH_THROW(exception::RuntimeError, container << " is not allocated");
}

SlotStore::SlotStore(const Layout& layout, Team& team) : _segment(team) {
  const std::size_t alignment = std::max(layout.content_alignment, sizeof(std::uint64_t));
  _content_offset = round_up(sizeof(SlotHeader), alignment);
  _link_offset = _content_offset + round_up(layout.content_bytes, sizeof(std::uint64_t));
  _slot_bytes = round_up(_link_offset + sizeof(std::uint32_t), alignment);
  _requested_slots = agreed_first_slots(layout.first_slots, team);
  _log2_first =
      static_cast<unsigned>(std::bit_width(std::max<std::size_t>(_requested_slots, 2 * chunk) - 1));
  const std::size_t nunits = team.size();
  const std::size_t counters_offset = sizeof(Shared);
  _extra_offset = round_up(counters_offset + nunits * sizeof(Counters), core::cache_line_size);
  _segment.allocate(LocalSizes(_extra_offset + layout.extra_bytes, nunits));
  _counters =
      reinterpret_cast<Counters*>(static_cast<char*>(_segment.local_begin()) + counters_offset);
  for (std::size_t unit = 0; unit < nunits; ++unit) {
    const team_unit_t id(static_cast<dart_unit_t>(unit));
    void* const shared = dart::on_node_address(_segment.gptr_at(id, 0), sizeof(Shared));
    _shared.push_back(static_cast<Shared*>(shared));
    _views.push_back(shared == nullptr ? nullptr : std::make_unique<View>());
    _indices_on_node.push_back(shared == nullptr ? none
                                                 : static_cast<std::uint32_t>(_node_units.size()));
    if (shared != nullptr) _node_units.push_back(id);
  }
  _remote_segments.resize(nunits);
}

SlotStore::~SlotStore() = default;

void SlotStore::free() {
  if (!_segment.is_allocated()) return;
  _segment.deallocate();
  for (const dart_gptr_t& gptr : _allocated)
    dart_memfree(gptr);
  _allocated.clear();
}

char* SlotStore::find_segment(team_unit_t unit, unsigned segment) const noexcept {
  const PoolPointer pointer(shared_of(unit)->segments[segment].load(std::memory_order_acquire));
  char* const base = pointer.address();
  view(unit).bases[segment].store(base, std::memory_order_release);
  return base;
}

PoolPointer SlotStore::find_remote_segment(team_unit_t unit, unsigned segment) const {
  if (const Shared* const shared = shared_of(unit)) {
    return PoolPointer(shared->segments[segment].load(std::memory_order_acquire));
  }
  auto& known = _remote_segments[static_cast<std::size_t>(unit.id)];
  {
    const std::lock_guard lock(_mutex);
    if (known && (*known)[segment] != 0) return PoolPointer((*known)[segment]);
  }
  const auto word =
      load<std::uint64_t>(_segment.gptr_at(unit, offsetof(Shared, segments) + segment * 8));
  const std::lock_guard lock(_mutex);
  if (!known) known = std::make_unique<std::array<std::uint64_t, max_segments>>();
  (*known)[segment] = word;
  return PoolPointer(word);
}

dart_gptr_t SlotStore::content_gptr(team_unit_t unit, std::uint32_t index) const {
  const auto [segment, offset] = split(index);
  return find_remote_segment(unit, segment)
      .gptr(std::uint64_t{offset} * _slot_bytes + _content_offset);
}

std::uint32_t SlotStore::end(team_unit_t unit) const {
  if (const Shared* const shared = shared_of(unit)) {
    return static_cast<std::uint32_t>(shared->reserved.load(std::memory_order_acquire));
  }
  return static_cast<std::uint32_t>(
      load<std::uint64_t>(_segment.gptr_at(unit, offsetof(Shared, reserved))));
}

std::size_t SlotStore::capacity(team_unit_t unit) const {
  std::array<std::uint64_t, max_segments> words{};
  if (const Shared* const shared = shared_of(unit)) {
    for (std::size_t i = 0; i < max_segments; ++i)
      words[i] = shared->segments[i].load(std::memory_order_relaxed);
  } else {
    dart::get_blocking(words.data(), _segment.gptr_at(unit, offsetof(Shared, segments)),
                       sizeof words);
  }
  std::size_t sum = 0;
  for (std::size_t i = 0; i < max_segments; ++i) {
    if (words[i] != 0) sum += std::size_t{1} << (i + _log2_first);
  }
  return sum;
}

std::uint32_t SlotStore::copy_slots(team_unit_t unit, std::uint32_t first, std::uint32_t count,
                                    char* dest) const {
  const auto [segment, offset] = split(first);
  const std::uint64_t size = std::uint64_t{1} << (segment + _log2_first);
  const auto n = static_cast<std::uint32_t>(std::min<std::uint64_t>(count, size - offset));
  const PoolPointer pointer = find_remote_segment(unit, segment);
  if (!pointer) {
    // The unit that reserved the slots could not allocate the segment.
    std::fill_n(dest, n * _slot_bytes, char{0});
    return n;
  }
  const dart_gptr_t gptr = pointer.gptr(std::uint64_t{offset} * _slot_bytes);
  dart::get_blocking(dest, gptr, n * _slot_bytes);
  return n;
}

void SlotStore::ensure_segment(team_unit_t unit, unsigned segment) {
  std::atomic<std::uint64_t>& word = shared_of(unit)->segments[segment];
  if (word.load(std::memory_order_acquire) != 0) return;
  dart_gptr_t gptr = DART_GPTR_NULL;
  check(dart_memalloc(_slot_bytes << (segment + _log2_first), DART_TYPE_BYTE, &gptr),
        "growth of a container");
  std::uint64_t expected = 0;
  const PoolPointer pointer(gptr, segment);
  if (word.compare_exchange_strong(expected, pointer.word(), std::memory_order_acq_rel)) {
    const std::lock_guard lock(_mutex);
    _allocated.push_back(gptr);
  } else {
    dart_memfree(gptr);
  }
}

/// The next slot of a chunk, or none if the chunk is exhausted. Memory order acquire: the caller sees
/// the segment that the thread that reserved the chunk has allocated or found.
std::uint32_t SlotStore::next_in_chunk(std::atomic<std::uint64_t>& cursor) noexcept {
  std::uint64_t seen = cursor.load(std::memory_order_relaxed);
  while ((seen >> 32) != 0) {
    // High half: number of remaining slots; low half: next slot.
    const std::uint64_t next = seen - (std::uint64_t{1} << 32) + 1;
    if (cursor.compare_exchange_weak(seen, next, std::memory_order_acquire,
                                     std::memory_order_relaxed)) {
      return static_cast<std::uint32_t>(seen);
    }
  }
  return none;
}

std::uint32_t SlotStore::pop_free(team_unit_t unit) noexcept {
  std::atomic<std::uint64_t>& head = shared_of(unit)->free;
  // Acquire: pairs with the release in recycle(), so the caller sees the ended element and the link. All changes of
  // the head are read-modify-writes, which continue the release sequence of each recycle().
  std::uint64_t seen = head.load(std::memory_order_acquire);
  while (static_cast<std::uint32_t>(seen) != 0) {
    const std::uint32_t index = static_cast<std::uint32_t>(seen) - 1;
    // If another thread acquires the slot concurrently, the link may be out of date. Then the
    // modification count differs and the exchange fails.
    const std::uint64_t next = link(unit, index).load(std::memory_order_relaxed);
    if (head.compare_exchange_weak(seen, ((seen >> 32) + 1) << 32 | next, std::memory_order_acquire,
                                   std::memory_order_acquire)) {
      return index;
    }
  }
  return none;
}

std::uint32_t SlotStore::reserve_chunk(team_unit_t unit) {
  const std::uint64_t first = shared_of(unit)->reserved.fetch_add(chunk, std::memory_order_relaxed);
  if (first + chunk > max_slots) {
    shared_of(unit)->reserved.fetch_sub(chunk, std::memory_order_relaxed);
    DASH_THROW(exception::RuntimeError,
               "unit " << unit << " has " << max_slots << " elements, which is the maximum");
  }
  ensure_segment(unit, split(static_cast<std::uint32_t>(first)).segment);
  std::uint64_t used_up = counters(unit).cursor.load(std::memory_order_relaxed);
  const std::uint64_t rest = std::uint64_t{chunk - 1} << 32 | (first + 1);
  // Memory order release: see next_in_chunk().
  if ((used_up >> 32) != 0 ||
      !counters(unit).cursor.compare_exchange_strong(used_up, rest, std::memory_order_release,
                                                     std::memory_order_relaxed)) {
    // Another thread of this unit has installed its chunk. Makes the rest of this one available.
    for (std::uint32_t i = 1; i < chunk; ++i)
      release(unit, static_cast<std::uint32_t>(first) + i);
  }
  return static_cast<std::uint32_t>(first);
}

std::uint32_t SlotStore::acquire(team_unit_t unit) {
  std::uint32_t index = next_in_chunk(counters(unit).cursor);
  if (index == none) index = pop_free(unit);
  if (index == none) index = reserve_chunk(unit);
  header(unit, index).begin();
  return index;
}

void SlotStore::recycle(team_unit_t unit, std::uint32_t index) noexcept {
  std::atomic<std::uint64_t>& head = shared_of(unit)->free;
  std::uint64_t seen = head.load(std::memory_order_relaxed);
  do {
    link(unit, index).store(static_cast<std::uint32_t>(seen), std::memory_order_relaxed);
  } while (!head.compare_exchange_weak(seen, ((seen >> 32) + 1) << 32 | (index + 1),
                                       std::memory_order_release, std::memory_order_relaxed));
}

std::size_t SlotStore::live(team_unit_t unit) const noexcept {
  std::uint32_t sum = 0;
  for (const team_unit_t other : _node_units) {
    const auto* const unit_counters = reinterpret_cast<const Counters*>(shared_of(other) + 1);
    sum += static_cast<std::uint32_t>(
        unit_counters[static_cast<std::size_t>(unit.id)].counts.load(std::memory_order_relaxed));
  }
  // Inconsistent snapshots of the counters may yield a negative sum.
  return sum > max_slots ? 0 : sum;
}

}  // namespace dash::internal
