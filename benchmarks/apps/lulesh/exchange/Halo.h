#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "mesh/Fields.h"
#include "mesh/Mesh.h"

/// \file
/// Contents of the messages between neighbours: which fields of which nodes or elements, in which
/// order. An Exchange transfers the messages.

namespace lulesh {

/// The kinds of exchange. In a sum, each unit adds the values that other units have for their
/// shared nodes. In a copy, all units take the value of one of them.
enum class Kind : unsigned char {
  mass,      ///< masses of nodes, once: a sum
  force,     ///< forces on nodes: a sum
  motion,    ///< positions and velocities: a copy from the highest unit that has the node
  gradients  ///< velocity gradients of the layers of elements around the unit's own: a copy
};
inline constexpr std::size_t num_kinds = 4;

/// Number of directions to neighbours.
inline constexpr std::size_t num_directions = 26;
/// The directions, -1, 0 or 1 in x, y, z, in the order in which received messages are unpacked:
/// faces, edges, corners.
extern const std::array<Int3, num_directions> directions;
/// The number of the opposite direction.
std::size_t opposite(std::size_t direction);

/// Whether the unit receives a message from the neighbour in a direction.
bool receives(const Mesh& mesh, Kind kind, std::size_t direction);
/// Whether the unit sends a message in a direction; true if and only if the neighbour receives from
/// the opposite one.
bool sends(const Mesh& mesh, Kind kind, std::size_t direction);

/// Length of this unit's message to or from a direction, in doubles.
std::size_t message_size(const Mesh& mesh, Kind kind, std::size_t direction);
/// The maximum length of such a message on any unit, in doubles.
std::size_t message_capacity(const Mesh& mesh, Kind kind, std::size_t direction);

/// Copies the values of a message from the fields.
/// \param message  message_size() numbers
void pack(const Mesh& mesh, const Fields& fields, Kind kind, std::size_t direction,
          double* message);
/// Stores or adds the values of a received message.
/// \pre all messages of the kind have been packed; messages are unpacked in the order of
///      `directions`
void unpack(const Mesh& mesh, const Fields& fields, Kind kind, std::size_t direction,
            const double* message);

}  // namespace lulesh
