#include "dash/internal/dynamic/MapService.h"

#include <algorithm>
#include <cstring>

namespace dash::internal {

namespace {

using Status = MapReply::Status;
using Kind = MapRequest::Kind;

/// Number of words of a key that are compared at once, on the stack.
constexpr std::size_t chunk_words = 32;

/// Number of items of a request whose table words are prefetched together.
constexpr std::size_t prefetch_batch = 32;

std::uint64_t hash_at(const std::byte* item) noexcept {
  std::uint64_t hash = 0;
  std::memcpy(&hash, item, sizeof hash);
  return hash;
}

SlotName skipped_slot(const std::byte* skipped, std::size_t i) noexcept {
  SlotName slot;
  std::memcpy(&slot, skipped + i * sizeof slot, sizeof slot);
  return slot;
}

}  // namespace

bool MapService::has_key(std::uint32_t slot, const std::byte* key) const noexcept {
  const char* const content = _slots.content(_unit, slot);
  std::size_t nbytes = _layout.key_bytes;
  for (std::size_t begin = 0; nbytes != 0; begin += chunk_words * 8) {
    std::uint64_t words[chunk_words];
    const std::size_t length = std::min(nbytes, sizeof words);
    load_racing_words(words, content + begin, (length + 7) / 8);
    if (std::memcmp(words, key + begin, length) != 0) return false;
    nbytes -= length;
  }
  return true;
}

MapReply::Status MapService::erase(const MapRequest& request, const std::byte* content) {
  const auto erased = [&](const auto& equal) {
    switch (_index.erase(_unit, request.hash, equal, false)) {
      case HashIndex::Erased::yes:
        return Status::yes;
      case HashIndex::Erased::busy:
        return Status::busy;
      default:
        return Status::no;
    }
  };
  if (request.kind == Kind::erase) {
    return erased([&](std::uint32_t slot) { return has_key(slot, content); });
  }
  const SlotName target = skipped_slot(content, 0);
  return erased([&](std::uint32_t slot) {
    return slot == target.slot &&
           SlotHeader::count_of(_slots.header(_unit, slot).load()) == target.count;
  });
}

template <class Equal, class Visitor>
MapReply::Status MapService::insert(const MapRequest& request, const Equal& equal,
                                    const std::byte* content, const Visitor& visit) {
  while (true) {
    const auto result = _index.insert(_unit, request.hash, equal, [&](std::uint32_t slot) {
      store_racing_words(_slots.content(_unit, slot), content, _layout.sent_words());
    });
    if (result.inserted) {
      visit(result.slot, SlotHeader::count_of(_slots.header(_unit, result.slot).load()));
      return Status::yes;
    }
    // Retries if the element was erased in the meantime.
    if (_index.find_and_read(_unit, request.hash, equal, visit)) return Status::no;
  }
}

std::size_t MapService::serve_one(const MapRequest& request, const std::byte* data,
                                  std::byte* reply) {
  MapReply header;
  const std::byte* const content = data + request.nskipped * sizeof(SlotName);
  const auto equal = [&](std::uint32_t slot) {
    if (request.by_bytes) return has_key(slot, content);
    const SlotName seen{slot, SlotHeader::count_of(_slots.header(_unit, slot).load())};
    for (std::uint32_t i = 0; i < request.nskipped; ++i) {
      if (skipped_slot(data, i) == seen) return false;
    }
    return true;
  };
  std::size_t nbytes = sizeof header;
  const auto visit = [&](std::uint32_t slot, std::uint32_t count) {
    header.slot = {slot, count};
    load_racing_words(reply + sizeof header, _slots.content(_unit, slot), _layout.sent_words());
    nbytes = sizeof header + 8 * _layout.sent_words();
  };
  if (request.kind == Kind::insert) {
    header.status = insert(request, equal, content, visit);
  } else if (request.kind == Kind::find) {
    const bool found = _index.find_and_read(_unit, request.hash, equal, visit);
    header.status = found ? Status::yes : Status::no;
  } else if (request.kind == Kind::count) {
    header.number = _slots.live(_unit);
  } else {
    header.status = erase(request, content);
  }
  std::memcpy(reply, &header, sizeof header);
  return nbytes;
}

/// Replies with one status for each item.
std::size_t MapService::insert_many(const MapRequest& request, const std::byte* data,
                                    std::byte* reply) {
  const std::size_t nbytes = 8 + 8 * _layout.words();
  for (std::size_t i = 0; i < request.count; ++i, data += nbytes) {
    if (i % prefetch_batch == 0) {
      const std::size_t n = std::min<std::size_t>(prefetch_batch, request.count - i);
      for (std::size_t k = 0; k < n; ++k)
        _index.prefetch(_unit, hash_at(data + k * nbytes));
    }
    const std::uint64_t hash = hash_at(data);
    const std::byte* const content = data + sizeof hash;
    Status status = Status::no_memory;
    try {
      const auto result = _index.insert(
          _unit, hash, [&](std::uint32_t slot) { return has_key(slot, content); },
          [&](std::uint32_t slot) {
            store_racing_words(_slots.content(_unit, slot), content, _layout.words());
          });
      status = result.inserted ? Status::yes : Status::no;
    } catch (...) {  // NOLINT(bugprone-empty-catch): the status reports the error
    }
    reply[i] = static_cast<std::byte>(status);
  }
  return request.count;
}

/// Replies with one word for each item, whether the key exists, followed by its mapped value.
std::size_t MapService::find_many(const MapRequest& request, const std::byte* data,
                                  std::byte* reply) {
  using Result = HashIndex::Reader::Result;
  const std::size_t nbytes = 8 + 8 * _layout.key_words();
  const std::size_t mapped_words = (_layout.mapped_bytes + 7) / 8;
  const HashIndex::Reader reader(_index, _unit);
  std::byte* to = reply;
  for (std::size_t i = 0; i < request.count; ++i, data += nbytes, to += 8 + 8 * mapped_words) {
    if (i % prefetch_batch == 0) {
      const std::size_t n = std::min<std::size_t>(prefetch_batch, request.count - i);
      for (std::size_t k = 0; k < n; ++k)
        reader.prefetch(hash_at(data + k * nbytes));
      for (std::size_t k = 0; k < n; ++k)
        reader.prefetch_slot(hash_at(data + k * nbytes), 8 * _layout.words() - 1);
    }
    const std::uint64_t hash = hash_at(data);
    const std::byte* const key = data + sizeof hash;
    std::uint64_t words[max_batched_words];
    const Result result = reader.find(hash, [&](const char* content) {
      load_racing_words(words, content, _layout.words());
      return std::memcmp(words, key, _layout.key_bytes) == 0;
    });
    std::uint64_t found = result == Result::yes ? 1 : 0;
    if (result == Result::unknown) {
      found = _index.find_and_read(
          _unit, hash, [&](std::uint32_t slot) { return has_key(slot, key); },
          [&](std::uint32_t slot, std::uint32_t) {
            load_racing_words(words, _slots.content(_unit, slot), _layout.words());
          });
    }
    std::memcpy(to, &found, sizeof found);
    if (found != 0) {
      const auto* const content = reinterpret_cast<const std::byte*>(words);
      std::memcpy(to + sizeof found, content + _layout.mapped_offset, _layout.mapped_bytes);
    }
  }
  return static_cast<std::size_t>(to - reply);
}

std::size_t MapService::serve(std::span<const std::byte> bytes, std::byte* reply) noexcept {
  MapRequest request;
  std::memcpy(&request, bytes.data(), sizeof request);
  const std::byte* const data = bytes.data() + sizeof request;
  try {
    if (request.kind == Kind::insert_many) return insert_many(request, data, reply);
    if (request.kind == Kind::find_many) return find_many(request, data, reply);
    return serve_one(request, data, reply);
  } catch (...) {
    MapReply header;
    header.status = Status::no_memory;
    std::memcpy(reply, &header, sizeof header);
    return sizeof header;
  }
}

}  // namespace dash::internal
