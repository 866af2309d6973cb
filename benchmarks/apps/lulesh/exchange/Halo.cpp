#include "exchange/Halo.h"

#include <algorithm>

namespace lulesh {

const std::array<Int3, num_directions> directions = {{
    {0, 0, -1},  {0, 0, 1},   {0, -1, 0}, {0, 1, 0},  {-1, 0, 0},   {1, 0, 0},   {-1, -1, 0},
    {0, -1, -1}, {-1, 0, -1}, {1, 1, 0},  {0, 1, 1},  {1, 0, 1},    {-1, 1, 0},  {0, -1, 1},
    {-1, 0, 1},  {1, -1, 0},  {0, 1, -1}, {1, 0, -1}, {-1, -1, -1}, {-1, -1, 1}, {1, -1, -1},
    {1, -1, 1},  {-1, 1, -1}, {-1, 1, 1}, {1, 1, -1}, {1, 1, 1},
}};

namespace {

bool is_face(std::size_t direction) {
  return direction < 6;
}

/// The dimension of the normal of a face.
std::size_t normal_dimension(const Int3& face) {
  return face[0] != 0 ? 0 : face[1] != 0 ? 1 : 2;
}

/// Whether no component of a direction points to the other side.
/// \param side  -1 or 1
bool is_on_side(const Int3& direction, int side) {
  return std::all_of(direction.begin(), direction.end(), [&](int d) { return d * side >= 0; });
}

/// The nodes shared with the neighbour in a direction.
Box shared_nodes(const Int3& count, const Int3& direction) {
  Box box;
  for (std::size_t d = 0; d < 3; ++d) {
    box.begin[d] = direction[d] > 0 ? count[d] : 0;
    box.end[d] = direction[d] < 0 ? 1 : count[d] + 1;
  }
  return box;
}

/// The layer of elements next to a face, inside or outside of the subdomain.
Box layer(const Mesh& mesh, const Int3& face, bool outside) {
  Box box = mesh.all_elements();
  const std::size_t d = normal_dimension(face);
  const int at = face[d] < 0 ? (outside ? -1 : 0) : mesh.count[d] - (outside ? 0 : 1);
  box.begin[d] = at;
  box.end[d] = at + 1;
  return box;
}

/// Calls f(offset of the first node, number of nodes) for each row of a box.
template <class F>
void for_each_row(const Mesh& mesh, const Box& box, const F& f) {
  for (int k = box.begin[2]; k < box.end[2]; ++k) {
    for (int j = box.begin[1]; j < box.end[1]; ++j)
      f(mesh.node(box.begin[0], j, k), box.end[0] - box.begin[0]);
  }
}
template <class F>
void for_each_gradient_row(const Mesh& mesh, std::size_t d, const Box& box, const F& f) {
  for (int k = box.begin[2]; k < box.end[2]; ++k) {
    for (int j = box.begin[1]; j < box.end[1]; ++j)
      f(mesh.gradient(static_cast<int>(d), box.begin[0], j, k), box.end[0] - box.begin[0]);
  }
}

/// The fields of nodes that an exchange of a kind transfers.
struct NodeFields {
  std::array<double*, 6> fields{};
  std::size_t count = 0;
};
NodeFields node_fields(const Fields& fields, Kind kind) {
  switch (kind) {
    case Kind::mass:
      return {{fields.nodal_mass}, 1};
    case Kind::force:
      return {{fields.force[0], fields.force[1], fields.force[2]}, 3};
    case Kind::motion:
      return {{fields.position[0], fields.position[1], fields.position[2], fields.velocity[0],
               fields.velocity[1], fields.velocity[2]},
              6};
    case Kind::gradients:
      break;
  }
  return {};
}

std::size_t num_fields(Kind kind) {
  return kind == Kind::gradients ? 1 : node_fields(Fields{}, kind).count;
}

bool has_message(const Mesh& mesh, Kind kind, std::size_t direction, bool to_receive) {
  if (mesh.neighbour(directions[direction]) < 0) return false;
  switch (kind) {
    case Kind::motion:
      // A neighbour that is lower in some dimension is never the highest unit of a shared node: the
      // unit in the direction without the negative components shares the node, too, and is higher.
      // Of the remaining neighbours the highest is unpacked last, since corners come after edges,
      // and edges after faces.
      return is_on_side(directions[direction], to_receive ? 1 : -1);
    case Kind::gradients:
      return is_face(direction);
    default:
      return true;
  }
}

}  // namespace

std::size_t opposite(std::size_t direction) {
  const Int3& forth = directions[direction];
  const Int3 back{-forth[0], -forth[1], -forth[2]};
  return static_cast<std::size_t>(std::find(directions.begin(), directions.end(), back) -
                                  directions.begin());
}

bool receives(const Mesh& mesh, Kind kind, std::size_t direction) {
  return has_message(mesh, kind, direction, true);
}

bool sends(const Mesh& mesh, Kind kind, std::size_t direction) {
  return has_message(mesh, kind, direction, false);
}

std::size_t message_size(const Mesh& mesh, Kind kind, std::size_t direction) {
  if (kind == Kind::gradients) return layer(mesh, directions[direction], false).size();
  return num_fields(kind) * shared_nodes(mesh.count, directions[direction]).size();
}

std::size_t message_capacity(const Mesh& mesh, Kind kind, std::size_t direction) {
  if (kind == Kind::gradients && !is_face(direction)) return 0;
  return num_fields(kind) * shared_nodes(mesh.block, directions[direction]).size();
}

void pack(const Mesh& mesh, const Fields& fields, Kind kind, std::size_t direction,
          double* message) {
  if (kind == Kind::gradients) {
    const std::size_t d = normal_dimension(directions[direction]);
    for_each_gradient_row(
        mesh, d, layer(mesh, directions[direction], false), [&](std::ptrdiff_t first, int length) {
          message = std::copy_n(fields.gradient_velocity[d] + first, length, message);
        });
    return;
  }
  const NodeFields of = node_fields(fields, kind);
  const Box box = shared_nodes(mesh.count, directions[direction]);
  for (std::size_t f = 0; f < of.count; ++f) {
    for_each_row(mesh, box, [&](std::ptrdiff_t first, int length) {
      message = std::copy_n(of.fields[f] + first, length, message);
    });
  }
}

void unpack(const Mesh& mesh, const Fields& fields, Kind kind, std::size_t direction,
            const double* message) {
  if (kind == Kind::gradients) {
    const std::size_t d = normal_dimension(directions[direction]);
    for_each_gradient_row(mesh, d, layer(mesh, directions[direction], true),
                          [&](std::ptrdiff_t first, int length) {
                            std::copy_n(message, length, fields.gradient_velocity[d] + first);
                            message += length;
                          });
    return;
  }
  const NodeFields of = node_fields(fields, kind);
  const Box box = shared_nodes(mesh.count, directions[direction]);
  const bool adds = kind != Kind::motion;
  for (std::size_t f = 0; f < of.count; ++f) {
    for_each_row(mesh, box, [&](std::ptrdiff_t first, int length) {
      double* const nodes = of.fields[f] + first;
      for (int i = 0; i < length; ++i)
        nodes[i] = adds ? nodes[i] + message[i] : message[i];
      message += length;
    });
  }
}

}  // namespace lulesh
