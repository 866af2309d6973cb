#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "dash/async/Operation.h"
#include "dash/internal/dynamic/MapStorage.h"

namespace dash::internal {

/// Where the table of a key is: its owner, and its hash there.
struct MapKeyPlace {
  team_unit_t unit;
  std::uint64_t hash = 0;
};

/// Requests on their way that are about many keys each.
///
/// Keys of the caller's node are dealt with at once, some at a time, so that the processor fetches the
/// tables' words for all of them together. The others are gathered by their owners into messages,
/// which are in flight together.
class MapRequests {
 public:
  MapRequests(const MapStorage& storage, MapRequest::What what, std::size_t item_words,
              std::size_t reply_bytes)
      : _storage(storage),
        _what(what),
        _item_words(item_words),
        _most(std::min((dart::CallService::max_bytes - sizeof(MapRequest)) / (8 * item_words + 8),
                       dart::CallService::max_bytes / reply_bytes)) {}

  struct Sent {
    exec::Operation operation;
    std::shared_ptr<dart::CallReply> reply;
    std::vector<std::size_t> positions;  // of the items, in the caller's order
  };

  void add(const MapKeyPlace& place, const std::uint64_t* item, std::size_t position) {
    if (_open.empty()) _open.resize(_storage.team().size());
    Open& open = _open[static_cast<std::size_t>(place.unit.id)];
    open.words.push_back(place.hash);
    open.words.insert(open.words.end(), item, item + _item_words);
    open.positions.push_back(position);
    if (open.positions.size() == _most) send(place.unit);
  }
  /// Sends what is left. \returns all that was sent
  std::vector<Sent>& finish() {
    for (std::size_t unit = 0; unit < _open.size(); ++unit)
      send(team_unit_t(static_cast<dart_unit_t>(unit)));
    return _sent;
  }

 private:
  struct Open {
    std::vector<std::uint64_t> words;
    std::vector<std::size_t> positions;
  };

  void send(team_unit_t unit) {
    Open& open = _open[static_cast<std::size_t>(unit.id)];
    if (open.positions.empty()) return;
    auto reply = std::make_shared<dart::CallReply>();
    const MapRequest request{_what, true, static_cast<std::uint16_t>(open.positions.size()), 0, 0};
    _sent.push_back({_storage.send(unit, request, {}, open.words.data(), open.words.size(), reply),
                     reply, std::move(open.positions)});
    open = {};
  }

  const MapStorage& _storage;
  MapRequest::What _what;
  std::size_t _item_words;
  std::size_t _most;
  std::vector<Open> _open;  // by unit
  std::vector<Sent> _sent;
};

/// Inserts and finds of many keys.
/// \tparam PlaceOf  the place of a key
template <class Key, class Mapped, class Pred>
class MapBulk {
 public:
  using Access = MapAccess<Key, Mapped, Pred>;
  using Element = MapElement<Key, Mapped>;
  /// Whether what is on other nodes may go in messages of many.
  static constexpr bool gathers = Access::by_bytes && Element::nwords <= most_words_of_many;

  MapBulk(MapStorage& storage, const Pred& equal) : _storage(storage), _access(storage, equal) {}

  struct Inserts {
    std::size_t inserted = 0;
    std::vector<MapRequests::Sent> sent;
  };

  /// Starts to insert elements; those of the node are inserted on return.
  template <class PlaceOf, class It>
  Inserts start_inserts(const PlaceOf& place_of, It first, It last) {
    Inserts inserts;
    MapRequests requests(_storage, MapRequest::What::insert_many, Element::nwords, 1);
    std::array<MapKeyPlace, together> places;
    while (first != last) {
      std::size_t n = 0;
      for (It it = first; it != last && n < together; ++it, ++n) {
        places[n] = place_of((*it).first);
        if (_storage.slots().on_node(places[n].unit)) {
          _storage.index().prefetch(places[n].unit, places[n].hash);
        }
      }
      for (std::size_t i = 0; i < n; ++i, ++first) {
        const auto& value = *first;
        if (!gathers || _storage.slots().on_node(places[i].unit)) {
          const auto result =
              _access.insert(places[i].unit, places[i].hash, value.first, value.second);
          if (result.changed) ++inserts.inserted;
        } else {
          requests.add(places[i], Element(value.first, value.second).words, 0);
        }
      }
    }
    inserts.sent = std::move(requests.finish());
    return inserts;
  }

