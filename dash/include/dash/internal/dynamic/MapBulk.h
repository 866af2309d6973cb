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
    if (open.positions.empty()) {
      open.words.reserve(_most * (1 + _item_words));
      open.positions.reserve(_most);
    }
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
  /// Waits for the oldest of what was sent and calls take(sent), until so many are left: what comes
  /// back is taken while it is in the caches, and its memory used again.
  template <class Take>
  void take_all_but(std::size_t most, const Take& take) {
    for (; _sent.size() - _taken > most; ++_taken) {
      Sent sent = std::move(_sent[_taken]);
      sent.operation.wait();
      take(sent);
    }
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
  std::size_t _taken = 0;
};

/// Elements in the order of the units that own them.
template <std::size_t nwords>
class MapPartition {
 public:
  struct Item {
    std::uint64_t hash;
    std::uint64_t words[nwords];
  };

  /// \param words_of  writes the words of `*it`
  template <class It, class PlaceOf, class WordsOf>
  MapPartition(const Team& team, It first, std::size_t n, const PlaceOf& place_of,
               const WordsOf& words_of)
      : _items(new Item[n]), _ends(team.size(), 0) {
    const std::unique_ptr<MapKeyPlace[]> places(new MapKeyPlace[n]);
    It it = first;
    for (std::size_t i = 0; i < n; ++i, ++it) {
      places[i] = place_of(*it);
      ++_ends[static_cast<std::size_t>(places[i].unit.id)];
    }
    std::size_t begin = 0;
    for (std::size_t& end : _ends)
      end = std::exchange(begin, begin + end);
    // From here on the ends are where the next item goes.
    it = first;
    for (std::size_t i = 0; i < n; ++i, ++it) {
      Item& item = _items[_ends[static_cast<std::size_t>(places[i].unit.id)]++];
      item.hash = places[i].hash;
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

/// Inserts and finds of many keys.
template <class Key, class Mapped, class Pred>
class MapBulk {
 public:
  using Access = MapAccess<Key, Mapped, Pred>;
  using Element = MapElement<Key, Mapped>;
  /// Whether what is on other nodes may go in messages of many.
  static constexpr bool gathers = Access::by_bytes && Element::nwords <= most_words_of_many;
  /// Keys that are dealt with together.
  static constexpr std::size_t at_a_time = std::size_t{1} << 18;

  MapBulk(MapStorage& storage, const Pred& equal) : _storage(storage), _access(storage, equal) {}

  struct Inserts {
    std::size_t inserted = 0;
    std::vector<MapRequests::Sent> sent;
  };

  /// Starts to insert `n` elements; those of the node are inserted on return.
  /// \param place_of  the place of a key
  template <class PlaceOf, class It>
  void start_inserts(const PlaceOf& place_of, It first, std::size_t n, Inserts& inserts) {
    MapRequests requests(_storage, MapRequest::What::insert_many, Element::nwords, 1);
    // Each unit's together: so units that insert at once keep out of each other's way.
    const MapPartition<Element::nwords> partition(
        _storage.team(), first, n, [&](const auto& value) { return place_of(value.first); },
        [](const auto& value, std::uint64_t* words) {
          const Element element(value.first, value.second);
          std::copy_n(element.words, Element::nwords, words);
        });
    for_each_unit([&](team_unit_t unit) {
      const auto* item = partition.begin(static_cast<std::size_t>(unit.id));
      const auto* const end = partition.end(static_cast<std::size_t>(unit.id));
      const bool on_node = _storage.slots().on_node(unit);
      for (; item != end; ++item) {
        if (gathers && !on_node) {
          requests.add({unit, item->hash}, item->words, 0);
          continue;
        }
        if (on_node && end - item > ahead) _storage.index().prefetch(unit, item[ahead].hash);
        const auto result = _access.insert(unit, item->hash, Element::key_in(item->words),
                                           Element::mapped_in(item->words));
        if (result.changed) ++inserts.inserted;
      }
    });
    std::vector<MapRequests::Sent>& sent = requests.finish();
    std::move(sent.begin(), sent.end(), std::back_inserter(inserts.sent));
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
    std::vector<HashIndex::Reader> readers;
    for (const team_unit_t unit : _storage.slots().node_units())
      readers.emplace_back(_storage.index(), unit);
    const auto take = [found](const MapRequests::Sent& sent) {
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
    std::array<Wanted, together> wanted;
    for (std::size_t begin = 0; begin < n; begin += together) {
      requests.take_all_but(most_on_their_way, take);
      const std::size_t length = std::min(together, n - begin);
      It it = first;
      for (std::size_t i = 0; i < length; ++i, ++it) {
        const Key& key = *it;
        const MapKeyPlace place = place_of(key);
        const std::size_t slot = _storage.slots().place_on_node(place.unit);
        wanted[i] = {place, slot == SlotStore::none ? nullptr : &readers[slot]};
        if (wanted[i].reader != nullptr) wanted[i].reader->prefetch(place.hash);
      }
      for (std::size_t i = 0; i < length; ++i) {
        if (wanted[i].reader != nullptr)
          wanted[i].reader->prefetch_slot(wanted[i].place.hash, 8 * Element::nwords - 1);
      }
      for (std::size_t i = 0; i < length; ++i, ++first) {
        const Key& key = *first;
        if (wanted[i].reader != nullptr) {
          find_on_node(wanted[i], key, found[begin + i]);
        } else if constexpr (gathers) {
          requests.add(wanted[i].place, Element(key, Mapped()).words, begin + i);
        } else {
          find_one(wanted[i].place, key, found[begin + i]);
        }
      }
    }
    requests.finish();
    requests.take_all_but(0, take);
  }

  void find_one(const MapKeyPlace& place, const Key& key, std::optional<Mapped>& value) const {
    value.reset();
    Element element;
    if (_access.read(place.unit, place.hash, key, element)) {
      value.emplace(Element::mapped_in(element.words));
    }
  }

 private:
  /// Keys whose words are fetched before the first of them is looked at.
  static constexpr std::size_t together = 32;
  /// Messages of finds that are not waited for.
  static constexpr std::size_t most_on_their_way = 32;
  static constexpr std::ptrdiff_t ahead = 12;

  /// What is found goes where it belongs at once, without a look at what was there: nothing has to be
  /// destroyed.
  template <class... Value>
  static void set(std::optional<Mapped>& to, const Value&... value) {
    static_assert(std::is_trivially_destructible_v<Mapped>);
    ::new (&to) std::optional<Mapped>(value...);
  }

  struct Wanted {
    MapKeyPlace place;
    const HashIndex::Reader* reader;  // nullptr: on another node
  };

  void find_on_node(const Wanted& wanted, const Key& key, std::optional<Mapped>& found) const {
    using Result = HashIndex::Reader::Result;
    std::uint64_t words[Element::nwords];
    const Result result = wanted.reader->find(wanted.place.hash, [&](const char* content) {
      copy_racing(words, content, Element::nwords);
      return _access.equal()(Element::key_in(words), key);
    });
    if (result == Result::yes) {
      set(found, Element::mapped_in(words));
    } else if (result == Result::no) {
      set(found);
    } else {
      find_one(wanted.place, key, found);
    }
  }

  /// Each unit begins with its own, so that they keep out of each other's way.
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
