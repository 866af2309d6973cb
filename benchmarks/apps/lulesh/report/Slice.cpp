#include "report/Slice.h"

#include <dash/Array.h>
#include <dash/algorithm/Copy.h>

#include <cstddef>

namespace lulesh {

namespace {

Cell cell_of(const Mesh& mesh, const Fields& fields, int i, int j) {
  Cell cell{};
  const std::ptrdiff_t corners[4] = {mesh.node(i, j, 0), mesh.node(i + 1, j, 0),
                                     mesh.node(i + 1, j + 1, 0), mesh.node(i, j + 1, 0)};
  for (std::size_t c = 0; c < 4; ++c) {
    cell.x[c] = fields.position[0][corners[c]];
    cell.y[c] = fields.position[1][corners[c]];
  }
  cell.energy = fields.energy[mesh.element(i, j, 0)];
  cell.exists = true;
  return cell;
}

}  // namespace

std::vector<Cell> gather_slice(const Mesh& mesh, const Fields& fields, dash::Team& team) {
  const std::size_t capacity =
      static_cast<std::size_t>(mesh.block[0]) * static_cast<std::size_t>(mesh.block[1]);
  dash::Array<Cell> cells(capacity * team.size(), dash::BLOCKED, team);
  if (mesh.grid_position[2] == 0) {
    Cell* next = cells.lbegin();
    for (int j = 0; j < mesh.count[1]; ++j) {
      for (int i = 0; i < mesh.count[0]; ++i)
        *next++ = cell_of(mesh, fields, i, j);
    }
  }
  cells.barrier();
  std::vector<Cell> all;
  if (team.myid() == 0) {
    // The units at the plane z = 0 are the first ones, since z varies slowest.
    all.resize(capacity * static_cast<std::size_t>(mesh.units[0] * mesh.units[1]));
    dash::copy(cells.begin(), cells.begin() + static_cast<std::ptrdiff_t>(all.size()), all.data());
    std::erase_if(all, [](const Cell& cell) { return !cell.exists; });
  }
  cells.barrier();
  return all;
}

}  // namespace lulesh
