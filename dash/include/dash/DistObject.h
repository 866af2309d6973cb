#pragma once

/// \file
/// Distributed objects: one object at each unit of a team, with one key for all.

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

/// The key of the next object of a team.
/// \throws exception::InvalidArgument if the team has no units
DASH_API ObjectKey next_object_key(const Team& team);
/// Makes this unit's part of an object known to calls.
DASH_API void add_object(const ObjectKey& key, void* object);
DASH_API void remove_object(const ObjectKey& key, const void* object) noexcept;
/// A team has ended, and its id may be used again.
DASH_API void forget_objects(std::int32_t team) noexcept;
/// This unit's part of an object.
/// \throws exception::RuntimeError if it has been destroyed; MissingObject if it does not exist yet
DASH_API void* find_object(const ObjectKey& key);
/// Waits until this unit's part of an object exists, or has been destroyed.
DASH_API void wait_for_object(const ObjectKey& key) noexcept;

}  // namespace internal

/// One object of type T at each unit of a team.
///
///     dash::DistObject<std::unordered_map<std::string, int>> counts;
///     dash::am_ff(unit, [](auto& counts, std::string word) { ++(*counts)[word]; }, counts, word);
///
/// As an argument of a remote procedure call, it becomes a reference to the object of the target: the function takes a
/// `dash::DistObject<T>&`. If the target has not constructed it yet, the call waits until it has.
/// \tparam T  type of the object at each unit
/// \threads as T; calls of other units run on workers, on threads that wait, and those of dash::am() and
///          dash::Aggregator at any time on the progress thread. The team must exist as long as the object
/// \ingroup rpc
template <class T>
class DistObject {
 public:
  using value_type = T;

  /// Constructs this unit's object. All units of the team construct their distributed objects in the same order.
  /// \collective over the team   \blocks never
  /// \throws exception::InvalidArgument if the team has no units; what the constructor of T throws
  explicit DistObject(T value, const Team& team = Team::All()) requires std::move_constructible<T>
      : _value(std::move(value)), _team(&team), _key(internal::next_object_key(team)) {
    internal::add_object(_key, this);
  }
  /// The same with a default-constructed object.
  explicit DistObject(const Team& team = Team::All())
      : _team(&team), _key(internal::next_object_key(team)) {
    internal::add_object(_key, this);
  }
  /// The same for an object that is constructed in place, from arguments: of a type that cannot be moved, for example.
  template <class... Args>
  explicit DistObject(std::in_place_t /*tag*/, const Team& team, Args&&... args)
      : _value(std::forward<Args>(args)...), _team(&team), _key(internal::next_object_key(team)) {
    internal::add_object(_key, this);
  }
  DistObject(const DistObject&) = delete;
  DistObject& operator=(const DistObject&) = delete;
  /// Destroys this unit's object. Calls that use it must have ended: call quiesce() before, or a barrier if all callers
  /// have waited for the futures of their calls. A call that arrives later fails with exception::RuntimeError.
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
