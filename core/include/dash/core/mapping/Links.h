#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "dash/core/Export.h"
#include "dash/core/mapping/GridMapping.h"
#include "dash/core/mapping/Machine.h"

namespace dash::core::mapping {

/// The directed links between units, and the routes of messages: out of the NUMA domain, out of the node,
/// through the network, and into the target. In a tree, a message goes up to the lowest common switch and
/// down; in a torus, dimension by dimension in the shorter direction, or upward if both are equal.
/// \threads thread-safe: immutable
class Links {
 public:
  static constexpr std::size_t core_level = 0;  ///< within a NUMA domain: no link
  static constexpr std::size_t numa_level = 1;
  static constexpr std::size_t node_level =
      2;  ///< followed by the levels of switches or the dimensions of the torus

  /// \param machine  must outlive this   \param locations  placement of each unit
  /// \throws exception::InvalidArgument if a placement does not exist on the machine
  DASH_API Links(const Machine& machine, std::span<const UnitLocation> locations);

  std::size_t num_units() const noexcept { return _home.size(); }
  std::size_t num_levels() const noexcept { return _num_levels; }
  DASH_API std::string level_name(std::size_t level) const;
  bool is_torus() const noexcept { return _machine->is_torus(); }

  /// Number of directed links; they are numbered from 0.
  std::size_t size() const noexcept { return _first_torus_link + _num_torus_links; }
  /// The level of a link; core_level if the number is not used.
  DASH_API std::size_t level(std::size_t link) const;
  DASH_API double bandwidth(std::size_t link) const;
  DASH_API std::string name(std::size_t link) const;

  /// The other direction of a link of a NUMA domain, a node or a switch.
  static std::size_t reverse(std::size_t link) noexcept { return link ^ 1; }

  /// Calls f(link) for each directed link on the route between two units, in unspecified order.
  /// \returns the lowest common level: that of their common switch, the highest dimension of the torus on
  ///          the route, or a level below
  template <class F>
  std::size_t visit(std::uint32_t from, std::uint32_t to, F&& f) const {
    std::uint32_t a = _home[from];
    std::uint32_t b = _home[to];
    // Moves up from the deeper vertex until both are equal, or both are nodes of a torus.
    while (a != b && (_depth[a] > _top_depth || _depth[b] > _top_depth)) {
      if (_depth[a] >= _depth[b]) {
        f(std::size_t{2} * a);
        a = _parent[a];
      } else {
        f(std::size_t{2} * b + 1);
        b = _parent[b];
      }
    }
    return a == b ? _joins[a] : through_torus(a, b, f);
  }

  /// The links that visit() visits.
  DASH_API std::vector<std::size_t> route(std::uint32_t from, std::uint32_t to) const;

  /// The vertex at which the routes of a unit begin and end; equal for the units of one NUMA domain.
  std::uint32_t home(std::uint32_t unit) const noexcept { return _home[unit]; }

 private:
  void add_homes(std::span<const UnitLocation> locations);
  void add_network();

  template <class F>
  std::size_t through_torus(std::uint32_t a, std::uint32_t b, F&& f) const {
    const auto& extents = _machine->torus().extents;
    const std::size_t ndim = extents.size();
    f(std::size_t{2} * a);
    f(std::size_t{2} * b + 1);
    const std::uint32_t target = _router[b - _num_homes];
    std::uint32_t at = _router[a - _num_homes];
    std::size_t joined = node_level;
    std::uint32_t stride = _num_routers;
    for (std::size_t d = 0; d < ndim; ++d) {
      const std::uint32_t extent = extents[d];
      stride /= extent;
      std::uint32_t x = at / stride % extent;
      const std::uint32_t end = target / stride % extent;
      if (x == end) continue;
      joined = node_level + 1 + d;
      const std::uint32_t ahead = end > x ? end - x : end + extent - x;
      const bool around = _machine->torus().periodic[d];
      const bool upward = around ? 2 * ahead <= extent : end > x;
      while (x != end) {
        f(_first_torus_link + (std::size_t{at} * ndim + d) * 2 + (upward ? 0 : 1));
        const std::uint32_t next =
            upward ? (x + 1 == extent ? 0 : x + 1) : (x == 0 ? extent : x) - 1;
        at = at - x * stride + next * stride;
        x = next;
      }
    }
    return joined;
  }

  const Machine* _machine;
  // Vertices: NUMA domains, nodes, then switches. Link 2v leads from vertex v to its parent, 2v + 1 back.
  std::vector<std::uint32_t> _home;    // vertex of the NUMA domain of each unit
  std::vector<std::uint32_t> _parent;  // by vertex
  std::vector<std::uint32_t>
      _depth;  // by vertex: distance from the root of the tree, or from the node in a torus
  std::vector<std::uint32_t> _joins;   // by vertex: the common level of the units below it
  std::vector<std::uint32_t> _node;    // index in the machine of each vertex that is a node
  std::vector<std::uint32_t> _router;  // switch or router of each vertex that is a node
  std::uint32_t _num_homes = 0;
  std::uint32_t _top_depth = 0;
  std::uint32_t _num_routers = 0;
  std::size_t _num_levels = 0;
  std::size_t _first_torus_link = 0;
  std::size_t _num_torus_links = 0;
};

}  // namespace dash::core::mapping
