#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "dash/core/Export.h"
#include "dash/internal/Unit.h"
#include "dash/internal/dynamic/SlotStore.h"

namespace dash::internal {

/// A position in the slots of all units, which advances from element to element in the order of
/// units, then slots. Elements that are inserted or erased concurrently may or may not be visited.
/// Slots of units on other nodes are fetched in batches, each by two or three gets.
/// \threads externally synchronized per object
class DASH_API SlotCursor {
 public:
  SlotCursor() noexcept = default;
  SlotCursor(const SlotStore& slots, team_unit_t unit, std::uint32_t slot) noexcept
      : _slots(&slots), _unit(unit), _slot(slot) {}

  static SlotCursor first(const SlotStore& slots) {
    SlotCursor cursor(slots, team_unit_t(0), 0);
    cursor.find_forward();
    return cursor;
  }
  /// The position past the last element.
  static SlotCursor last(const SlotStore& slots) noexcept {
    return {slots, team_unit_t(static_cast<dart_unit_t>(slots.team().size())), 0};
  }

  team_unit_t unit() const noexcept { return _unit; }
  std::uint32_t slot() const noexcept { return _slot; }
  const SlotStore& slots() const noexcept { return *_slots; }

  void next() {
    ++_slot;
    find_forward();
  }
  /// \pre there is a previous element
  void previous();

  /// The content of the element: its address if on this node, otherwise a fetched copy.
  const void* content() const;
  /// Address of the content if on this node, otherwise nullptr.
  char* content_on_node() const noexcept {
    return _slots->on_node(_unit) ? _slots->content(_unit, _slot) : nullptr;
  }

  friend bool operator==(const SlotCursor& a, const SlotCursor& b) noexcept {
    return a._slot == b._slot && a._unit.id == b._unit.id && a._slots == b._slots;
  }
  friend bool operator<(const SlotCursor& a, const SlotCursor& b) noexcept {
    return a._unit.id != b._unit.id ? a._unit.id < b._unit.id : a._slot < b._slot;
  }

 private:
  struct Window {
    team_unit_t unit{-1};
    std::uint32_t first = 0;
    std::uint32_t count = 0;
    std::uint32_t end = 0;  // past-the-end slot of the unit; 0 if it has not been fetched
    std::vector<std::uint64_t> words;
  };

  void find_forward();
  bool is_live() const;
  std::uint32_t end() const;
  void fetch(Window& window, std::uint32_t count) const;
  /// The cursor's slot in the window; fetches another window if necessary.
  /// \pre the unit is on another node
  const char* fetched() const;
  Window& own_window() const;

  const SlotStore* _slots = nullptr;
  team_unit_t _unit{0};
  std::uint32_t _slot = 0;
  mutable std::shared_ptr<Window>
      _window;  // shared by copies of an iterator until one of them fetches
};

}  // namespace dash::internal
