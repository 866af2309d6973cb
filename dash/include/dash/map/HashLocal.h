#pragma once

#include <cstdint>

#include "dash/Team.h"
#include "dash/internal/Unit.h"
#include "dash/internal/dynamic/KeyHash.h"

namespace dash {

/// The default hasher of UnorderedMap: every key is owned by the unit that inserts it. Therefore a
/// map with this hasher searches all units for a key, the caller first.
/// \ingroup containers
template <typename Key>
struct HashLocal {
  /// Type of a key.
  using argument_type = Key;
  /// Type of the owner's id.
  using result_type = team_unit_t;

  HashLocal() : HashLocal(Team::All()) {}
  /// A hasher for the calling unit, with its id in a team.
  explicit HashLocal(const Team& team) : _myid(team.myid()) {}

  /// The calling unit.
  result_type operator()(const Key& /*key*/) const noexcept { return _myid; }

 private:
  team_unit_t _myid;
};

/// Distributes keys uniformly over the units of a team, by std::hash, or by their bytes if there is
/// none. Not part of DASH 0.4.
/// \ingroup containers
template <typename Key>
struct HashUniform {
  static_assert(internal::is_hashable<Key>,
                "dash::HashUniform: the key type has no std::hash, and equal keys may differ in "
                "padding bytes; specialize std::hash for it");
  /// Type of a key.
  using argument_type = Key;
  /// Type of the owner's id.
  using result_type = team_unit_t;

  HashUniform() : HashUniform(Team::All()) {}
  /// A hasher for the units of a team, to which it does not refer.
  explicit HashUniform(const Team& team) : _nunits(team.size()) {}

  /// The unit that owns a key.
  result_type operator()(const Key& key) const { return owner(hash_value(key)); }
  /// The hash value: its lower half selects the unit, the rest the position at that unit.
  std::uint64_t hash_value(const Key& key) const { return internal::hash_of_key(key); }
  /// The unit that owns the keys with a hash value.
  result_type owner(std::uint64_t hash_value) const noexcept {
    return result_type(static_cast<dart_unit_t>((hash_value & 0xffffffff) * _nunits >> 32));
  }

 private:
  std::uint64_t _nunits;
};

namespace internal {

/// Whether the hasher's result depends on the calling unit, which owns the keys that it inserts.
template <class Hash>
inline constexpr bool owner_is_inserter = false;
template <class Key>
inline constexpr bool owner_is_inserter<HashLocal<Key>> = true;

template <class Key>
inline constexpr bool is_mixed<HashUniform<Key>> = true;

}  // namespace internal

}  // namespace dash
