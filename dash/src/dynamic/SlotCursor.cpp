#include "dash/internal/dynamic/SlotCursor.h"

#include <algorithm>

namespace dash::internal {

namespace {

constexpr std::size_t window_bytes = 8192;

}  // namespace

SlotCursor::Window& SlotCursor::own_window() const {
  // Copies of the cursor may be reading the window.
  if (!_window || _window.use_count() != 1) _window = std::make_shared<Window>();
  return *_window;
}

std::uint32_t SlotCursor::end() const {
  if (_slots->on_node(_unit)) return _slots->end(_unit);
  if (!_window || _window->unit != _unit || _window->end == 0) {
    Window& window = own_window();
    window.unit = _unit;
    window.count = 0;
    window.end = _slots->end(_unit);
  }
  return _window->end;
}

/// Fetches `count` slots from window.first on, whose unit may change them at the same time. A get has no order among its
/// words, so it may copy the header of one element and the content of another one. An element is whole in a get if an
/// earlier and a later get have the same header, which says that it is live, or if two successive gets are equal. All
/// other slots count as unused: their elements are inserted or erased during the call.
void SlotCursor::fetch(Window& window, std::uint32_t count) const {
  const std::size_t slot_words = _slots->slot_bytes() / sizeof(std::uint64_t);
  window.count = 0;  // while an allocation may fail
  const auto get = [&](std::vector<std::uint64_t>& words) {
    words.resize(count * slot_words);
    count = _slots->copy_slots(_unit, window.first, count, reinterpret_cast<char*>(words.data()));
    words.resize(count * slot_words);
  };
  std::vector<std::uint64_t> before;
  get(before);
  get(window.words);
  std::vector<std::uint64_t> after;
  if (before != window.words) get(after);
  for (std::size_t header = 0; header < after.size(); header += slot_words) {
    const auto* const slot = window.words.data() + header;
    if (std::equal(slot, slot + slot_words, before.data() + header)) continue;
    if (before[header] == after[header] && SlotHeader::is_live(after[header]))
      window.words[header] = after[header];
    else
      window.words[header] = SlotHeader::unused;
  }
  window.count = count;
}

const char* SlotCursor::fetched() const {
  if (!_window || _window->unit != _unit || _slot < _window->first ||
      _slot - _window->first >= _window->count) {
    const std::uint32_t last = end();
    const std::size_t slot_bytes = _slots->slot_bytes();
    const auto most =
        static_cast<std::uint32_t>(std::max<std::size_t>(1, window_bytes / slot_bytes));
    // Fetches the slots after the current one, or before it if the cursor moves backward.
    const bool backward = _window->count != 0 && _slot < _window->first;
    const std::uint32_t first =
        backward ? std::max(_slots->first_of_segment(_slot), _slot - std::min(_slot, most - 1))
                 : _slot;
    const std::uint32_t count = std::min(most, std::max(last, _slot + 1) - first);
    Window& window = own_window();
    window.unit = _unit;
    window.end = last;
    window.first = first;
    fetch(window, count);
  }
  return reinterpret_cast<const char*>(_window->words.data()) +
         std::size_t{_slot - _window->first} * _slots->slot_bytes();
}

bool SlotCursor::is_live() const {
  const char* const slot = _slots->on_node(_unit) ? _slots->slot_if_any(_unit, _slot) : fetched();
  return slot != nullptr && SlotHeader::is_live(reinterpret_cast<const SlotHeader*>(slot)->load());
}

const void* SlotCursor::content() const {
  if (_slots->on_node(_unit)) return _slots->content(_unit, _slot);
  if (!_window) {
    // The cursor has not been moved, so the caller needs only this element, which is not erased.
    Window& window = own_window();
    window.unit = _unit;
    window.first = _slot;
    window.words.resize(_slots->slot_bytes() / sizeof(std::uint64_t));
    window.count =
        _slots->copy_slots(_unit, _slot, 1, reinterpret_cast<char*>(window.words.data()));
  }
  return fetched() + _slots->content_offset();
}

void SlotCursor::find_forward() {
  const auto nunits = static_cast<dart_unit_t>(_slots->team().size());
  for (; _unit.id < nunits; _unit = team_unit_t(_unit.id + 1), _slot = 0) {
    for (const std::uint32_t last = end(); _slot < last; ++_slot) {
      if (is_live()) return;
    }
  }
  _slot = 0;
}

void SlotCursor::previous() {
  const auto nunits = static_cast<dart_unit_t>(_slots->team().size());
  while (true) {
    while (_slot == 0) {
      if (_unit.id == 0) return;
      _unit = team_unit_t(_unit.id - 1);
      if (_unit.id < nunits) _slot = end();
    }
    --_slot;
    if (is_live()) return;
  }
}

}  // namespace dash::internal
