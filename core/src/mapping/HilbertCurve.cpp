#include "dash/core/mapping/HilbertCurve.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <initializer_list>
#include <utility>

#include "dash/core/mapping/GridMapping.h"

namespace dash::core::mapping {

namespace {

/// An edge of a box: its number of cells, and the difference of row-major indices between successive cells.
struct Edge {
  std::int64_t step = 0;
  std::int64_t cells = 1;

  std::int64_t to_last() const { return step * (cells - 1); }
  Edge shortened(std::int64_t n) const { return {step, n}; }
  Edge reversed(std::int64_t n) const { return {-step, n}; }
};

/// A box whose curve begins at `corner` and ends at the other end of the main edge.
struct Box {
  std::int64_t corner = 0;
  std::array<Edge, Grid::max_dimensions> edges{};  // the main one first
  std::size_t count = 0;

  void add(Edge edge) { edges[count++] = edge; }
};

// Halves with an even number of cells need fewer diagonal steps.
std::int64_t half_of(std::int64_t cells) {
  const std::int64_t half = cells / 2;
  return half % 2 != 0 && cells > 2 ? half + 1 : half;
}

class CurveBuilder {
 public:
  explicit CurveBuilder(std::size_t cells) { _cells.reserve(cells); }

  void append(Box box) {
    drop_single_cells(box);
    if (box.count == 1) return line(box);
    sort_side_edges(box);
    const std::int64_t length = box.edges[0].cells;
    const std::int64_t side = box.edges[1].cells;
    if (2 * length > 3 * side) {
      halves(box);
    } else if (box.count == 2 || 3 * side > 4 * box.edges[2].cells) {
      planar_curve(box);
    } else {
      spatial_curve(box);
    }
  }

  std::vector<std::uint32_t> take() { return std::move(_cells); }

 private:
  static void drop_single_cells(Box& box) {
    const auto end = std::remove_if(box.edges.begin(),
                                    box.edges.begin() + static_cast<std::ptrdiff_t>(box.count),
                                    [](const Edge& edge) { return edge.cells == 1; });
    box.count = static_cast<std::size_t>(end - box.edges.begin());
    if (box.count == 0) box.add(Edge{});
  }

  // Sorts the edges after the main edge by length. Stable, so that the curve depends only on the extents.
  static void sort_side_edges(Box& box) {
    std::stable_sort(box.edges.begin() + 1,
                     box.edges.begin() + static_cast<std::ptrdiff_t>(box.count),
                     [](const Edge& a, const Edge& b) { return a.cells > b.cells; });
  }

  void line(const Box& box) {
    const Edge& edge = box.edges[0];
    for (std::int64_t i = 0; i < edge.cells; ++i)
      _cells.push_back(static_cast<std::uint32_t>(box.corner + i * edge.step));
  }

  /// Appends the curve of a box with the given edges, followed by the edges of `box` from index `from` on.
  void sub_box(std::int64_t corner, std::initializer_list<Edge> edges, const Box& box,
               std::size_t from) {
    Box next;
    next.corner = corner;
    for (const Edge& edge : edges)
      next.add(edge);
    for (std::size_t i = from; i < box.count; ++i)
      next.add(box.edges[i]);
    append(next);
  }

  /// For a long box: one half after the other.
  void halves(const Box& box) {
    const Edge a = box.edges[0];
    const std::int64_t a1 = half_of(a.cells);
    sub_box(box.corner, {a.shortened(a1)}, box, 1);
    sub_box(box.corner + a.step * a1, {a.shortened(a.cells - a1)}, box, 1);
  }

  /// Up, across and down: the Hilbert curve in the plane of the first two edges.
  void planar_curve(const Box& box) {
    const Edge a = box.edges[0];
    const Edge b = box.edges[1];
    const std::int64_t a1 = box.count == 2 ? a.cells / 2 : half_of(a.cells);
    const std::int64_t b1 = half_of(b.cells);
    const std::int64_t up = b.step * b1;
    sub_box(box.corner, {b.shortened(b1), a.shortened(a1)}, box, 2);
    sub_box(box.corner + up, {a, b.shortened(b.cells - b1)}, box, 2);
    sub_box(box.corner + a.to_last() + up - b.step, {b.reversed(b1), a.reversed(a.cells - a1)}, box,
            2);
  }

  /// The Hilbert curve in three dimensions.
  void spatial_curve(const Box& box) {
    const Edge a = box.edges[0];
    const Edge b = box.edges[1];
    const Edge c = box.edges[2];
    const std::int64_t a1 = half_of(a.cells);
    const std::int64_t a2 = a.cells - a1;
    const std::int64_t b1 = half_of(b.cells);
    const std::int64_t b2 = b.cells - b1;
    const std::int64_t c1 = half_of(c.cells);
    const std::int64_t c2 = c.cells - c1;
    const std::int64_t up = b.step * b1;
    const std::int64_t at = box.corner;
    sub_box(at, {b.shortened(b1), c.shortened(c1), a.shortened(a1)}, box, 3);
    sub_box(at + up, {c, a.shortened(a1), b.shortened(b2)}, box, 3);
    sub_box(at + up - b.step + c.to_last(), {a, b.reversed(b1), c.reversed(c2)}, box, 3);
    sub_box(at + a.to_last() + up + c.to_last(),
            {c.reversed(c.cells), a.reversed(a2), b.shortened(b2)}, box, 3);
    sub_box(at + a.to_last() + up - b.step, {b.reversed(b1), c.shortened(c1), a.reversed(a2)}, box,
            3);
  }

  std::vector<std::uint32_t> _cells;
};

}  // namespace

std::vector<std::uint32_t> hilbert_curve(std::span<const std::uint32_t> extents) {
  const Grid grid{{extents.begin(), extents.end()}, {}, {}};
  grid.check(grid.size());
  Box box;
  std::int64_t step = 1;
  for (std::size_t d = extents.size(); d-- > 0;) {
    box.add({step, extents[d]});
    step *= extents[d];
  }
  // The main edge is the longest one, or the first of several with that length.
  const auto end = box.edges.begin() + static_cast<std::ptrdiff_t>(box.count);
  std::reverse(box.edges.begin(), end);
  std::stable_sort(box.edges.begin(), end,
                   [](const Edge& a, const Edge& b) { return a.cells > b.cells; });
  CurveBuilder builder(grid.size());
  builder.append(box);
  return builder.take();
}

}  // namespace dash::core::mapping
