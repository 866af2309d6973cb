#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <memory>
#include <new>
#include <optional>
#include <utility>
#include <vector>

#include "dash/async/Operation.h"
#include "dash/internal/dynamic/MapStorage.h"

namespace dash::internal {

/// The owner of a key, and the hash by which its table is searched.
struct KeyLocation {
  team_unit_t unit;
  std::uint64_t hash = 0;
};

/// Requests to units of other nodes, each for many keys of one owner.
///
/// Keys are collected by owner. A message is sent when it is full; messages to different owners are
/// in flight concurrently.
class MapRequests {
 public:
  MapRequests(const MapStorage& storage, MapRequest::Kind kind, std::size_t item_words,
              std::size_t reply_bytes)
      : _storage(storage),
        _kind(kind),
        _item_words(item_words),
        _batch_capacity(
            std::min((dart::CallService::max_bytes - sizeof(MapRequest)) / (8 * item_words + 8),
                     dart::CallService::max_bytes / reply_bytes)) {}

  struct Sent {
    exec::Operation operation;
    std::shared_ptr<dart::CallReply> reply;
    std::vector<std::size_t> positions;  // positions of the items in the caller's range
  };

  void add(const KeyLocation& location, const std::uint64_t* item, std::size_t position) {
    if (_batches.empty()) _batches.resize(_storage.team().size());
    Batch& batch = _batches[static_cast<std::size_t>(location.unit.id)];
    if (batch.positions.empty()) {
      batch.words.reserve(_batch_capacity * (1 + _item_words));
      batch.positions.reserve(_batch_capacity);
    }
    batch.words.push_back(location.hash);
    batch.words.insert(batch.words.end(), item, item + _item_words);
    batch.positions.push_back(position);
    if (batch.positions.size() == _batch_capacity) send(location.unit);
  }
  /// Sends the remaining requests. \returns all requests that were sent
  std::vector<Sent>& finish() {
    for (std::size_t unit = 0; unit < _batches.size(); ++unit)
      send(team_unit_t(static_cast<dart_unit_t>(unit)));
    return _sent;
  }
  /// Waits for the oldest requests and calls consume(sent) for each, until at most `max_pending`
  /// are pending. Replies are processed while they are in the caches, and their memory is reused.
  template <class Consume>
  void drain(std::size_t max_pending, const Consume& consume) {
    for (; _sent.size() - _num_drained > max_pending; ++_num_drained) {
      Sent sent = std::move(_sent[_num_drained]);
      sent.operation.wait();
      consume(sent);
    }
  }

 private:
  struct Batch {
    std::vector<std::uint64_t> words;
    std::vector<std::size_t> positions;
  };

  void send(team_unit_t unit) {
    Batch& batch = _batches[static_cast<std::size_t>(unit.id)];
    if (batch.positions.empty()) return;
    auto reply = std::make_shared<dart::CallReply>();
    const MapRequest request{_kind, true, static_cast<std::uint16_t>(batch.positions.size()), 0, 0};
    _sent.push_back(
        {_storage.send(unit, request, {}, batch.words.data(), batch.words.size(), reply), reply,
         std::move(batch.positions)});
    batch = {};
  }

  const MapStorage& _storage;
  MapRequest::Kind _kind;
  std::size_t _item_words;
  std::size_t _batch_capacity;
  std::vector<Batch> _batches;  // by unit
  std::vector<Sent> _sent;
  std::size_t _num_drained = 0;
};

/// Elements grouped by their owners.
template <std::size_t nwords>
class MapPartition {
 public:
  struct Item {
    std::uint64_t hash;
    std::uint64_t words[nwords];
  };

