#include "network/rma/PendingList.h"

namespace dash::dart {

void PendingList::add(Entry& entry, exec::State& state, std::int16_t segment,
                      std::int32_t unit) noexcept {
  entry._list = this;
  entry._state = &state;
  entry._segment = segment;
  entry._unit = unit;
  Entry*& first = _lists[list_of(segment, unit)];
  std::lock_guard lock(_lock);
  entry._serial = _next_serial++;
  entry._next = first;
  if (first != nullptr) first->_previous = &entry;
  first = &entry;
  // Release: a thread that reads 0 with acquire sees the effects of all removed operations. The lock orders the
  // stores.
  if (unit == any_unit) _of_any_unit.fetch_add(1, std::memory_order_release);
  _size.store(_size.load(std::memory_order_relaxed) + 1, std::memory_order_release);
}

void PendingList::remove(Entry& entry) noexcept {
  std::lock_guard lock(_lock);
  if (entry._previous != nullptr) {
    entry._previous->_next = entry._next;
  } else {
    _lists[list_of(entry._segment, entry._unit)] = entry._next;
  }
  if (entry._next != nullptr) entry._next->_previous = entry._previous;
  if (entry._unit == any_unit) _of_any_unit.fetch_sub(1, std::memory_order_release);
  _size.store(_size.load(std::memory_order_relaxed) - 1, std::memory_order_release);
}

}  // namespace dash::dart
