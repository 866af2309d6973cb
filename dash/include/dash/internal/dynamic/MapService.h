#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "dash/core/Export.h"
#include "dash/dart/RemoteCall.h"
#include "dash/internal/dynamic/HashIndex.h"
#include "dash/internal/dynamic/SlotStore.h"

namespace dash::internal {

/// A request to the owner of a key on another node.
struct MapRequest {
  enum class Kind : std::uint8_t {
    find,         ///< the slot of a key
    insert,       ///< an element, unless its key exists
    erase,        ///< the element with a key
    erase_slot,   ///< the element in a slot, if the slot still holds the element that was found
    count,        ///< the number of the owner's elements
    insert_many,  ///< elements, each preceded by its hash
    find_many     ///< keys, each preceded by its hash
  };

  Kind kind = Kind::find;
  /// Keys are equal if their bytes are; otherwise the requesting unit compares the element in the
  /// reply.
  bool by_bytes = true;
  std::uint16_t count = 0;  // number of items of insert_many and find_many
  std::uint32_t nskipped =
      0;  // number of SlotNames before the content: elements that compared unequal
  std::uint64_t hash = 0;
};

/// The reply, followed by the content of the element if it was found.
struct MapReply {
  enum class Status : std::uint8_t { no, yes, busy, no_memory };

  Status status = Status::no;  // found, inserted, erased
  SlotName slot;
  std::uint64_t number = 0;
};

/// Elements up to this size are batched; larger ones are sent individually.
inline constexpr std::size_t max_batched_words = 64;

/// The layout of an element in its slot.
struct MapLayout {
  std::size_t key_bytes = 0;
  std::size_t mapped_offset = 0;
  std::size_t mapped_bytes = 0;

  constexpr std::size_t key_words() const noexcept { return (key_bytes + 7) / 8; }
  constexpr std::size_t words() const noexcept { return (mapped_offset + mapped_bytes + 7) / 8; }
  /// Number of words of the content that fit into a message.
  constexpr std::size_t sent_words() const noexcept {
    constexpr std::size_t most = (dart::CallService::max_bytes - 1024) / 8;
    return words() < most ? words() : most;
  }
};

/// Serves requests of units on other nodes for this unit's part of a map. Runs no user code: keys
/// are compared by their bytes, or by the requesting unit.
class DASH_API MapService final : public dart::CallService {
 public:
  MapService(SlotStore& slots, HashIndex& index, const MapLayout& layout)
      : _slots(slots), _index(index), _layout(layout), _unit(slots.team().myid()) {}

  std::size_t serve(std::span<const std::byte> request, std::byte* reply) noexcept override;

 private:
  std::size_t serve_one(const MapRequest& request, const std::byte* data, std::byte* reply);
  MapReply::Status erase(const MapRequest& request, const std::byte* content);
  std::size_t insert_many(const MapRequest& request, const std::byte* data, std::byte* reply);
  std::size_t find_many(const MapRequest& request, const std::byte* data, std::byte* reply);
  bool has_key(std::uint32_t slot, const std::byte* key) const noexcept;
  template <class Equal, class Visitor>
  MapReply::Status insert(const MapRequest& request, const Equal& equal, const std::byte* content,
                          const Visitor& visit);

  SlotStore& _slots;
  HashIndex& _index;
  MapLayout _layout;
  team_unit_t _unit;
};

}  // namespace dash::internal
