#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <unordered_map>
#include <utility>

#include "dash/Future.h"
#include "dash/rpc/OwnedParts.h"

namespace dash {

/// Calls of one visitor for many keys, which travel in batches. See ObjectMap::batched().
/// \threads thread-safe
/// \ingroup rpc
template <class Map, class... Args>
class BatchedVisits {
 public:
  /// Calls the visitor for the element with this key at its owner, some time before the next dash::quiesce() ends.
  /// \blocks while too many earlier batches have not been consumed
  void operator()(const typename Map::key_type& key, const Args&... args) {
    _visits(_map->owner(key).id, key, args...);
  }
  /// Sends the calls that have been added. \blocks never
  void flush() { _visits.flush(); }

 private:
  friend Map;
  template <class F, class Part>
  BatchedVisits(const Map& map, const F& f, const Part& part)
      : _map(&map), _visits(on(map.team()), f, part) {}

  const Map* _map;
  Aggregator<void(typename Map::key_type, Args...)> _visits;
};

/// A distributed hash table whose keys and values are objects of any serializable types, such as std::string and
/// std::vector. Each unit owns the keys that their hash assigns to it, in a std::unordered_map.
///
///     dash::ObjectMap<std::string, std::vector<int>> lines;
///     lines.visit_ff(word, [](std::vector<int>& numbers, int n) { numbers.push_back(n); }, number);
///     dash::quiesce();
///     auto numbers = lines.find("distributed").get();   // std::optional<std::vector<int>>
///
/// All functions with a key run at its owner as those of dash::am() do: one at a time at each unit, even
/// while that unit computes. So they are atomic with each other. They take effect in any order, even those of one unit for
/// one key; wait for the future of the first to order them.
///
/// dash::UnorderedMap is the map of DASH: elements of fixed size in global memory, with iterators over all of them.
/// \tparam Key, Mapped  serializable and copyable; Mapped needs a default constructor for visit() and find()
/// \tparam Hash         a function object without state; equal at all units, so it must not hash addresses
/// \threads thread-safe, except for local()
/// \ingroup rpc
template <class Key, class Mapped, class Hash = std::hash<Key>, class Equal = std::equal_to<Key>>
class ObjectMap
    : public internal::KeyedParts<std::unordered_map<Key, Mapped, Hash, Equal>, Key, Hash> {
  using Base = internal::KeyedParts<std::unordered_map<Key, Mapped, Hash, Equal>, Key, Hash>;
  using Part = typename Base::Part;

 public:
  using mapped_type = Mapped;

  /// An empty map.
  /// \collective over the team, in the same order as other distributed objects   \blocks never
  explicit ObjectMap(const Team& team = Team::All()) : Base(team) {}
  /// Destroys this unit's part. \pre all units have called dash::quiesce() since the last call of a function of the map
  /// \collective no   \blocks never
  ~ObjectMap() = default;

  /// Inserts an element, unless there is one with this key. \returns a future: whether it was inserted
  /// \collective no   \completion the future   \blocks as dash::am()
  Future<bool> insert(const Key& key, const Mapped& value) {
    return this->call(
        key,
        [](Part& part, Key k, Mapped v) {
          return part->emplace(std::move(k), std::move(v)).second;
        },
        value);
  }
  /// Inserts an element, or replaces the value of the one with this key. \returns a future: whether it was inserted
  /// \collective no   \completion the future   \blocks as dash::am()
  Future<bool> insert_or_assign(const Key& key, const Mapped& value) {
    return this->call(
        key,
        [](Part& part, Key k, Mapped v) {
          return part->insert_or_assign(std::move(k), std::move(v)).second;
        },
        value);
  }

  /// \returns a future of a copy of the value, empty if there is no element with this key
  /// \collective no   \completion the future   \blocks as dash::am()
  Future<std::optional<Mapped>> find(const Key& key) const {
    return this->call(key, [](Part& part, Key k) -> std::optional<Mapped> {
      const auto found = part->find(k);
      if (found == part->end()) return std::nullopt;
      return found->second;
    });
  }

  /// Calls f(value, args...) at the owner of the key, where `value` is a reference to the value of the element. An element
  /// that does not exist is inserted first, with a default-constructed value; it stays if f throws.
  /// \param f     a lambda without captures; it must be short and must not wait
  /// \param args  as for dash::rpc()
  /// \returns a future of the result of f
  /// \collective no   \completion the future   \blocks as dash::am()
  template <class F, class... Args>
  auto visit(const Key& key, const F& f, const Args&... args) {
    return this->call(key, visitor(f), args...);
  }
  /// The same without a result. dash::quiesce() waits for the call.
  template <class F, class... Args>
  void visit_ff(const Key& key, const F& f, const Args&... args) {
    this->call_ff(key, visitor(f), args...);
  }
  /// As visit(), but does nothing if there is no element with this key.
  /// \returns a future: whether f was called
  template <class F, class... Args>
  Future<bool> visit_existing(const Key& key, const F& f, const Args&... args) {
    require_stateless(f);
    return this->call(
        key,
        [](Part& part, Key k, auto&&... rest) {
          const auto found = part->find(k);
          if (found == part->end()) return false;
          F{}(found->second, std::forward<decltype(rest)>(rest)...);
          return true;
        },
        args...);
  }

  /// Calls of visit_ff() with the same function for many keys, which travel in batches of 4 KiB.
  ///
  ///     auto add = counts.batched<long>([](long& count, long n) { count += n; });
  ///     for (const std::string& word : words) add(word, 1);
  ///     dash::quiesce();
  ///
  /// \tparam Args  types of the arguments after the key
  /// \returns a function object for keys and arguments; its destructor sends the rest
  /// \collective no   \blocks never
  template <class... Args, class F>
  BatchedVisits<ObjectMap, Args...> batched(const F& f) {
    return {*this, visitor(f), this->part()};
  }

 private:
  /// Fails to compile, in plain words, for a function that cannot be called by its type alone at another unit.
  template <class F>
  static constexpr void require_stateless(const F& /*f*/) {
    static_assert(internal::StatelessFunction<F>,
                  "dash: a visitor is a lambda without captures, or another function object "
                  "without data members; pass values as arguments after the function");
  }
  template <class F>
  static auto visitor(const F& f) {
    require_stateless(f);
    return [](Part& part, Key key, auto&&... args) -> decltype(auto) {
      return F{}((*part)[std::move(key)], std::forward<decltype(args)>(args)...);
    };
  }
};

}  // namespace dash