  /// What was inserted. \pre everything sent has been answered
  static std::size_t count(const Inserts& inserts) {
    std::size_t n = inserts.inserted;
    bool short_of_memory = false;
    for (const MapRequests::Sent& sent : inserts.sent) {
      for (std::size_t i = 0; i < sent.positions.size(); ++i) {
        const auto status = static_cast<MapReply::Status>(sent.reply->bytes[i]);
        if (status == MapReply::Status::yes) ++n;
        short_of_memory = short_of_memory || status == MapReply::Status::no_memory;
      }
    }
    if (short_of_memory) throw_no_memory_at_owner();
    return n;
  }

  /// The values of `n` keys, or none, in `found`. \blocks until all are there
  template <class PlaceOf, class It>
  void find(const PlaceOf& place_of, It first, std::size_t n, std::optional<Mapped>* found) {
    constexpr std::size_t reply_words = 1 + (sizeof(Mapped) + 7) / 8;
    MapRequests requests(_storage, MapRequest::What::find_many, Element::key_words,
                         8 * reply_words);
    std::array<MapKeyPlace, together> places;
    for (std::size_t begin = 0; begin < n; begin += together) {
      const std::size_t length = std::min(together, n - begin);
      prefetch(place_of, first, length, places);
      for (std::size_t i = 0; i < length; ++i, ++first) {
        const Key& key = *first;
        if (gathers && !_storage.slots().on_node(places[i].unit)) {
          requests.add(places[i], Element(key, Mapped()).words, begin + i);
        } else {
          found[begin + i] = find_one(places[i], key);
        }
      }
    }
    for (MapRequests::Sent& sent : requests.finish()) {
      sent.operation.wait();
      const auto* words = reinterpret_cast<const std::uint64_t*>(sent.reply->bytes.data());
      for (const std::size_t position : sent.positions) {
        if (words[0] != 0) {
          found[position] = ElementBytes<Mapped>::read(words + 1);
        } else {
          found[position].reset();
        }
        words += reply_words;
      }
    }
  }

  std::optional<Mapped> find_one(const MapKeyPlace& place, const Key& key) const {
    if (_storage.slots().on_node(place.unit)) {
      Element element;
      if (!_access.read(place.unit, place.hash, key, element)) return std::nullopt;
      return Element::mapped_in(element.words);
    }
    const auto found = _access.find(place.unit, place.hash, key);
    if (!found) return std::nullopt;
    dart_gptr_t gptr = _storage.slots().content_gptr(place.unit, found.slot.slot);
    gptr.addr_or_offs.offset += Element::mapped_offset;
    return GlobSharedRef<Mapped>(gptr).get();
  }

 private:
  /// Misses of the cache that are under way together.
  static constexpr std::size_t together = 32;

  template <class PlaceOf, class It>
  void prefetch(const PlaceOf& place_of, It it, std::size_t n,
                std::array<MapKeyPlace, together>& places) const {
    for (std::size_t i = 0; i < n; ++i, ++it) {
      places[i] = place_of(*it);
      if (_storage.slots().on_node(places[i].unit)) {
        _storage.index().prefetch(places[i].unit, places[i].hash);
      }
    }
    for (std::size_t i = 0; i < n; ++i) {
      if (_storage.slots().on_node(places[i].unit)) {
        _storage.index().prefetch_slot(places[i].unit, places[i].hash);
      }
    }
  }

  MapStorage& _storage;
  Access _access;
};

}  // namespace dash::internal
