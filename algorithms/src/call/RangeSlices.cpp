#include "dash/algorithm/internal/call/RangeSlices.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <queue>
#include <utility>

#include "dash/internal/transfer/Transfer.h"

namespace dash::internal {

namespace {

default_index_t position_of(const unsigned char* element) {
  default_index_t position = 0;
  std::memcpy(&position, element, sizeof(position));
  return position;
}

}  // namespace

RangeSlices::RangeSlices(Team& team, std::size_t element_size, std::size_t capacity) noexcept
    : _team(&team), _element_size(element_size), _capacity(capacity), _memory(team) {}

RangeSlices::~RangeSlices() {
  _memory.deallocate();
}

std::size_t RangeSlices::list_offset() const {
  constexpr std::size_t alignment = alignof(std::max_align_t);
  return ((_team->size() + 1) * sizeof(std::size_t) + alignment - 1) / alignment * alignment;
}

unsigned char* RangeSlices::list() const {
  return static_cast<unsigned char*>(_memory.local_begin()) + list_offset();
}

void RangeSlices::publish(default_index_t begin, default_index_t end, const void* own,
                          std::size_t number) {
  if (!_memory.is_allocated())
    _memory.allocate(LocalSizes(list_offset() + _capacity * _element_size, _team->size()));
  const auto nunits = static_cast<default_index_t>(_team->size());
  const default_index_t length = (end - begin + nunits - 1) / nunits;
  const auto* const elements = static_cast<const unsigned char*>(own);
  // Written to the shared memory directly: an allocation might fail on one unit only, which is not
  // allowed between the collective steps.
  auto* const begins = static_cast<std::size_t*>(_memory.local_begin());
  std::size_t slot = 0;
  for (default_index_t slice = 0; slice <= nunits; ++slice) {
    const default_index_t from = std::min(begin + slice * length, end);
    while (slot < number && position_of(elements + slot * _element_size) < from)
      ++slot;
    begins[slice] = slot;
  }
  if (number > 0) std::memcpy(list(), own, number * _element_size);
  _team->barrier();
}

template <class Fn>
void RangeSlices::for_each_list(Fn fn) {
  // Each unit begins with itself, so that the units do not all access the same unit first.
  const std::size_t nunits = _team->size();
  for (std::size_t i = 0; i < nunits; ++i) {
    const std::size_t unit = (static_cast<std::size_t>(_team->myid().id) + i) % nunits;
    const std::size_t number = _begins[unit + 1] - _begins[unit];
    if (number == 0) continue;
    fn(_memory.gptr_at(team_unit_t(static_cast<dart_unit_t>(unit)), _offsets[unit]),
       _slice.data() + _begins[unit] * _element_size, number * _element_size);
  }
}

void RangeSlices::get() {
  const std::size_t nunits = _team->size();
  const auto slice = static_cast<std::size_t>(_team->myid().id);
  std::vector<std::size_t> ranges(2 * nunits);
  Transfer get_ranges(_team->myid(), Transfer::Mode::blocking);
  for (std::size_t unit = 0; unit < nunits; ++unit) {
    get_ranges.get(
        &ranges[2 * unit],
        _memory.gptr_at(team_unit_t(static_cast<dart_unit_t>(unit)), slice * sizeof(std::size_t)),
        2 * sizeof(std::size_t));
  }
  get_ranges.wait();
  _begins.assign(1, 0);
  _offsets.clear();
  for (std::size_t unit = 0; unit < nunits; ++unit) {
    _begins.push_back(_begins.back() + ranges[2 * unit + 1] - ranges[2 * unit]);
    _offsets.push_back(list_offset() + ranges[2 * unit] * _element_size);
  }
  _slice.resize(_begins.back() * _element_size);
  Transfer get_lists(_team->myid(), Transfer::Mode::blocking);
  for_each_list([&](const dart_gptr_t& from, void* list, std::size_t nbytes) {
    get_lists.get(list, from, nbytes);
  });
  get_lists.wait();
  find_order();
}

void RangeSlices::find_order() {
  using Next = std::pair<default_index_t, std::size_t>;  // position, unit
  std::priority_queue<Next, std::vector<Next>, std::greater<>> queue;
  std::vector<std::size_t> slots(_begins.begin(), _begins.end() - 1);
  const auto add = [&](std::size_t unit) {
    if (slots[unit] < _begins[unit + 1])
      queue.emplace(position_of(_slice.data() + slots[unit] * _element_size), unit);
  };
  for (std::size_t unit = 0; unit < slots.size(); ++unit)
    add(unit);
  _order.clear();
  while (!queue.empty()) {
    const std::size_t unit = queue.top().second;
    queue.pop();
    _order.push_back(slots[unit]++);
    add(unit);
  }
}

void RangeSlices::put() {
  Transfer put_lists(_team->myid(), Transfer::Mode::blocking);
  for_each_list([&](const dart_gptr_t& to, const void* list, std::size_t nbytes) {
    put_lists.put(to, list, nbytes);
  });
  put_lists.wait();
}

}  // namespace dash::internal
