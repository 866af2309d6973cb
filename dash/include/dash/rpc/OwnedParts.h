#pragma once

#include <cstddef>
#include <cstdint>

#include "dash/Aggregator.h"
#include "dash/Collectives.h"
#include "dash/DistObject.h"
#include "dash/Future.h"
#include "dash/Rpc.h"
#include "dash/Team.h"
#include "dash/algorithm/Operation.h"
#include "dash/rpc/Invoke.h"

namespace dash::internal {

/// The unit of a team that owns a key: all bits of the hash have an effect on it, so that keys with a regular hash, such as
/// numbers, are spread.
inline int owner_of_hash(std::size_t hash, std::size_t num_units) noexcept {
  const std::uint64_t mixed = static_cast<std::uint64_t>(hash) * 0x9e3779b97f4a7c15U;
  return static_cast<int>((mixed >> 32) * num_units >> 32);
}

/// A container of which each unit of a team owns a part: one `Local` object. Functions that change it run at the owner.
template <class Local>
class OwnedParts {
 public:
  /// The container of each unit.
  using local_type = Local;

  /// The elements that this unit owns. Other units must not call functions of the container that access the part at the
  /// same time: call dash::quiesce() of the team before.
  /// \collective no   \blocks never
  local_type& local() noexcept { return *_part; }
  /// \overload
  const local_type& local() const noexcept { return *_part; }

  /// The units that own parts.
  const Team& team() const noexcept { return _part.team(); }

  /// The number of elements of all units, after all pending calls.
  /// \collective over the team   \blocks until all units have called it
  std::size_t size() const {
    dash::quiesce(team());
    return allreduce_async(local().size(), dash::plus<std::size_t>(), team()).get();
  }

  /// Removes all elements, after all pending calls.
  /// \collective over the team   \blocks until all units have called it
  void clear() {
    dash::quiesce(team());
    local().clear();
    dash::quiesce(team());  // no unit adds elements before all have removed theirs
  }

 protected:
  explicit OwnedParts(const Team& team) : _part(team) {}
  /// \pre all units have called dash::quiesce()
  ~OwnedParts() = default;

  using Part = DistObject<Local>;
  const Part& part() const noexcept { return _part; }

 private:
  Part _part;
};

/// The same, where the hash of a key determines the owner.
template <class Local, class Key, class Hash>
class KeyedParts : public OwnedParts<Local> {
  static_assert(StatelessFunction<Hash>,
                "dash: the hash of a distributed container is a function object without data "
                "members: each unit constructs one");

 protected:
  using Part = typename OwnedParts<Local>::Part;

 public:
  using key_type = Key;

  /// The unit that owns a key, relative to the team, whether or not the key exists.
  team_unit_t owner(const Key& key) const {
    return team_unit_t(owner_of_hash(Hash()(key), this->team().size()));
  }

  /// \returns a future: whether there is an element with this key
  /// \collective no   \completion the future   \blocks as dash::am()
  Future<bool> contains(const Key& key) const {
    return call(key, [](Part& part, Key k) { return part->count(k) != 0; });
  }
  /// \returns a future of the number of elements with this key, which have been removed
  /// \collective no   \completion the future   \blocks as dash::am()
  Future<std::size_t> erase(const Key& key) {
    return call(key, [](Part& part, Key k) { return part->erase(k); });
  }

 protected:
  using OwnedParts<Local>::OwnedParts;

  /// Calls f(part, key, args...) at the owner, as dash::am() does. \returns the future of its result
  template <class F, class... Args>
  auto call(const Key& key, const F& f, const Args&... args) const {
    return dash::am(owner(key), on(this->team()), f, this->part(), key, args...);
  }
  /// The same without a result.
  template <class F, class... Args>
  void call_ff(const Key& key, const F& f, const Args&... args) const {
    dash::am_ff(owner(key), on(this->team()), f, this->part(), key, args...);
  }
};

}  // namespace dash::internal
