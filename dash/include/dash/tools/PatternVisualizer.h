#pragma once

#include <cstddef>
#include <iosfwd>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "dash/Dimensional.h"
#include "dash/Types.h"
#include "dash/core/Export.h"
#include "dash/internal/Unit.h"

namespace dash::tools {

namespace internal {

/// A drawing of a plane of a pattern: rectangles in the colors of units.
struct PatternDrawing {
  struct Cell {
    long x, y, width, height;  ///< in elements
    int unit;
  };
  std::string title;
  std::string description;
  std::string axes;
  long width = 0;   ///< in elements
  long height = 0;  ///< in elements
  int nunits = 0;
  std::vector<Cell> cells;  ///< those of a unit in memory order
};

/// Writes an SVG file. A line for each unit connects its cells.
DASH_API void write_svg(std::ostream& os, const PatternDrawing& drawing);

}  // namespace internal

/// Draws how a pattern distributes a range: units as colors, their memory order as lines.
///
///     std::ofstream file("pattern.svg");
///     dash::tools::PatternVisualizer<decltype(pattern)>(pattern, "tiles").draw_pattern(file);
///
/// \ingroup patterns
template <class PatternT>
class PatternVisualizer {
  using Pattern = std::remove_cv_t<PatternT>;
  using Index = typename Pattern::index_type;
  using Coords = typename Pattern::coords_type;

 public:
  /// \param pattern  must outlive the visualizer
  explicit PatternVisualizer(const Pattern& pattern, std::string title = {}, std::string descr = {})
      : _pattern(&pattern), _title(std::move(title)), _descr(std::move(descr)) {}

  /// Sets the title of the drawing; if it is empty, the name of the pattern is the title.
  void set_title(std::string title) { _title = std::move(title); }
  /// Sets the text below the title.
  void set_description(std::string descr) { _descr = std::move(descr); }

  /// Writes an SVG file of a plane of the range. Any unit can call it alone.
  /// \param blocked  draw blocks instead of elements
  /// \param coords  a point of the plane  \param dimx, dimy  dimensions drawn from left to right
  ///         and from top to bottom. A one-dimensional range is drawn as a row
  /// \throws exception::OutOfRange if the pattern has no such dimension
  void draw_pattern(std::ostream& os, bool blocked = false, Coords coords = {}, dim_t dimx = 1,
                    dim_t dimy = 0) const {
    const bool is_row = Pattern::ndim() == 1;
    if (is_row) dimx = 0;
    dash::internal::check_dimension(dimx, Pattern::ndim());
    dash::internal::check_dimension(dimy, Pattern::ndim());
    const Plane plane{coords, static_cast<std::size_t>(dimx), static_cast<std::size_t>(dimy),
                      is_row};
    internal::PatternDrawing drawing;
    drawing.title = _title.empty() ? std::string(Pattern::PatternName) : _title;
    drawing.description = _descr;
    drawing.axes = "dimension " + std::to_string(dimx) + " →";
    if (!is_row) drawing.axes += ", dimension " + std::to_string(dimy) + " ↓";
    drawing.width = static_cast<long>(_pattern->extent(dimx));
    drawing.height = is_row ? 1 : static_cast<long>(_pattern->extent(dimy));
    drawing.nunits = static_cast<int>(_pattern->num_units());
    for (int unit = 0; unit < drawing.nunits; ++unit)
      add_unit(drawing, plane, team_unit_t(unit), blocked);
    internal::write_svg(os, drawing);
  }

 private:
  struct Plane {
    Coords point;
    std::size_t x;
    std::size_t y;
    bool is_row;

    /// Whether a box intersects the plane.
    template <class View>
    bool cuts(const View& view) const {
      for (std::size_t d = 0; d < point.size(); ++d) {
        const auto range = view.range(static_cast<dim_t>(d));
        const bool is_drawn = d == x || (d == y && !is_row);
        if (range.begin >= range.end) return false;
        if (!is_drawn && (point[d] < range.begin || point[d] >= range.end)) return false;
      }
      return true;
    }
  };

  void add_unit(internal::PatternDrawing& drawing, const Plane& plane, team_unit_t unit,
                bool blocked) const {
    const auto add = [&](const auto& view) {
      if (!plane.cuts(view)) return;
      const auto x = static_cast<long>(view.offsets()[plane.x]);
      const auto y = plane.is_row ? 0 : static_cast<long>(view.offsets()[plane.y]);
      const auto width = static_cast<long>(view.extents()[plane.x]);
      const auto height = plane.is_row ? 1 : static_cast<long>(view.extents()[plane.y]);
      drawing.cells.push_back({x, y, width, height, unit.id});
    };
    if (blocked) {
      const auto nblocks = static_cast<Index>(_pattern->local_blockspec(unit).size());
      for (Index block = 0; block < nblocks; ++block)
        add(_pattern->local_block(unit, block));
    } else {
      typename Pattern::extents_type single{};
      single.fill(1);
      const auto size = static_cast<Index>(_pattern->local_size(unit));
      for (Index index = 0; index < size; ++index) {
        const auto coords = _pattern->global_coords(unit, index);
        add(typename Pattern::viewspec_type(coords, single));
      }
    }
  }

  const Pattern* _pattern;
  std::string _title;
  std::string _descr;
};

}  // namespace dash::tools
