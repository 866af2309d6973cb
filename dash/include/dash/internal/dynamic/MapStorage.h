#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "dash/GlobSharedRef.h"
#include "dash/Team.h"
#include "dash/async/Operation.h"
#include "dash/core/Export.h"
#include "dash/dart/RemoteCall.h"
#include "dash/internal/dynamic/HashIndex.h"
#include "dash/internal/dynamic/KeyHash.h"
#include "dash/internal/dynamic/MapService.h"
#include "dash/internal/dynamic/SlotStore.h"

namespace dash::internal {

/// The type-independent part of an allocated map: the slots, the index, and the service for units
/// of other nodes. Must not move.
class DASH_API MapStorage {
 public:
  struct Lookup {
    SlotName slot;
    bool changed = false;  // inserted, erased
    explicit operator bool() const noexcept { return slot.slot != SlotStore::none; }
  };

  /// \collective over the team  \throws exception::RuntimeError on all units if one lacks memory
  MapStorage(const MapLayout& layout, std::size_t content_alignment, std::size_t first_elements,
             Team& team);
  MapStorage(const MapStorage&) = delete;
  MapStorage& operator=(const MapStorage&) = delete;
  ~MapStorage() = default;

  /// Waits for all units, then frees the memory; without effect if already freed. \collective
  /// unless finalized
  void deallocate();

  Team& team() const noexcept { return _slots.team(); }
  SlotStore& slots() noexcept { return _slots; }
  const SlotStore& slots() const noexcept { return _slots; }
  HashIndex& index() noexcept { return _index; }
  const HashIndex& index() const noexcept { return _index; }

  /// Completes the caller's operations, waits for all units, and frees memory that became unused by
  /// growth.
  /// \collective over the team
  void barrier();

  /// Records that a key was inserted at a unit that is not its owner: from now on this unit, and
  /// from the next barrier on all units, search all units for keys. Relaxed: the flag publishes no data.
  void mark_scattered() noexcept { _scattered.store(true, std::memory_order_relaxed); }
  bool is_scattered() const noexcept { return _scattered.load(std::memory_order_relaxed); }

  /// Number of elements of a unit, or of all units. \cost a message for each unit of another node
  std::size_t size(team_unit_t unit) const;
  std::size_t size() const;

  /// Sends a request to a unit of another node, with `nwords` words of content.
  exec::Operation send(team_unit_t unit, const MapRequest& request,
                       const std::vector<SlotName>& skipped, const std::uint64_t* content,
                       std::size_t nwords, std::shared_ptr<dart::CallReply> reply) const;
  /// Sends a request and waits for the reply; retries while the owner is busy.
  /// \throws exception::RuntimeError if the owner did not have enough memory
  MapReply send_and_wait(team_unit_t unit, const MapRequest& request,
                         const std::vector<SlotName>& skipped, const std::uint64_t* content,
                         std::size_t nwords, std::shared_ptr<dart::CallReply> reply) const;
  static MapReply reply_in(const dart::CallReply& reply);
  static const std::uint64_t* content_in(const dart::CallReply& reply) noexcept {
    return reinterpret_cast<const std::uint64_t*>(reply.bytes.data() + sizeof(MapReply));
  }

 private:
  void free();

  SlotStore _slots;
  HashIndex _index;
  MapService _service;
  std::atomic<bool> _scattered{false};
};

[[noreturn]] DASH_API void throw_no_such_key();
[[noreturn]] DASH_API void throw_no_memory_at_owner();
[[noreturn]] DASH_API void throw_wrong_owner(team_unit_t unit, std::size_t nunits);

/// An element as words, the unit of transfer between units and processes.
template <class Key, class Mapped>
struct MapElement {
  using Value = std::pair<const Key, Mapped>;
  static constexpr std::size_t mapped_offset =
      (sizeof(Key) + alignof(Mapped) - 1) / alignof(Mapped) * alignof(Mapped);
  static constexpr std::size_t nwords = (mapped_offset + sizeof(Mapped) + 7) / 8;
  static constexpr std::size_t key_words = (sizeof(Key) + 7) / 8;
  static_assert(sizeof(Value) >= mapped_offset + sizeof(Mapped) && sizeof(Value) <= 8 * nwords + 8);
  static_assert(sizeof(Key) <= 2048,
                "dash::UnorderedMap: keys of more than 2 KiB are not supported");

  static constexpr MapLayout layout() noexcept {
    return {sizeof(Key), mapped_offset, sizeof(Mapped)};
  }

  std::uint64_t words[nwords] = {};

  MapElement() = default;
  MapElement(const Key& key, const Mapped& mapped) noexcept {
    auto* const bytes = reinterpret_cast<unsigned char*>(words);
    std::memcpy(bytes, &key, sizeof key);
    std::memcpy(bytes + mapped_offset, &mapped, sizeof mapped);
  }

  static Key key_in(const std::uint64_t* content) { return ElementBytes<Key>::read(content); }
  static Mapped mapped_in(const std::uint64_t* content) {
    return ElementBytes<Mapped>::read(reinterpret_cast<const unsigned char*>(content) +
                                      mapped_offset);
  }
};

/// Operations on one key at one unit, on the caller's node or on another.
template <class Key, class Mapped, class Pred>
class MapAccess {
 public:
  using Element = MapElement<Key, Mapped>;
  using Lookup = MapStorage::Lookup;
  static constexpr bool by_bytes = is_compared_by_bytes<Key, Pred>;

  MapAccess(MapStorage& storage, const Pred& equal) noexcept : _storage(storage), _equal(equal) {}

