#include "Picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "HotSpots.h"
#include "Lanes.h"
#include "Svg.h"
#include "TimeAxis.h"
#include "Words.h"

namespace dash::trace {

namespace {

constexpr double left = 112;
constexpr double plot_width = 1000;
constexpr double right = 72;
constexpr double header_height = 104;
constexpr double footer_height = 32;

constexpr std::size_t largest_file = 1'900'000;
constexpr int most_columns = 1000;
constexpr int fewest_columns = 60;

constexpr const char* style =
    "text{font-family:Helvetica,Arial,sans-serif;font-size:12px;fill:#222}"
    ".title{font-size:17px;font-weight:bold}.unit{font-weight:bold}.small{font-size:10px;fill:#555}"
    ".group{fill:#555}.tick{font-size:11px;fill:#444}path{shape-rendering:crispEdges}"
    ".hot{fill:#000;fill-opacity:0}.hot:hover{fill-opacity:.12;stroke:#000}";

/// Of a text of the usual size, more or less: narrow, wide and other letters.
double text_width(std::string_view text) {
  double width = 0;
  for (const char letter : text) {
    const bool narrow = std::string_view("fijlrt ,.").find(letter) != std::string_view::npos;
    width += narrow ? 3.4 : letter == 'm' || letter == 'w' ? 9.5 : 6.8;
  }
  return width;
}

/// Heights of the lanes of a unit. Few units have room for the lanes' names.
struct Heights {
  double main, others, progress, flights, gap;
  bool named;

  static Heights of(std::size_t nunits) {
    if (nunits <= 8) return {20, 13, 12, 16, 16, true};
    if (nunits <= 20) return {13, 8, 5, 10, 10, false};
    return {9, 5, 3, 7, 6, false};
  }
};

double height_of(LaneKind kind, const Heights& heights) {
  switch (kind) {
    case LaneKind::main:
      return heights.main;
    case LaneKind::others:
      return heights.others;
    case LaneKind::progress:
      return heights.progress;
    default:
      return heights.flights;
  }
}

/// A lane where it is drawn.
struct Row {
  std::size_t unit;
  LaneKind kind;
  double y;
  double height;
};

class Painter {
 public:
  Painter(const std::string& title, const Timeline& timeline,
          const std::vector<SelectedUnit>& units, const Summary& summary)
      : _title(title),
        _timeline(timeline),
        _units(units),
        _summary(summary),
        _heights(Heights::of(units.size())),
        _axis(summary.range, left, plot_width) {
    double y = header_height;
    for (std::size_t i = 0; i < units.size(); ++i) {
      y += _heights.gap / 2;
      for (const LaneKind kind : lanes_of(units[i])) {
        const double height = height_of(kind, _heights);
        _rows.push_back({i, kind, y, height});
        y += height + (_heights.named ? 1 : 0);
      }
      y += _heights.gap / 2;
    }
    _bottom = y;
  }

  std::string paint(int columns) const {
    Svg svg(left + plot_width + right, _bottom + footer_height, style);
    header(svg);
    background(svg);
    for (const Row& row : _rows)
      lane(svg, row, columns);
    labels(svg);
    _axis.draw_labels(svg, _bottom, true);
    if (_units.size() > 20) _axis.draw_labels(svg, header_height - 20, false);
    hot_spots(svg);
    return svg.finish();
  }

 private:
  void header(Svg& svg) const {
    svg.text(left, 26, _title, "title");
    const Overlap& overlap = _summary.total.transfers;
    const std::string verdict =
        overlap.in_flight == 0
            ? "no transfer was in flight"
            : fmt::format("{} of the time in which transfers were in flight was hidden ({} of {})",
                          share_in_words(overlap.share()), time_in_words(overlap.hidden),
                          time_in_words(overlap.in_flight));
    svg.text(left, 45, plural(_units.size(), "unit") + ": " + verdict, "");
    legend(svg);
  }

