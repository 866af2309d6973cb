#pragma once

#include <cstddef>
#include <functional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "dash/Future.h"
#include "dash/rpc/OwnedParts.h"

namespace dash {

/// As ObjectMap, with any number of values for each key, in a std::unordered_multimap at the owner.
/// \threads thread-safe, except for local()
/// \ingroup rpc
template <class Key, class Mapped, class Hash = std::hash<Key>, class Equal = std::equal_to<Key>>
class ObjectMultimap
    : public internal::KeyedParts<std::unordered_multimap<Key, Mapped, Hash, Equal>, Key, Hash> {
  using Base = internal::KeyedParts<std::unordered_multimap<Key, Mapped, Hash, Equal>, Key, Hash>;
  using Part = typename Base::Part;

 public:
  using mapped_type = Mapped;

  /// An empty multimap.
  /// \collective over the team, in the same order as other distributed objects   \blocks never
  explicit ObjectMultimap(const Team& team = Team::All())
      : Base(team),
        _inserts(
            on(team),
            [](Part& part, Key k, Mapped v) { part->emplace(std::move(k), std::move(v)); },
            this->part()) {}

  /// Inserts an element, some time before the next dash::quiesce() ends. Many calls travel in batches.
  /// \collective no   \blocks while too many earlier batches have not been consumed
  void insert(const Key& key, const Mapped& value) { _inserts(this->owner(key).id, key, value); }

  /// \returns a future of copies of the values with this key, in any order
  /// \collective no   \completion the future   \blocks as dash::am()
  Future<std::vector<Mapped>> find(const Key& key) const {
    return this->call(key, [](Part& part, Key k) {
      std::vector<Mapped> values;
      const auto [first, last] = part->equal_range(k);
      for (auto it = first; it != last; ++it)
        values.push_back(it->second);
      return values;
    });
  }
  /// \returns a future of the number of elements with this key
  /// \collective no   \completion the future   \blocks as dash::am()
  Future<std::size_t> count(const Key& key) const {
    return this->call(key, [](Part& part, Key k) { return part->count(k); });
  }

 private:
  Aggregator<void(Key, Mapped)> _inserts;
};

}  // namespace dash
