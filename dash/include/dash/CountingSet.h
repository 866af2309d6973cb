#pragma once

#include <cstddef>
#include <functional>
#include <unordered_map>
#include <utility>

#include "dash/Future.h"
#include "dash/rpc/OwnedParts.h"

namespace dash {

/// Counts keys of any serializable type, added by all units. Each unit collects its counts of up to 4,096 different keys
/// before it sends them to the owners, so that frequent keys take few messages.
///
///     dash::CountingSet<std::string> words;
///     for (const std::string& word : text) words.add(word);
///     words.complete();
///     for (const auto& [word, count] : words.local()) ...   // the keys that this unit owns
///
/// The functions of the base class, such as size(), know the keys that complete() has sent. Later ones are lost at the end of
/// the object.
/// \threads externally synchronized; different units independently
/// \ingroup rpc
template <class Key, class Hash = std::hash<Key>, class Equal = std::equal_to<Key>>
class CountingSet
    : public internal::KeyedParts<std::unordered_map<Key, std::size_t, Hash, Equal>, Key, Hash> {
  using Local = std::unordered_map<Key, std::size_t, Hash, Equal>;
  using Base = internal::KeyedParts<Local, Key, Hash>;
  using Part = typename Base::Part;

 public:
  /// An empty set.
  /// \collective over the team, in the same order as other distributed objects   \blocks never
  explicit CountingSet(const Team& team = Team::All())
      : Base(team),
        _additions(
            on(team), [](Part& part, Key k, std::size_t n) { (*part)[std::move(k)] += n; },
            this->part()) {}

  /// Adds `n` to the count of a key. complete() makes it known to the owner.
  /// \collective no   \blocks while too many earlier batches have not been consumed
  void add(const Key& key, std::size_t n = 1) {
    _collected[key] += n;
    if (_collected.size() >= max_collected) send();
  }
  /// Completes all additions of all units.
  /// \collective over the team   \blocks until all units have called it
  void complete() {
    send();
    dash::quiesce(this->team());
  }

  /// \returns a future of the count of a key, as the owner knows it; 0 if it has not been added
  /// \collective no   \completion the future   \blocks as dash::am()
  Future<std::size_t> count(const Key& key) const {
    return this->call(key, [](Part& part, Key k) {
      const auto found = part->find(k);
      return found == part->end() ? std::size_t{0} : found->second;
    });
  }

  /// Removes all keys, including those that have not been sent.
  /// \collective over the team   \blocks until all units have called it
  void clear() {
    _collected.clear();
    Base::clear();
  }

 private:
  static constexpr std::size_t max_collected = 4096;

  void send() {
    for (const auto& [key, n] : _collected)
      _additions(this->owner(key).id, key, n);
    _collected.clear();
  }

  Local _collected;
  Aggregator<void(Key, std::size_t)> _additions;
};

}  // namespace dash
