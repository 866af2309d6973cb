#include "Picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include "Svg.h"

namespace dash::map {

using namespace core::mapping;

namespace {

constexpr std::string_view style =
    "text{font-family:sans-serif;fill:#222}.title{font-size:15px;font-weight:bold}"
    ".note{font-size:11px;fill:#555}";
constexpr double margin = 20;
constexpr double heading = 64;
constexpr double gap = 26;  // between slices, with room for their names
constexpr double widest = 1200;

/// By unit: its node's position along the network among the nodes that have units.
std::vector<std::uint32_t> places_along_network(const Study& study) {
  std::vector<std::uint32_t> nodes = study.nodes;
  const auto& order = study.machine.network_order();
  std::sort(nodes.begin(), nodes.end(),
            [&](std::uint32_t a, std::uint32_t b) { return order[a] < order[b]; });
  std::vector<std::uint32_t> rank(study.machine.num_nodes(), 0);
  for (std::uint32_t i = 0; i < nodes.size(); ++i)
    rank[nodes[i]] = i;
  std::vector<std::uint32_t> result;
  result.reserve(study.places.size());
  for (const UnitPlace& place : study.places)
    result.push_back(rank[place.node]);
  return result;
}

/// Along the network from red through green to violet; successive nodes differ in lightness.
std::string color(std::uint32_t rank, std::size_t num_nodes) {
  const double hue = 290.0 * rank / static_cast<double>(std::max<std::size_t>(num_nodes, 2) - 1);
  constexpr int lightness[] = {48, 66, 80};
  return fmt::format("hsl({:.0f},70%,{}%)", hue, lightness[rank % 3]);
}

class Drawing {
 public:
  Drawing(const Study& study, const Order& order, std::size_t max_cells)
      : _study(study), _order(order), _rank(places_along_network(study)) {
    const auto& extents = study.grid.extents;
    _columns = extents.back();
    _rows = extents.size() > 1 ? extents[extents.size() - 2] : 1;
    const std::size_t slices = study.grid.size() / (_rows * _columns);
    _slices = std::clamp<std::size_t>(max_cells / (_rows * _columns), 1, slices);
    _left_out = slices - _slices;
    // As many side by side as make the whole about as wide as high, and not too wide.
    const auto size = static_cast<double>(std::max(_rows, _columns));
    _cell = std::clamp(std::floor(240 / size), 2.0, 16.0);
    const double width = static_cast<double>(_columns) * _cell + gap;
    const auto square =
        static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(_slices))));
    _across = std::clamp<std::size_t>(static_cast<std::size_t>(widest / width), 1, square);
  }

  std::string run() {
    const double slice_width = static_cast<double>(_columns) * _cell + gap;
    const double slice_height = static_cast<double>(_rows) * _cell + gap;
    const std::size_t lines = (_slices + _across - 1) / _across;
    const double width =
        std::max(2 * margin + static_cast<double>(_across) * slice_width - gap, 560.0);
    tools::Svg svg(width, heading + static_cast<double>(lines) * slice_height + margin, style);
    title(svg);
    for (std::size_t i = 0; i < _slices; ++i)
      slice(svg, i, margin + static_cast<double>(i % _across) * slice_width,
            heading + gap + static_cast<double>(i / _across) * slice_height);
    return svg.finish();
  }

 private:
  void title(tools::Svg& svg) const {
    const GridMapping& mapping = _order.mapping;
    std::string method = mapping.method;
    if (!mapping.node_block.empty()) method += ", " + times(mapping.node_block) + " to a node";
    svg.text(margin, 24, fmt::format("{}: {}", times(_study.grid.extents), method), "title");
    svg.text(margin, 42,
             fmt::format("{} units on {} nodes; a colour is a node, similar hues are close in the "
                         "network",
                         _study.places.size(), _study.nodes.size()),
             "note");
    if (_left_out > 0)
      svg.text(margin, 56, fmt::format("{} more slices are not drawn", _left_out), "note");
  }

  std::uint32_t unit(std::size_t slice, std::size_t row, std::size_t column) const {
    return _order.mapping.unit_at[(slice * _rows + row) * _columns + column];
  }

  std::string slice_name(std::size_t index) const {
    const auto& extents = _study.grid.extents;
    std::string name;
    for (std::size_t d = extents.size() - 2; d-- > 0;) {
      name = std::to_string(index % extents[d]) + ", " + name;
      index /= extents[d];
    }
    return name + "*, *";
  }

  void slice(tools::Svg& svg, std::size_t index, double x, double y) const {
    if (_study.grid.extents.size() > 2) svg.text(x, y - 4, slice_name(index), "note");
    for (std::size_t row = 0; row < _rows; ++row)
      cells(svg, index, row, x, y + static_cast<double>(row) * _cell);
    boundaries(svg, index, x, y);
    svg.box(x, y, static_cast<double>(_columns) * _cell, static_cast<double>(_rows) * _cell, "");
  }

  /// Cells of one node side by side are one box.
  void cells(tools::Svg& svg, std::size_t index, std::size_t row, double x, double y) const {
    for (std::size_t begin = 0; begin < _columns;) {
      const std::uint32_t first = unit(index, row, begin);
      std::size_t end = begin + 1;
      while (end < _columns && _rank[unit(index, row, end)] == _rank[first])
        ++end;
      svg.box(x + static_cast<double>(begin) * _cell, y, static_cast<double>(end - begin) * _cell,
              _cell, color(_rank[first], _study.nodes.size()),
              _study.machine.node(_study.places[first].node).name);
      begin = end;
    }
  }

  /// 0: none, 1: between NUMA domains, 2: between nodes.
  int boundary(std::uint32_t a, std::uint32_t b) const {
    if (_rank[a] != _rank[b]) return 2;
    return _study.places[a].numa != _study.places[b].numa ? 1 : 0;
  }

  /// Boundaries between neighbours, one path for each kind.
  void boundaries(tools::Svg& svg, std::size_t index, double x, double y) const {
    std::string thin;
    std::string thick;
    const auto add = [&](int kind, std::size_t column, std::size_t row, char direction) {
      if (kind == 0) return;
      fmt::format_to(std::back_inserter(kind == 2 ? thick : thin), "M{} {}{}1", column, row,
                     direction);
    };
    for (std::size_t row = 0; row < _rows; ++row) {
      for (std::size_t column = 0; column < _columns; ++column) {
        const std::uint32_t here = unit(index, row, column);
        if (column + 1 < _columns)
          add(boundary(here, unit(index, row, column + 1)), column + 1, row, 'v');
        if (row + 1 < _rows)
          add(boundary(here, unit(index, row + 1, column)), column, row + 1, 'h');
      }
    }
    svg.begin_scaled(x, y, _cell, _cell);
    if (!thin.empty()) svg.outline(thin, "#888888", 0.4 / _cell);
    if (!thick.empty()) svg.outline(thick, "#222222", 0.8 / _cell);
    svg.end_scaled();
  }

  const Study& _study;
  const Order& _order;
  std::vector<std::uint32_t> _rank;
  std::size_t _rows = 0;
  std::size_t _columns = 0;
  std::size_t _slices = 0;
  std::size_t _left_out = 0;
  std::size_t _across = 1;
  double _cell = 1;
};

}  // namespace

std::string draw(const Study& study, const Order& order, std::size_t max_cells) {
  return Drawing(study, order, max_cells).run();
}

}  // namespace dash::map
