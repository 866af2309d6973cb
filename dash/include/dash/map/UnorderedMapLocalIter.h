#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>

#include "dash/internal/dynamic/SlotStore.h"

namespace dash {

/// Iterates over the elements of an UnorderedMap that the caller owns. They are native memory and
/// do not move. An iterator is valid until its element is erased.
/// \ingroup iterators
template <class Key, class Mapped>
class UnorderedMapLocalIter {
 public:
  using iterator_category = std::forward_iterator_tag;
  using value_type = std::pair<const Key, Mapped>;
  using difference_type = std::ptrdiff_t;
  using index_type = std::ptrdiff_t;
  using reference = value_type&;
  using pointer = value_type*;

  /// The unit that owns an element, which is the caller, and the number of the element's slot.
  struct local_index {
    team_unit_t unit;  ///< the caller
    index_type index;  ///< number of the slot
  };

  UnorderedMapLocalIter() noexcept = default;
  /// \param slot  slot of an element, or SlotStore::none for the end
  UnorderedMapLocalIter(const internal::SlotStore& slots, std::uint32_t slot) noexcept
      : _slots(&slots), _unit(slots.team().myid()), _slot(slot) {}

  /// Used by the library: an iterator to the caller's first element, or the end.
  static UnorderedMapLocalIter first(const internal::SlotStore& slots) noexcept {
    UnorderedMapLocalIter it(slots, 0);
    it.find_forward();
    return it;
  }

  /// The element.
  /// \pre not the end
  reference operator*() const noexcept { return *local(); }
  /// Native pointer to the element.
  /// \pre not the end
  pointer operator->() const noexcept { return local(); }
  /// Native pointer to the element.
  /// \pre not the end
  pointer local() const noexcept {
    return reinterpret_cast<value_type*>(_slots->content(_unit, _slot));
  }
  /// As local().
  explicit operator pointer() const noexcept { return local(); }
  /// Always true.
  static constexpr bool is_local() noexcept { return true; }
  /// The caller, and the number of the element's slot, which does not change until it is erased.
  local_index lpos() const noexcept { return {_unit, _slot}; }
  /// The element's address in the C interface.
  /// \pre not the end
  dart_gptr_t dart_gptr() const { return _slots->content_gptr(_unit, _slot); }
  /// The number of the caller's elements that precede it. \cost linear in the result
  index_type pos() const noexcept {
    index_type n = 0;
    for (UnorderedMapLocalIter it = first(*_slots); it._slot < _slot; ++it)
      ++n;
    return n;
  }

  /// Moves to the next element.
  UnorderedMapLocalIter& operator++() noexcept {
    ++_slot;
    find_forward();
    return *this;
  }
  /// Moves to the next element; returns the previous value.
  UnorderedMapLocalIter operator++(int) noexcept {
    UnorderedMapLocalIter before = *this;
    ++*this;
    return before;
  }
  /// Moves forward by n elements, which must not be negative. \cost linear in n
  UnorderedMapLocalIter& operator+=(difference_type n) noexcept {
    for (; n > 0; --n)
      ++*this;
    return *this;
  }
  friend UnorderedMapLocalIter operator+(UnorderedMapLocalIter it, difference_type n) noexcept {
    return it += n;
  }
  friend difference_type operator-(const UnorderedMapLocalIter& a,
                                   const UnorderedMapLocalIter& b) noexcept {
    return a.pos() - b.pos();
  }

  friend bool operator==(const UnorderedMapLocalIter& a, const UnorderedMapLocalIter& b) noexcept {
    return a._slot == b._slot && a._slots == b._slots;
  }

 private:
  void find_forward() noexcept {
    for (const std::uint32_t last = _slots->end(_unit); _slot < last; ++_slot) {
      const char* const slot = _slots->slot_if_any(_unit, _slot);
      if (slot != nullptr && internal::SlotHeader::is_live(
                                 reinterpret_cast<const internal::SlotHeader*>(slot)->load()))
        return;
    }
    _slot = internal::SlotStore::none;
  }

  const internal::SlotStore* _slots = nullptr;
  team_unit_t _unit{0};
  std::uint32_t _slot = internal::SlotStore::none;
};

}  // namespace dash