  /// \param words_of  writes the words of an element
  template <class It, class LocationOf, class WordsOf>
  MapPartition(const Team& team, It first, std::size_t n, const LocationOf& location_of,
               const WordsOf& words_of)
      : _items(new Item[n]), _ends(team.size(), 0) {
    const std::unique_ptr<KeyLocation[]> locations(new KeyLocation[n]);
    It it = first;
    for (std::size_t i = 0; i < n; ++i, ++it) {
      locations[i] = location_of(*it);
      ++_ends[static_cast<std::size_t>(locations[i].unit.id)];
    }
    std::size_t begin = 0;
    for (std::size_t& end : _ends)
      end = std::exchange(begin, begin + end);
    // From here on, the ends are the positions at which the next items are inserted.
    it = first;
    for (std::size_t i = 0; i < n; ++i, ++it) {
      Item& item = _items[_ends[static_cast<std::size_t>(locations[i].unit.id)]++];
      item.hash = locations[i].hash;
      words_of(*it, item.words);
    }
  }

  const Item* begin(std::size_t unit) const noexcept {
    return _items.get() + (unit == 0 ? 0 : _ends[unit - 1]);
  }
  const Item* end(std::size_t unit) const noexcept { return _items.get() + _ends[unit]; }

 private:
  std::unique_ptr<Item[]> _items;
  std::vector<std::size_t> _ends;  // by unit
};

/// Inserts and finds many keys at once.
template <class Key, class Mapped, class Pred>
class MapBulk {
 public:
  using Access = MapAccess<Key, Mapped, Pred>;
  using Element = MapElement<Key, Mapped>;
  /// Whether elements of other nodes can be batched in messages.
  static constexpr bool batches_remote_keys =
      Access::by_bytes && Element::nwords <= max_batched_words;
  /// Number of keys processed at once.
  static constexpr std::size_t chunk_size = std::size_t{1} << 18;

  MapBulk(MapStorage& storage, const Pred& equal) : _storage(storage), _access(storage, equal) {}

  struct PendingInserts {
    std::size_t inserted = 0;
    std::vector<MapRequests::Sent> sent;
  };

  /// Starts inserting `n` elements; those of units on the caller's node are inserted on return.
  /// \param location_of  returns the location of a key
  template <class LocationOf, class It>
  void start_inserts(const LocationOf& location_of, It first, std::size_t n,
                     PendingInserts& inserts) {
    MapRequests requests(_storage, MapRequest::Kind::insert_many, Element::nwords, 1);
    // Groups elements by unit, so that units that insert concurrently work on different tables.
    const MapPartition<Element::nwords> partition(
        _storage.team(), first, n, [&](const auto& value) { return location_of(value.first); },
        [](const auto& value, std::uint64_t* words) {
          const Element element(value.first, value.second);
          std::copy_n(element.words, Element::nwords, words);
        });
    for_each_unit([&](team_unit_t unit) {
      const auto* item = partition.begin(static_cast<std::size_t>(unit.id));
      const auto* const end = partition.end(static_cast<std::size_t>(unit.id));
      const bool on_node = _storage.slots().on_node(unit);
      for (; item != end; ++item) {
        if (batches_remote_keys && !on_node) {
          requests.add({unit, item->hash}, item->words, 0);
          continue;
        }
        if (on_node && end - item > prefetch_distance)
          _storage.index().prefetch(unit, item[prefetch_distance].hash);
        const auto result = _access.insert(unit, item->hash, Element::key_in(item->words),
                                           Element::mapped_in(item->words));
        if (result.changed) ++inserts.inserted;
      }
    });
    std::vector<MapRequests::Sent>& sent = requests.finish();
    std::move(sent.begin(), sent.end(), std::back_inserter(inserts.sent));
  }

  /// Number of inserted elements. \pre all requests are complete
  static std::size_t count(const PendingInserts& inserts) {
    std::size_t n = inserts.inserted;
    bool owner_out_of_memory = false;
    for (const MapRequests::Sent& sent : inserts.sent) {
      for (std::size_t i = 0; i < sent.positions.size(); ++i) {
        const auto status = static_cast<MapReply::Status>(sent.reply->bytes[i]);
        if (status == MapReply::Status::yes) ++n;
        owner_out_of_memory = owner_out_of_memory || status == MapReply::Status::no_memory;
      }
    }
    if (owner_out_of_memory) throw_no_memory_at_owner();
    return n;
  }

