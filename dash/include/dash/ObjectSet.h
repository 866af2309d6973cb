#pragma once

#include <functional>
#include <unordered_set>
#include <utility>

#include "dash/Future.h"
#include "dash/rpc/OwnedParts.h"

namespace dash {

/// As ObjectMap, with keys only, in a std::unordered_set at the owner.
/// \threads thread-safe, except for local()
/// \ingroup rpc
template <class Key, class Hash = std::hash<Key>, class Equal = std::equal_to<Key>>
class ObjectSet : public internal::KeyedParts<std::unordered_set<Key, Hash, Equal>, Key, Hash> {
  using Base = internal::KeyedParts<std::unordered_set<Key, Hash, Equal>, Key, Hash>;
  using Part = typename Base::Part;

 public:
  using value_type = Key;

  /// An empty set.
  /// \collective over the team, in the same order as other distributed objects   \blocks never
  explicit ObjectSet(const Team& team = Team::All())
      : Base(team),
        _inserts(
            on(team), [](Part& part, Key k) { part->insert(std::move(k)); }, this->part()) {}

  /// Inserts a key, unless the set contains it. \returns a future: whether it was inserted
  /// \collective no   \completion the future   \blocks as dash::am()
  Future<bool> insert(const Key& key) {
    return this->call(key, [](Part& part, Key k) { return part->insert(std::move(k)).second; });
  }
  /// Inserts a key, some time before the next dash::quiesce() ends. Many calls travel in batches.
  /// \collective no   \blocks while too many earlier batches have not been consumed
  void insert_ff(const Key& key) { _inserts(this->owner(key).id, key); }

 private:
  Aggregator<void(Key)> _inserts;
};

}  // namespace dash
