#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "Fields.h"
#include "Mesh.h"

/// \file
/// What neighbours exchange: which fields of which nodes or elements, in which order. How it gets
/// there is up to an Exchange.

namespace lulesh {

/// The exchanges of a run. Sums: each unit adds what the others have for the nodes that they share.
/// Copies: all take the value of one.
enum class Kind : unsigned char {
  mass,      ///< of nodes, once: a sum
  force,     ///< of nodes: a sum
  motion,    ///< positions and velocities: nodes take those of the highest unit that has them
  gradients  ///< of the velocity: the layers of elements outside of the own ones
};
inline constexpr std::size_t num_kinds = 4;

/// A way to a neighbour: -1, 0 or 1 in x, y, z.
inline constexpr std::size_t num_directions = 26;
/// All of them, in the order in which what is received is used: faces, edges, corners.
extern const std::array<Int3, num_directions> directions;
/// The number of the opposite one.
std::size_t opposite(std::size_t direction);

/// Whether a unit gets something from the neighbour in a direction.
bool receives(const Mesh& mesh, Kind kind, std::size_t direction);
/// Whether it sends something there: if and only if the neighbour receives from the opposite one.
bool sends(const Mesh& mesh, Kind kind, std::size_t direction);

/// Numbers in a message of this unit to or from a direction.
std::size_t message_size(const Mesh& mesh, Kind kind, std::size_t direction);
/// The most that it can have on any unit.
std::size_t message_capacity(const Mesh& mesh, Kind kind, std::size_t direction);

/// \param message  message_size() numbers
void pack(const Mesh& mesh, const Fields& fields, Kind kind, std::size_t direction,
          double* message);
/// All of a kind are packed before one is unpacked, and are unpacked in the order of directions.
void unpack(const Mesh& mesh, const Fields& fields, Kind kind, std::size_t direction,
            const double* message);

}  // namespace lulesh
