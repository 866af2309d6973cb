#pragma once

#include <bit>
#include <memory>
#include <utility>

#include "dash/GlobPtr.h"
#include "dash/GlobRef.h"
#include "dash/Team.h"
#include "dash/atomic/TypeTraits.h"
#include "dash/internal/container/ContainerStorage.h"
#include "dash/internal/element/SharedCell.h"
#include "dash/memory/GlobStaticMem.h"

namespace dash {

/// One value that all units of a team read and write. It is stored at one unit, its owner.
///
/// Can be constructed before dash::init(), followed by a call of init(), and destroyed after
/// dash::finalize().
/// \tparam T  trivially copyable; `Atomic<U>` for a value that units modify concurrently
/// \threads access to the value: thread-safe; construction and destruction: externally synchronized
///         per team
/// \ingroup atomics
template <class T>
class Shared {
 public:
  using value_type = T;
  using size_type = default_size_t;
  using difference_type = default_index_t;
  using reference = GlobRef<T>;
  using const_reference = GlobRef<const T>;
  using pointer = GlobPtr<T>;
  using const_pointer = GlobPtr<const T>;

  static_assert(internal::ContainerElement<T>::value);

  /// Creates the value, if dash::init() has been called; otherwise call init().
  /// The initial value is T{}.
  /// \throws exception::InvalidArgument if the owner is not in the team, exception::RuntimeError if
  ///         it does not have enough memory
  /// \collective over the team  \blocks until the owner has called it
  explicit Shared(team_unit_t owner = team_unit_t(0), Team& team = Team::All())
      : Shared(T{}, owner, team) {}
  /// \overload
  /// \param value  the owner's argument is the initial value; visible to all units on return
  explicit Shared(const T& value, internal::TeamUnitArgument owner = 0, Team& team = Team::All())
      : _team(&team), _owner(owner) {
    if (team.size() > 0) init(value);
  }

  /// Takes over the value; the other object has none afterwards.
  Shared(Shared&&) noexcept = default;
  /// Frees the value of this object, then takes over that of the other.
  /// \collective over the team of this object, if it has a value
  Shared& operator=(Shared&&) noexcept = default;
  /// Frees the value.
  /// \collective over the team, if there is a value  \blocks until all units have called it
  ~Shared() = default;

  /// Creates the value, for an object that was constructed before dash::init() or before a previous
  /// dash::finalize().
  /// \returns false, with no effect, if the value exists
  /// \throws exception::RuntimeError if dash::init() has not been called or the team has no units
  /// \collective over the team  \blocks until the owner has called it
  bool init(T value = T{}) {
    if (_team->size() == 0) internal::throw_not_initialized("dash::Shared::init");
    if (is_initialized()) return false;
    _cell = std::make_unique<internal::SharedCell>(*_team, _owner, &value, sizeof(T));
    return true;
  }

  /// Writes the value.
  /// \completion remote  \blocks until written  \collective no
  void set(const T& value) {
    if constexpr (is_atomic<T>::value) {
      reference(gptr()).set(std::bit_cast<remove_atomic_t<T>>(value));
    } else {
      internal::store(gptr(), value);
    }
  }
  /// A reference to the value.
  /// \throws exception::RuntimeError if there is no value
  reference get() { return reference(gptr()); }
  /// \overload
  const_reference get() const { return const_reference(gptr()); }

  /// Native pointer to the value at its owner; nullptr at other units.
  T* local() { return static_cast<T*>(internal::local_address(gptr())); }
  /// \overload
  const T* local() const { return static_cast<const T*>(internal::local_address(gptr())); }

  /// The unit that stores the value, relative to the team.
  team_unit_t owner() const noexcept { return _owner; }
  /// The team whose units access the value.
  Team& team() const noexcept { return *_team; }

  /// Completes the caller's operations on the value. \completion remote
  void flush() const { internal::check(dart_flush(gptr()), "flush"); }
  /// Like flush(), then a barrier. \collective over the team
  void barrier() const {
    flush();
    _team->barrier();
  }

  /// Global pointer to the value.
  /// \throws exception::RuntimeError if there is no value
  explicit operator pointer() const { return pointer(gptr()); }
  /// Global pointer to the value; DART_GPTR_NULL if there is none.
  dart_gptr_t dart_gptr() const noexcept {
    return is_initialized() ? _cell->gptr() : DART_GPTR_NULL;
  }

  /// Exchanges the values of two objects, without communication.
  void swap(Shared& other) noexcept {
    std::swap(_team, other._team);
    std::swap(_owner, other._owner);
    std::swap(_cell, other._cell);
  }

 private:
  bool is_initialized() const noexcept { return _cell && _cell->is_allocated(); }
  const dart_gptr_t& gptr() const {
    if (!is_initialized()) [[unlikely]]
      internal::throw_not_initialized("dash::Shared (call init() to create the value)");
    return _cell->gptr();
  }

  Team* _team;
  team_unit_t _owner;
  std::unique_ptr<internal::SharedCell> _cell;
};

/// Exchanges the values of two objects, without communication.
/// \ingroup atomics
template <class T>
void swap(Shared<T>& a, Shared<T>& b) noexcept {
  a.swap(b);
}

}  // namespace dash