  static void legend(Svg& svg) {
    constexpr double box = 11;
    double y = 66;
    for (const std::vector<LegendGroup>& line : legend_lines()) {
      double x = left;
      for (const LegendGroup& group : line) {
        svg.text(x, y, group.name, "group");
        x += text_width(group.name) + 10;
        for (const LegendEntry& entry : group.entries) {
          svg.box(x, y - box + 1, box, box, entry.colour);
          svg.text(x + box + 5, y, entry.name, "");
          x += box + 5 + text_width(entry.name) + 14;
        }
        x += 18;
      }
      y += 18;
    }
  }

  void background(Svg& svg) const {
    for (std::size_t i = 0; i < _units.size(); ++i) {
      const auto [top, bottom] = extent(i);
      if (i % 2 == 0)
        svg.box(0, top - _heights.gap / 2, left + plot_width + right, bottom - top + _heights.gap,
                "#f6f6f6");
    }
    _axis.draw_grid(svg, header_height, _bottom);
  }

  std::pair<double, double> extent(std::size_t unit) const {
    double top = _bottom;
    double bottom = header_height;
    for (const Row& row : _rows) {
      if (row.unit != unit) continue;
      top = std::min(top, row.y);
      bottom = std::max(bottom, row.y + row.height);
    }
    return {top, bottom};
  }

  void lane(Svg& svg, const Row& row, int columns) const {
    const SelectedUnit& unit = _units[row.unit];
    const Lane lane = make_lane(_timeline, unit, row.kind, _summary.range, columns);
    svg.begin_scaled(left, row.y, plot_width / columns, row.height / Columns::levels);
    const std::vector<std::string> paths = lane.columns.paths();
    for (std::size_t state = 0; state < paths.size(); ++state) {
      if (paths[state].empty()) continue;
      svg.path(paths[state], lane.states[state].colour,
               fmt::format("unit {}, {}: {}", unit.unit->id, lane.states[state].name,
                           time_in_words(lane.times[state])));
    }
    svg.end_scaled();
  }

  void labels(Svg& svg) const {
    svg.text(left + plot_width + right - 10, header_height - 6, "hidden", "small",
             Svg::Anchor::end);
    for (std::size_t i = 0; i < _units.size(); ++i) {
      const auto [top, bottom] = extent(i);
      const double middle = (top + bottom) / 2 + 4;
      const char* const unit_class = _heights.named ? "unit" : "tick";
      svg.text(12, middle, fmt::format("unit {}", _units[i].unit->id), unit_class);
      svg.text(left + plot_width + right - 10, middle,
               share_in_words(_summary.units[i].transfers.share()), unit_class, Svg::Anchor::end);
    }
    if (!_heights.named) return;
    for (const Row& row : _rows)
      svg.text(left - 6, row.y + row.height / 2 + 3.5, name_of_lane(row.kind), "small",
               Svg::Anchor::end);
  }

  void hot_spots(Svg& svg) const {
    const Time least = _axis.time_of_width(3);
    for (const HotSpot& spot : find_hot_spots(_timeline, _units, least)) {
      for (const Row& row : _rows) {
        if (row.unit != spot.unit || row.kind != spot.lane) continue;
        const double x = _axis.x(spot.time.begin);
        svg.hot_spot(x, row.y, _axis.x(spot.time.end) - x, row.height, spot.tip);
      }
    }
  }

  const std::string& _title;
  const Timeline& _timeline;
  const std::vector<SelectedUnit>& _units;
  const Summary& _summary;
  Heights _heights;
  TimeAxis _axis;
  std::vector<Row> _rows;
  double _bottom = 0;
};

}  // namespace

std::string draw(const std::string& title, const Timeline& timeline,
                 const std::vector<SelectedUnit>& units, const Summary& summary) {
  const Painter painter(title, timeline, units, summary);
  int columns = most_columns;
  std::string picture = painter.paint(columns);
  while (picture.size() > largest_file && columns > fewest_columns) {
    columns /= 2;
    picture = painter.paint(columns);
  }
  return picture;
}

}  // namespace dash::trace
