#include "dash/rpc/RemoteElements.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <span>
#include <utility>

#include "dash/Exception.h"
#include "dash/Rpc.h"
#include "dash/dart/Access.h"

namespace dash::internal {

namespace {

/// Bytes of positions or of values in a message. With 4 KB or 64 KB, reading random elements of another node took twice
/// the time.
constexpr std::size_t message_bytes = 16000;
constexpr std::size_t min_elements = 16;

/// The caller's memory from `base` on that contains all elements.
std::byte* memory_of(const dart_gptr_t& base, std::uint32_t element_size,
                     std::span<const std::uint32_t> positions) {
  const std::size_t last = *std::max_element(positions.begin(), positions.end());
  void* const memory = dart::on_node_address(base, (last + 1) * element_size);
  if (memory == nullptr) {
    DASH_THROW(exception::InvalidArgument, "the element at offset "
                                               << last * element_size << " of unit " << base.unitid
                                               << " in team " << base.teamid
                                               << " is not within a live allocation");
  }
  return static_cast<std::byte*>(memory);
}

/// Copies elements of a size that the compiler knows for numbers, so that it needs no function call.
template <class Copy>
void for_size(std::size_t size, const Copy& copy) {
  switch (size) {
    case 4:
      return copy([](void* to, const void* from) { std::memcpy(to, from, 4); });
    case 8:
      return copy([](void* to, const void* from) { std::memcpy(to, from, 8); });
    default:
      return copy([size](void* to, const void* from) { std::memcpy(to, from, size); });
  }
}

std::vector<std::byte> read_elements(dart_gptr_t base, std::uint32_t size,
                                     std::span<const std::uint32_t> positions) {
  const std::byte* const memory = memory_of(base, size, positions);
  std::vector<std::byte> values(positions.size() * size);
  for_size(size, [&](auto copy) {
    for (std::size_t k = 0; k < positions.size(); ++k)
      copy(values.data() + k * size, memory + std::size_t{positions[k]} * size);
  });
  return values;
}

void write_elements(dart_gptr_t base, std::uint32_t size, std::span<const std::uint32_t> positions,
                    std::span<const std::byte> values) {
  std::byte* const memory = memory_of(base, size, positions);
  for_size(size, [&](auto copy) {
    for (std::size_t k = 0; k < positions.size(); ++k)
      copy(memory + std::size_t{positions[k]} * size, values.data() + k * size);
  });
}

}  // namespace

RemoteElements::RemoteElements(const Team& team, std::size_t element_size)
    : _team(team),
      _element_size(element_size),
      _max_elements(
          std::max(min_elements, message_bytes / std::max(element_size, sizeof(std::uint32_t)))),
      _batches(team.size()) {}

RemoteElements::~RemoteElements() {
  for (const Future<void>& each : _sent) {
    try {
      each.wait();
    } catch (...) {  // the error that prevented finish() is reported
    }
  }
}

RemoteElements::Batch& RemoteElements::batch_of(const dart_gptr_t& gptr) {
  Batch& batch = _batches[static_cast<std::size_t>(gptr.unitid)];
  if (batch.positions.empty()) {
    batch.base = gptr;
    batch.base.addr_or_offs.offset = 0;
    batch.positions.reserve(_max_elements);
  }
  batch.positions.push_back(static_cast<std::uint32_t>(gptr.addr_or_offs.offset / _element_size));
  return batch;
}

void RemoteElements::get(const dart_gptr_t& gptr, void* out) {
  Batch& batch = batch_of(gptr);
  batch.out.push_back(out);
  if (batch.positions.size() == _max_elements) send(batch);
}

void RemoteElements::put(const dart_gptr_t& gptr, const void* value) {
  Batch& batch = batch_of(gptr);
  const auto* const bytes = static_cast<const std::byte*>(value);
  batch.values.insert(batch.values.end(), bytes, bytes + _element_size);
  if (batch.positions.size() == _max_elements) send(batch);
}

void RemoteElements::send(Batch& batch) {
  const team_unit_t unit(batch.base.unitid);
  const auto size = static_cast<std::uint32_t>(_element_size);
  const std::span<const std::uint32_t> positions(batch.positions);
  if (batch.out.empty()) {
    _sent.push_back(dash::am(unit, on(_team), write_elements, batch.base, size, positions,
                             std::span<const std::byte>(batch.values)));
  } else {
    _sent.push_back(
        dash::am(unit, on(_team), read_elements, batch.base, size, positions)
            .then([size, out = std::exchange(batch.out, {})](const std::vector<std::byte>& values) {
              for_size(size, [&](auto copy) {
                for (std::size_t k = 0; k < out.size(); ++k)
                  copy(out[k], values.data() + k * size);
              });
            }));
  }
  batch.positions.clear();
  batch.values.clear();
}

Future<void> RemoteElements::finish() {
  for (Batch& batch : _batches) {
    if (!batch.positions.empty()) send(batch);
  }
  if (_sent.empty()) return make_ready_future();
  return when_all(std::exchange(_sent, {})).then([](std::vector<Future<void>> all) {
    for (Future<void>& each : all)
      each.get();
  });
}

}  // namespace dash::internal
