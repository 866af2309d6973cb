#pragma once

#include <compare>
#include <cstddef>
#include <iosfwd>
#include <type_traits>

#include "dash/GlobRef.h"
#include "dash/Types.h"
#include "dash/atomic/TypeTraits.h"
#include "dash/dart/if/dart_globmem.h"
#include "dash/internal/Unit.h"
#include "dash/internal/element/GptrWords.h"
#include "dash/memory/GlobalSegment.h"
#include "dash/memory/MemorySpace.h"

/// Prints the components of a global pointer.
/// \ingroup iterators
template <class Char, class Traits>
std::basic_ostream<Char, Traits>& operator<<(std::basic_ostream<Char, Traits>& os,
                                             const dart_gptr_t& gptr) {
  return os << "dart_gptr(unit " << gptr.unitid << ", team " << gptr.teamid << ", segment "
            << gptr.segid << ", offset " << gptr.addr_or_offs.offset << ')';
}

/// Whether unit, team, segment and offset of two global pointers are equal.
/// \ingroup iterators
inline bool operator==(const dart_gptr_t& a, const dart_gptr_t& b) noexcept {
  return DART_GPTR_EQUAL(a, b);
}

namespace dash {

/// Points to an element of global memory on any unit. A value type of 16 bytes: it can be stored in
/// global memory and sent to other units of its team.
///
/// Arithmetic counts elements in the order of units: the last element of a unit is followed by the
/// first element of the next unit. It does not consider patterns; GlobIter does.
/// \tparam T  may be const or void  \tparam GlobMemT  the kind of global memory
/// \threads externally synchronized per object
/// \ingroup iterators
template <class T, class GlobMemT = GlobStaticMem<HostSpace>>
class GlobPtr {
  template <class From>
  static constexpr bool converts_from =
      std::is_convertible_v<remove_atomic_t<From>*, remove_atomic_t<T>*> ||
      (std::is_base_of_v<std::remove_const_t<From>, std::remove_const_t<T>> &&
       (std::is_const_v<T> || !std::is_const_v<From>)) ||
      (std::is_void_v<std::remove_cv_t<From>> && (std::is_const_v<T> || !std::is_const_v<From>));

  using element_type = std::conditional_t<std::is_void_v<T>, unsigned char, T>;
  static constexpr std::size_t element_size = sizeof(element_type);

 public:
  using value_type = T;
  using const_type = GlobPtr<const T, GlobMemT>;
  using index_type = default_index_t;
  using size_type = default_size_t;
  using gptrdiff_t = dash::gptrdiff_t;
  using difference_type = dash::gptrdiff_t;
  using local_type = T*;
  /// Native pointer to const T.
  using const_local_type = const T*;
  using memory_type = GlobMemT;
  /// The same kind of pointer for elements of type U.
  template <class U>
  using rebind = GlobPtr<U, GlobMemT>;

  /// The null pointer.
  constexpr GlobPtr() noexcept = default;
  /// The null pointer.
  explicit constexpr GlobPtr(std::nullptr_t) noexcept {}
  /// Points to the element at a global pointer of the C interface.
  explicit constexpr GlobPtr(const dart_gptr_t& gptr) noexcept : _words(gptr) {}

  /// Converts like native pointers, and in addition from void, between T and `Atomic<T>`, and, as in DASH 0.4, from a
  /// base class to a derived class, where the element has to be of the derived class.
  template <class From>
  requires(!std::is_same_v<From, T> && converts_from<From>) constexpr GlobPtr(
      const GlobPtr<From, GlobMemT>& other) noexcept  // NOLINT: as DASH's
      : _words(other.words()) {}

  /// Assigns the null pointer.
  constexpr GlobPtr& operator=(std::nullptr_t) noexcept {
    _words = null;
    return *this;
  }

  /// The pointer as a global pointer of the C interface.
  constexpr dart_gptr_t dart_gptr() const noexcept { return _words.gptr(); }
  /// As dart_gptr().
  explicit constexpr operator dart_gptr_t() const noexcept { return dart_gptr(); }
  /// Whether the pointer is not null.
  explicit constexpr operator bool() const noexcept { return !_words.is_null(); }

  /// Native pointer if the element is local to the caller, otherwise nullptr.
  T* local() const noexcept { return static_cast<T*>(internal::local_address(dart_gptr())); }
  /// As local().
  explicit operator T*() const noexcept { return local(); }
  /// Whether the element is local to the caller.
  bool is_local() const noexcept { return internal::is_local(dart_gptr()); }

  /// Native pointer to the n elements that start here if one unit on the caller's node, which may
  /// be the caller, holds them; otherwise nullptr. The memory is shared: reads of data that another
  /// unit writes need one of the orders of docs/explanation/memory-model.md. Valid until the memory
  /// is deallocated. For `GlobPtr<void>`, n counts bytes.
  /// \blocks never  \threads thread-safe  \cost a few loads
  T* on_node_address(size_type n = 1) const noexcept {
    return static_cast<T*>(internal::on_node_elements(_words, n, element_size));
  }

