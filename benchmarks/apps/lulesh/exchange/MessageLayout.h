#pragma once

#include <array>
#include <cstddef>

#include "exchange/Halo.h"
#include "mesh/Mesh.h"

namespace lulesh {

/// Layout of a message buffer, equal on all units: an offset for each kind and direction.
class MessageLayout {
 public:
  explicit MessageLayout(const Mesh& mesh) {
    for (std::size_t kind = 0; kind < num_kinds; ++kind) {
      for (std::size_t d = 0; d < num_directions; ++d) {
        _offsets[kind][d] = _capacity;
        _capacity += message_capacity(mesh, static_cast<Kind>(kind), d);
      }
    }
  }

  /// Length of the buffer, in doubles.
  std::size_t capacity() const { return _capacity; }
  std::size_t offset(Kind kind, std::size_t direction) const {
    return _offsets[static_cast<std::size_t>(kind)][direction];
  }
  /// Sequential number of a message, from 0.
  static constexpr std::size_t number(Kind kind, std::size_t direction) {
    return static_cast<std::size_t>(kind) * num_directions + direction;
  }
  static constexpr std::size_t num_messages = num_kinds * num_directions;

 private:
  std::array<std::array<std::size_t, num_directions>, num_kinds> _offsets{};
  std::size_t _capacity = 0;
};

}  // namespace lulesh
