#pragma once

#include <array>
#include <cstddef>

#include "Halo.h"
#include "Mesh.h"

namespace lulesh {

/// Where messages are in a unit's inbox, which looks the same on all units: a place for each kind
/// and direction.
class Inbox {
 public:
  explicit Inbox(const Mesh& mesh) {
    for (std::size_t kind = 0; kind < num_kinds; ++kind) {
      for (std::size_t d = 0; d < num_directions; ++d) {
        _places[kind][d] = _capacity;
        _capacity += message_capacity(mesh, static_cast<Kind>(kind), d);
      }
    }
  }

  /// Of all messages, in numbers.
  std::size_t capacity() const { return _capacity; }
  std::size_t place(Kind kind, std::size_t direction) const {
    return _places[static_cast<std::size_t>(kind)][direction];
  }
  /// Of each message, from 0.
  static constexpr std::size_t number(Kind kind, std::size_t direction) {
    return static_cast<std::size_t>(kind) * num_directions + direction;
  }
  static constexpr std::size_t num_messages = num_kinds * num_directions;

 private:
  std::array<std::array<std::size_t, num_directions>, num_kinds> _places{};
  std::size_t _capacity = 0;
};

}  // namespace lulesh