  /// Id of the unit, relative to the team that owns the memory.
  team_unit_t get_unit() const noexcept { return team_unit_t(_words.unit()); }
  /// Changes the unit and keeps the offset.
  void set_unit(internal::TeamUnitArgument unit) noexcept { _words.set_unit(team_unit_t(unit).id); }

  /// A reference to the element.
  GlobRef<T> operator*() noexcept requires(!std::is_void_v<T>) {
    return GlobRef<T>(_words, nullptr);
  }
  /// A read-only reference to the element.
  GlobRef<const T> operator*() const noexcept requires(!std::is_void_v<T>) {
    return GlobRef<const T>(_words, nullptr);
  }
  /// A reference to the element at a distance of n, in the order of units.
  GlobRef<T> operator[](gptrdiff_t n) noexcept requires(!std::is_void_v<T>) { return *(*this + n); }
  /// A read-only reference to the element at a distance of n, in the order of units.
  GlobRef<const T> operator[](gptrdiff_t n) const noexcept requires(!std::is_void_v<T>) {
    return GlobRef<const T>((*this + n).words(), nullptr);
  }

  /// Advances by n elements, in the order of units.
  GlobPtr& operator+=(gptrdiff_t n) noexcept {
    _words = internal::advance(_words, n * static_cast<gptrdiff_t>(element_size));
    return *this;
  }
  /// Goes back by n elements, in the order of units.
  GlobPtr& operator-=(gptrdiff_t n) noexcept { return *this += -n; }
  /// Advances to the next element, in the order of units.
  GlobPtr& operator++() noexcept { return *this += 1; }
  /// Goes back to the previous element, in the order of units.
  GlobPtr& operator--() noexcept { return *this -= 1; }
  /// Advances to the next element, in the order of units.
  /// \returns the pointer before the call
  GlobPtr operator++(int) noexcept {
    GlobPtr before = *this;
    *this += 1;
    return before;
  }
  /// Goes back to the previous element, in the order of units.
  /// \returns the pointer before the call
  GlobPtr operator--(int) noexcept {
    GlobPtr before = *this;
    *this -= 1;
    return before;
  }
  friend GlobPtr operator+(GlobPtr p, gptrdiff_t n) noexcept { return p += n; }
  friend GlobPtr operator+(gptrdiff_t n, GlobPtr p) noexcept { return p += n; }
  friend GlobPtr operator-(GlobPtr p, gptrdiff_t n) noexcept { return p -= n; }

  /// Number of elements from `from` to this pointer, in the order of units.
  template <class U>
  requires(std::is_same_v<std::remove_cv_t<U>, std::remove_cv_t<T>>) gptrdiff_t operator-(
      const GlobPtr<U, GlobMemT>& from) const noexcept {
    return internal::distance(from.words(), _words) / static_cast<gptrdiff_t>(element_size);
  }

  template <class U>
  friend constexpr bool operator==(const GlobPtr& a, const GlobPtr<U, GlobMemT>& b) noexcept {
    return a._words == b.words();
  }
  friend constexpr bool operator==(const GlobPtr& p, std::nullptr_t) noexcept {
    return p._words.is_null();
  }
  /// Order within one segment: by unit, then by offset.
  template <class U>
  friend constexpr std::strong_ordering operator<=>(const GlobPtr& a,
                                                    const GlobPtr<U, GlobMemT>& b) noexcept {
    const internal::GptrWords other = b.words();
    if (const auto units = a._words.unit() <=> other.unit(); units != 0) return units;
    return a._words.offset <=> other.offset;
  }

  template <class Char, class Traits>
  friend std::basic_ostream<Char, Traits>& operator<<(std::basic_ostream<Char, Traits>& os,
                                                      const GlobPtr& p) {
    return os << "dash::GlobPtr(" << p.dart_gptr() << ')';
  }

  /// Like dart_gptr(). Not for users.
  constexpr internal::GptrWords words() const noexcept { return _words; }

 private:
  static constexpr internal::GptrWords null{DART_GPTR_NULL};

  internal::GptrWords _words = null;
};

/// Number of elements from first to last, in the order of units.
/// \ingroup iterators
template <class T, class U, class GlobMemT>
gptrdiff_t distance(const GlobPtr<T, GlobMemT>& first, const GlobPtr<U, GlobMemT>& last) noexcept {
  return last - first;
}

/// Native pointer to the beginning of the caller's memory in the segment of a pointer.
/// \returns nullptr unless `unit` is the caller
/// \ingroup iterators
template <class T, class GlobMemT>
T* local_begin(const GlobPtr<T, GlobMemT>& base, team_unit_t unit) noexcept {
  dart_gptr_t gptr = base.dart_gptr();
  gptr.unitid = unit.id;
  gptr.addr_or_offs.offset = 0;
  return static_cast<T*>(internal::local_address(gptr));
}

/// Pointer to the element that a reference refers to.
/// \ingroup iterators
template <class MemSpace = GlobStaticMem<HostSpace>, class T>
GlobPtr<T, MemSpace> addressof(const GlobRef<T>& ref) noexcept {
  return GlobPtr<T, MemSpace>(ref.dart_gptr());
}

}  // namespace dash
