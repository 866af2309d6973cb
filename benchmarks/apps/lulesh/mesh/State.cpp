#include "mesh/State.h"

#include <algorithm>

namespace lulesh {

namespace {

/// Touches all pages, so that the first cycle has no page faults.
template <class Container>
double* zeroed(Container& container) {
  std::fill(container.lbegin(), container.lend(), 0.0);
  return container.lbegin();
}

}  // namespace

State::State(const Mesh& mesh, dash::Team& team)
    : _mesh(mesh),
      _team(team),
      _fields(make_fields(
          [this] { return elements(); }, [this] { return nodes(); },
          [this](std::size_t d) { return block(_mesh.gradient_capacity(static_cast<int>(d))); })) {}

double* State::elements() {
  // The same number for each unit; a unit with a smaller subdomain leaves some unused. Slowest
  // dimension first.
  const auto extent = [&](std::size_t d) {
    return static_cast<std::size_t>(_mesh.block[d]) * static_cast<std::size_t>(_mesh.units[d]);
  };
  const auto units = [&](std::size_t d) { return static_cast<std::size_t>(_mesh.units[d]); };
  _matrices.emplace_back(dash::SizeSpec<3>(extent(2), extent(1), extent(0)),
                         dash::DistributionSpec<3>(dash::BLOCKED, dash::BLOCKED, dash::BLOCKED),
                         _team, dash::TeamSpec<3>(units(2), units(1), units(0)));
  return zeroed(_matrices.back());
}

double* State::nodes() {
  return block(_mesh.node_capacity());
}

double* State::block(std::size_t length) {
  _arrays.emplace_back(length * _team.size(), dash::BLOCKED, _team);
  return zeroed(_arrays.back());
}

}  // namespace lulesh