  /// Stores the values of `n` keys, or no value, in `found`. \blocks until all are known
  template <class LocationOf, class It>
  void find(const LocationOf& location_of, It first, std::size_t n, std::optional<Mapped>* found) {
    constexpr std::size_t reply_words = 1 + (sizeof(Mapped) + 7) / 8;
    MapRequests requests(_storage, MapRequest::Kind::find_many, Element::key_words,
                         8 * reply_words);
    std::vector<HashIndex::Reader> readers;
    for (const team_unit_t unit : _storage.slots().node_units())
      readers.emplace_back(_storage.index(), unit);
    const auto consume = [found](const MapRequests::Sent& sent) {
      const auto* words = reinterpret_cast<const std::uint64_t*>(sent.reply->bytes.data());
      for (const std::size_t position : sent.positions) {
        if (words[0] != 0) {
          set(found[position], ElementBytes<Mapped>::read(words + 1));
        } else {
          set(found[position]);
        }
        words += reply_words;
      }
    };
    std::array<Query, prefetch_batch> queries;
    for (std::size_t begin = 0; begin < n; begin += prefetch_batch) {
      requests.drain(max_in_flight, consume);
      const std::size_t length = std::min(prefetch_batch, n - begin);
      It it = first;
      for (std::size_t i = 0; i < length; ++i, ++it) {
        const Key& key = *it;
        const KeyLocation location = location_of(key);
        const std::size_t slot = _storage.slots().index_on_node(location.unit);
        queries[i] = {location, slot == SlotStore::none ? nullptr : &readers[slot]};
        if (queries[i].reader != nullptr) queries[i].reader->prefetch(location.hash);
      }
      for (std::size_t i = 0; i < length; ++i) {
        if (queries[i].reader != nullptr)
          queries[i].reader->prefetch_slot(queries[i].location.hash, 8 * Element::nwords - 1);
      }
      for (std::size_t i = 0; i < length; ++i, ++first) {
        const Key& key = *first;
        if (queries[i].reader != nullptr) {
          find_on_node(queries[i], key, found[begin + i]);
        } else if constexpr (batches_remote_keys) {
          requests.add(queries[i].location, Element(key, Mapped()).words, begin + i);
        } else {
          find_one(queries[i].location, key, found[begin + i]);
        }
      }
    }
    requests.finish();
    requests.drain(0, consume);
  }

  void find_one(const KeyLocation& location, const Key& key, std::optional<Mapped>& value) const {
    value.reset();
    Element element;
    if (_access.read(location.unit, location.hash, key, element)) {
      value.emplace(Element::mapped_in(element.words));
    }
  }

 private:
  /// Number of keys whose words are prefetched before the first of them is looked up.
  static constexpr std::size_t prefetch_batch = 32;
  /// Maximum number of pending find messages.
  static constexpr std::size_t max_in_flight = 32;
  static constexpr std::ptrdiff_t prefetch_distance = 12;

  /// Constructs the result in place without reading the previous value, which needs no destruction.
  template <class... Value>
  static void set(std::optional<Mapped>& to, const Value&... value) {
    static_assert(std::is_trivially_destructible_v<Mapped>);
    ::new (&to) std::optional<Mapped>(value...);
  }

  struct Query {
    KeyLocation location;
    const HashIndex::Reader* reader;  // nullptr if on another node
  };

  void find_on_node(const Query& query, const Key& key, std::optional<Mapped>& found) const {
    using Result = HashIndex::Reader::Result;
    std::uint64_t words[Element::nwords];
    const Result result = query.reader->find(query.location.hash, [&](const char* content) {
      load_racing_words(words, content, Element::nwords);
      return _access.equal()(Element::key_in(words), key);
    });
    if (result == Result::yes) {
      set(found, Element::mapped_in(words));
    } else if (result == Result::no) {
      set(found);
    } else {
      find_one(query.location, key, found);
    }
  }

  /// Each unit starts with itself, so that concurrent calls access different units.
  template <class F>
  void for_each_unit(const F& f) const {
    const Team& team = _storage.team();
    for (std::size_t i = 0; i < team.size(); ++i) {
      f(team_unit_t(
          static_cast<dart_unit_t>((i + static_cast<std::size_t>(team.myid().id)) % team.size())));
    }
  }

  MapStorage& _storage;
  Access _access;
};

}  // namespace dash::internal
