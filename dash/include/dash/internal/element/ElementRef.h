#pragma once

#include <concepts>
#include <cstddef>
#include <iosfwd>
#include <type_traits>

#include "dash/dart/if/dart_globmem.h"
#include "dash/internal/element/ElementAccess.h"

namespace dash::internal {

/// Whether a reference to From converts implicitly to one to To: adds const or refers to a base
/// class.
template <class From, class To>
concept RefConvertible = !std::is_same_v<From, To> && std::is_convertible_v<From*, To*>;

/// Whether a reference to From converts explicitly to one to To: from a base to a derived class, or from a const
/// element to the same element, like const_cast.
template <class From, class To>
concept RefCastable =
    (!std::is_convertible_v<From*, To*> &&
     (std::is_const_v<To> ||
      !std::is_const_v<From>)&&std::is_base_of_v<std::remove_cv_t<From>, std::remove_cv_t<To>>) ||
    (std::is_const_v<From> && std::is_same_v<std::remove_const_t<From>, To>);

/// Base class of references to elements of global memory: the location of the element, and access
/// to its members. Constness is in T.
/// \tparam Ref  class template of the reference, with the element type as its parameter
/// \threads thread-safe
template <template <class> class Ref, class T>
class ElementRef {
 public:
  /// T, const.
  using const_value_type = std::add_const_t<T>;
  using nonconst_value_type = std::remove_const_t<T>;
  using const_type = Ref<const_value_type>;

  /// The global pointer of the C interface.
  dart_gptr_t dart_gptr() const noexcept { return _location.gptr(); }
  /// Whether the element is local to the caller.
  bool is_local() const noexcept { return internal::is_local(_location.gptr()); }
  /// Native pointer to the element if it is on the caller's node, at any unit; otherwise nullptr.
  /// \see GlobPtr::on_node_address()
  T* on_node_address() const noexcept {
    return static_cast<T*>(dart::on_node_address(_location.gptr(), sizeof(T)));
  }

  /// Reference to a part of the element, of type Member, `byte_offset` bytes from its start.
  template <class Member>
  auto member(std::size_t byte_offset) const noexcept {
    dart_gptr_t gptr = _location.gptr();
    gptr.addr_or_offs.offset += byte_offset;
    return Ref<std::conditional_t<std::is_const_v<T>, const Member, Member>>(gptr);
  }
  /// Reference to a data member of the element.
  /// \pre if the member is one of a derived class, the element is an object of that class
  template <class Member, class Owner>
  auto member(Member Owner::*part) const noexcept {
    return member<Member>(offset_of(part));
  }
  /// \overload
  /// Reference to the first element of a data member that is an array.
  template <class Member, class Part, class Owner>
  requires(std::is_array_v<Part>&& std::is_same_v<
           Member, std::remove_all_extents_t<Part>>) auto member(Part Owner::*part) const noexcept {
    return member<Member>(offset_of(part));
  }

  /// Prints the location of the element, not its value.
  template <class Char, class Traits, std::derived_from<ElementRef> R>
  friend std::basic_ostream<Char, Traits>& operator<<(std::basic_ostream<Char, Traits>& os,
                                                      const R& ref) {
    const dart_gptr_t gptr = ref.dart_gptr();
    return os << R::ref_name << "(unit " << gptr.unitid << ", team " << gptr.teamid << ", segment "
              << gptr.segid << ", offset " << gptr.addr_or_offs.offset << ')';
  }

  /// \cond internal

 protected:
  explicit ElementRef(const ElementLocation& location) noexcept : _location(location) {}
  ElementRef(const ElementRef&) = default;
  ElementRef& operator=(const ElementRef&) = default;
  ~ElementRef() = default;

  /// The location of the element of another reference.
  template <template <class> class OtherRef, class U>
  static const ElementLocation& location_of(const ElementRef<OtherRef, U>& other) noexcept {
    return other._location;
  }

  ElementLocation _location;

  /// \endcond

 private:
  template <template <class> class, class>
  friend class ElementRef;

  template <class Part, class Owner>
  static std::size_t offset_of(Part Owner::*part) noexcept {
    using Element = nonconst_value_type;
    if constexpr (std::is_base_of_v<Owner, Element>) {
      return member_offset<Element>(part);
    } else {
      static_assert(
          std::is_base_of_v<Element, Owner>,
          "dash: the member of a reference has to be one of the element's type, its bases "
          "or derived types");
      return member_offset<Owner>(part) - static_cast<std::size_t>(base_offset<Element, Owner>());
    }
  }
};

}  // namespace dash::internal
