#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <type_traits>

#include "dash/internal/Unit.h"

namespace dash::internal {

/// Distributes the entropy of a hash over all of its bits.
/// \see Appleby: MurmurHash3, the 64-bit finalizer
constexpr std::uint64_t mix_bits(std::uint64_t h) noexcept {
  h ^= h >> 33;
  h *= 0xff51afd7ed558ccdULL;
  h ^= h >> 33;
  h *= 0xc4ceb9fe1a85ec53ULL;
  return h ^ (h >> 33);
}

inline std::uint64_t hash_bytes(const void* bytes, std::size_t nbytes) noexcept {
  std::uint64_t hash = nbytes;
  const auto* from = static_cast<const unsigned char*>(bytes);
  while (nbytes != 0) {
    std::uint64_t word = 0;
    const std::size_t length = nbytes < sizeof word ? nbytes : sizeof word;
    std::memcpy(&word, from, length);
    hash = mix_bits(hash ^ word);
    from += length;
    nbytes -= length;
  }
  return hash;
}

template <class Key>
concept StdHashable = std::is_default_constructible_v<std::hash<Key>> && requires(const Key& key) {
  std::hash<Key>{}(key);
};

/// Whether two keys are known to be equal exactly if their bytes are equal.
template <class Key, class Pred = std::equal_to<Key>>
inline constexpr bool is_compared_by_bytes = std::has_unique_object_representations_v<Key> &&
                                             (std::is_same_v<Pred, std::equal_to<Key>> ||
                                              std::is_same_v<Pred, std::equal_to<>>);

template <class Key>
inline constexpr bool is_hashable =
    StdHashable<Key> || std::has_unique_object_representations_v<Key>;

/// A hash of a key: std::hash, or a hash of its bytes.
template <class Key>
std::uint64_t hash_of_key(const Key& key) {
  if constexpr (StdHashable<Key>) {
    return mix_bits(static_cast<std::uint64_t>(std::hash<Key>{}(key)));
  } else {
    return hash_bytes(&key, sizeof key);
  }
}

template <class Hash, class Key>
concept HasHashValue = requires(const Hash& hash, const Key& key) {
  { hash.hash_value(key) } -> std::convertible_to<std::uint64_t>;
};

/// Whether a hasher's hash_value() already has its entropy in all bits; a user's hash may be the
/// key itself.
template <class Hash>
inline constexpr bool is_mixed = false;

/// The hash by which a unit's table is searched. Equal keys must have equal hashes; if Pred is
/// unknown, all keys have the same hash.
template <class Key, class Hash, class Pred>
std::uint64_t table_hash(const Hash& hash, const Key& key) {
  if constexpr (HasHashValue<Hash, Key>) {
    const auto value = static_cast<std::uint64_t>(hash.hash_value(key));
    return is_mixed<Hash> ? value : mix_bits(value);
  } else if constexpr ((std::is_same_v<Pred, std::equal_to<Key>> ||
                        std::is_same_v<Pred, std::equal_to<>>)&&is_hashable<Key>) {
    return hash_of_key(key);
  } else {
    return 0;
  }
}

/// The unit that a hasher returns. If its call operator is not const, a copy is called.
template <class Hash, class Key>
team_unit_t owner_of_key(const Hash& hash, const Key& key) {
  if constexpr (std::is_invocable_v<const Hash&, const Key&>) {
    return hash(key);
  } else {
    return Hash(hash)(key);
  }
}

}  // namespace dash::internal
