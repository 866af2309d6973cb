#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <type_traits>
#include <utility>

#include "dash/Aggregator.h"
#include "dash/Collectives.h"
#include "dash/DistObject.h"
#include "dash/Rpc.h"
#include "dash/Team.h"
#include "dash/algorithm/Operation.h"

namespace dash::internal {

/// The unit of a team that owns a key: the high bits of its hash, multiplied so that all bits of the hash have an effect.
/// Hash tables of the owner use the low bits.
inline int owner_of_hash(std::size_t hash, std::size_t num_units) noexcept {
  const std::uint64_t mixed = static_cast<std::uint64_t>(hash) * 0x9e3779b97f4a7c15U;
  return static_cast<int>((mixed >> 32) * num_units >> 32);
}

/// Fails to compile, in plain words, for a function that cannot be called by its type alone at another unit.
template <class F>
constexpr void require_stateless() {
  static_assert(std::is_empty_v<F> && std::is_default_constructible_v<F>,
                "dash: a visitor is a lambda without captures, or another function object without "
                "data members; pass values as arguments after the function");
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
 public:
  using key_type = Key;

  /// The unit that owns a key, relative to the team, whether or not the key exists.
  team_unit_t owner(const Key& key) const {
    return team_unit_t(owner_of_hash(Hash()(key), this->team().size()));
  }

 protected:
  using OwnedParts<Local>::OwnedParts;
  using Part = typename OwnedParts<Local>::Part;

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
