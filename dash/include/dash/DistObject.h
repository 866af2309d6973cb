#pragma once

/// \file
/// Distributed objects: one object at each unit of a team, under one name.

#include <concepts>
#include <cstdint>
#include <utility>

#include "dash/Future.h"
#include "dash/Rpc.h"
#include "dash/Team.h"
#include "dash/core/Export.h"
#include "dash/rpc/Arguments.h"

namespace dash {

namespace internal {

/// Registers this unit's part of the next object of a team.
/// \throws exception::InvalidArgument if the team has no units
DASH_API ObjectKey add_object(const Team& team, void* object);
DASH_API void remove_object(const ObjectKey& key, const void* object) noexcept;
/// A team has ended, and its id may be used again.
DASH_API void forget_objects(std::int32_t team) noexcept;
/// The registered part of this unit; waits until it exists.
/// \throws exception::RuntimeError if it has been destroyed; MissingObject if it does not exist yet and the caller must
///         not wait
DASH_API void* find_object(const ObjectKey& key);

}  // namespace internal

/// One object of type T at each unit of a team.
///
///     dash::DistObject<std::unordered_map<std::string, int>> counts;
///     dash::rpc(unit, [](auto& counts, std::string word) { ++(*counts)[word]; }, counts, word);
///
/// As an argument of a remote procedure call, it becomes a reference to the object of the target: the function takes a
/// `dash::DistObject<T>&`. If the target has not constructed it yet, the call waits until it has.
/// \tparam T  type of the object at each unit
/// \threads as T; the calls of other units run at any time that a thread of this unit waits, or on workers
/// \ingroup rpc
template <class T>
class DistObject {
 public:
  using value_type = T;

  /// Constructs this unit's object. All units of the team construct their distributed objects in the same order.
  /// \collective over the team   \blocks never
  /// \throws exception::InvalidArgument if the team has no units; what the constructor of T throws
  explicit DistObject(T value, const Team& team = Team::All()) requires std::move_constructible<T>
      : _value(std::move(value)), _team(&team), _key(internal::add_object(team, this)) {}
  /// The same with a default-constructed object.
  explicit DistObject(const Team& team = Team::All())
      : _team(&team), _key(internal::add_object(team, this)) {}
  /// The same for an object that is constructed in place, from arguments: of a type that cannot be moved, for example.
  template <class... Args>
  explicit DistObject(std::in_place_t /*tag*/, const Team& team, Args&&... args)
      : _value(std::forward<Args>(args)...), _team(&team), _key(internal::add_object(team, this)) {}
  DistObject(const DistObject&) = delete;
  DistObject& operator=(const DistObject&) = delete;
  /// Destroys this unit's object. A call that arrives later fails with exception::RuntimeError, so units usually
  /// synchronize before, by quiesce() or a barrier.
  /// \collective no   \blocks never
  ~DistObject() { internal::remove_object(_key, this); }

  /// This unit's object.
  T& operator*() noexcept { return _value; }
  /// This unit's object.
  const T& operator*() const noexcept { return _value; }
  /// This unit's object.
  T* operator->() noexcept { return &_value; }
  /// This unit's object.
  const T* operator->() const noexcept { return &_value; }

  /// The units that have an object.
  const Team& team() const noexcept { return *_team; }

  /// A copy of the object of another unit, which must be serializable.
  /// \param unit  relative to the team, or a global_unit_t
  /// \throws as dash::rpc
  Future<T> fetch(internal::CallUnit unit) const {
    return rpc(
        unit, on(*_team), [](const DistObject& object) -> T { return *object; }, *this);
  }

 private:
  friend struct internal::Argument<DistObject>;

  T _value{};
  const Team* _team;
  internal::ObjectKey _key;
};

namespace internal {

template <class T>
struct Argument<DistObject<T>> {
  using Received = DistObject<T>&;
  static constexpr bool refers_to_message = false;

  static void save(OutputArchive& archive, const DistObject<T>& object) { archive(object._key); }
  static Received load(InputArchive& archive) {
    ObjectKey key;
    archive(key);
    return *static_cast<DistObject<T>*>(find_object(key));
  }
};

}  // namespace internal
}  // namespace dash