  const Pred& equal() const noexcept { return _equal; }

  Lookup find(team_unit_t unit, std::uint64_t hash, const Key& key) const {
    if (_storage.slots().on_node(unit)) {
      return {{_storage.index().find(unit, hash, equal_to(unit, key)).slot, 0}, false};
    }
    return send_and_wait(unit, MapRequest::Kind::find, hash, key, Element(key, Mapped()).words,
                         Element::key_words);
  }

  Lookup insert(team_unit_t unit, std::uint64_t hash, const Key& key, const Mapped& mapped) const {
    if (_storage.slots().on_node(unit)) {
      const auto result =
          _storage.index().insert(unit, hash, equal_to(unit, key), fill(unit, key, mapped));
      return {{result.slot, 0}, result.inserted};
    }
    const Element element(key, mapped);
    const std::size_t sent = Element::layout().sent_words();
    Lookup result = send_and_wait(unit, MapRequest::Kind::insert, hash, key, element.words, sent);
    if (sent < Element::nwords && result.changed) {
      // The element is too large for a message: put the mapped value separately.
      dart_gptr_t gptr = _storage.slots().content_gptr(unit, result.slot.slot);
      gptr.addr_or_offs.offset += Element::mapped_offset;
      GlobSharedRef<Mapped>(gptr).put(mapped);
    }
    return result;
  }

  bool erase(team_unit_t unit, std::uint64_t hash, const Key& key) const {
    if (_storage.slots().on_node(unit)) {
      return _storage.index().erase(unit, hash, equal_to(unit, key), true) ==
             HashIndex::Erased::yes;
    }
    auto reply = std::make_shared<dart::CallReply>();
    MapRequest request{MapRequest::Kind::erase, by_bytes, 0, 0, hash};
    if constexpr (by_bytes) {
      return _storage
                 .send_and_wait(unit, request, {}, Element(key, Mapped()).words, Element::key_words,
                                reply)
                 .status == MapReply::Status::yes;
    }
    request.kind = MapRequest::Kind::erase_slot;
    while (const Lookup found = find(unit, hash, key)) {
      std::uint64_t slot = 0;
      std::memcpy(&slot, &found.slot, sizeof slot);
      if (_storage.send_and_wait(unit, request, {}, &slot, 1, reply).status ==
          MapReply::Status::yes) {
        return true;
      }
    }
    return false;
  }

  /// Reads the element with a key consistently: never partially overwritten by a later element of
  /// the slot.
  /// \returns whether the key exists
  bool read(team_unit_t unit, std::uint64_t hash, const Key& key, Element& element) const {
    const SlotStore& slots = _storage.slots();
    if (slots.on_node(unit)) {
      return _storage.index().find_and_read(
          unit, hash, equal_to(unit, key), [&](std::uint32_t slot, std::uint32_t) {
            load_racing_words(element.words, slots.content(unit, slot), Element::nwords);
          });
    }
    const Element key_element(key, Mapped());
    const auto fetch = [&] {
      return send_and_wait(unit, MapRequest::Kind::find, hash, key, key_element.words,
                           Element::key_words, &element);
    };
    Lookup found = fetch();
    if constexpr (Element::layout().sent_words() < Element::nwords) {
      // The element is too large for the reply: a copy is valid if the element still exists after
      // the get.
      for (Lookup before; found && before.slot != found.slot;) {
        before = found;
        dart::get_blocking(element.words, slots.content_gptr(unit, found.slot.slot),
                           sizeof element.words);
        found = fetch();
      }
    }
    return static_cast<bool>(found);
  }

 private:
  auto equal_to(team_unit_t unit, const Key& key) const {
    return [this, unit, &key](std::uint32_t slot) {
      std::uint64_t words[Element::key_words];
      load_racing_words(words, _storage.slots().content(unit, slot), Element::key_words);
      return _equal(Element::key_in(words), key);
    };
  }
  auto fill(team_unit_t unit, const Key& key, const Mapped& mapped) const {
    return [this, unit, &key, &mapped](std::uint32_t slot) {
      store_racing_words(_storage.slots().content(unit, slot), Element(key, mapped).words,
                         Element::nwords);
    };
  }

  /// Sends a request to the owner. If the owner cannot compare the keys, compares them here and
  /// repeats the request, if necessary.
  /// \param existing  receives the part of an existing element that fits into the reply; or nullptr
  Lookup send_and_wait(team_unit_t unit, MapRequest::Kind kind, std::uint64_t hash, const Key& key,
                       const std::uint64_t* content, std::size_t nwords,
                       Element* existing = nullptr) const {
    auto reply = std::make_shared<dart::CallReply>();
    const MapRequest request{kind, by_bytes, 0, 0, hash};
    std::vector<SlotName> skipped;
    while (true) {
      const MapReply result =
          _storage.send_and_wait(unit, request, skipped, content, nwords, reply);
      const bool inserted =
          kind == MapRequest::Kind::insert && result.status == MapReply::Status::yes;
      if (result.slot.slot == SlotStore::none || inserted) return {result.slot, inserted};
      const std::uint64_t* const shown = MapStorage::content_in(*reply);
      if (by_bytes || _equal(Element::key_in(shown), key)) {
        if (existing != nullptr)
          std::copy_n(shown, Element::layout().sent_words(), existing->words);
        return {result.slot, false};
      }
      skipped.push_back(result.slot);
    }
  }

  MapStorage& _storage;
  const Pred& _equal;
};

}  // namespace dash::internal
