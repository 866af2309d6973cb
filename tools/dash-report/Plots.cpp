#include "Plots.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <regex>
#include <set>

namespace dash::report {

namespace {

constexpr std::size_t fewest_sizes = 3;
constexpr double least_for_bandwidth = 4096;
constexpr const char* ours = "DASH";

double quantile(std::vector<double> samples, double q) {
  const auto place = samples.begin() + std::lround(q * static_cast<double>(samples.size() - 1));
  std::nth_element(samples.begin(), place, samples.end());
  return *place;
}

Point point_of(double x, const std::vector<double>& samples) {
  return {x, quantile(samples, 0.1), quantile(samples, 0.5), quantile(samples, 0.9)};
}

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(' ');
  return first == std::string::npos ? "" : text.substr(first);
}

/// Two lines: ours and the twins, which is one name or several.
struct Pair {
  std::vector<Point> ours;
  std::vector<Point> twin;
  std::set<std::string> twins;

  void add(double x, const Row& row) {
    ours.push_back(point_of(x, row.ours.samples));
    if (!row.twin || row.twin->samples.empty()) return;
    twin.push_back(point_of(x, row.twin->samples));
    twins.insert(row.twin->name);
  }
  std::string twin_name() const { return twins.size() == 1 ? *twins.begin() : "the best twin"; }

  std::vector<Series> series() const {
    std::vector<Series> all{{report::ours, sorted(ours)}};
    if (!twin.empty()) all.push_back({twin_name(), sorted(twin)});
    return all;
  }
  std::size_t num_places() const {
    std::set<double> places;
    for (const Point& point : ours)
      places.insert(point.x);
    return places.size();
  }

 private:
  static std::vector<Point> sorted(std::vector<Point> points) {
    std::sort(points.begin(), points.end(),
              [](const Point& a, const Point& b) { return a.x < b.x; });
    return points;
  }
};

bool is_time(const Row& row) {
  return row.unit == "ns" && !row.ours.samples.empty();
}
bool is_overlap(const Row& row) {
  return row.twin && row.twin->name == "computation alone" && row.ratio.interval;
}

/// The one of that name; a new one if there is none.
template <class T>
T& named(std::vector<T>& all, std::string T::*member, const std::string& name) {
  for (T& each : all) {
    if (each.*member == name) return each;
  }
  T& added = all.emplace_back();
  added.*member = name;
  return added;
}

/// What is asked of each pair, in the order of the file.
template <class Use>
void for_each_over_size(const Results& results, const Use& use) {
  for (const Run& run : results.runs) {
    std::vector<std::string> order;
    std::map<std::string, Pair> pairs;
    for (const Row& row : run.rows) {
      const double nbytes = bytes_in(row.size);
      if (nbytes == 0 || !is_time(row) || is_overlap(row)) continue;
      if (!pairs.contains(row.what)) order.push_back(row.what);
      pairs[row.what].add(nbytes, row);
    }
    for (const std::string& what : order) {
      if (pairs[what].num_places() >= fewest_sizes) use(run, trimmed(what), pairs[what]);
    }
  }
}

Point inverted(const Point& point) {
  const auto per_time = [&](double ns) { return ns > 0 ? point.x / ns : 0; };
  return {point.x, per_time(point.high), per_time(point.y), per_time(point.low)};
}

/// Samples of one side by the number of units, of as many rows as have them.
struct Line {
  std::string name;
  std::map<double, std::vector<double>> samples;

  void add(double units, const Side& side) {
    std::vector<double>& here = samples[units];
    here.insert(here.end(), side.samples.begin(), side.samples.end());
  }
  Series series() const {
    Series series{name, {}};
    for (const auto& [units, some] : samples)
      series.points.push_back(point_of(units, some));
    return series;
  }
};

/// What was measured with several numbers of units, beside each of its twins.
struct Scaling {
  std::string key;
  std::string title;
  std::string where;
  Line ours{report::ours, {}};
  std::vector<Line> twins = {};
};

/// A row's number of units, and the row's name without it.
struct Place {
  double units = 0;
  std::string name;
};

Place place_of(const Run& run, const Row& row) {
  static const std::regex pattern("([0-9]+) units?(, )?");
  const std::string all = trimmed(row.what) + (row.size.empty() ? "" : ", " + row.size);
  Place place{static_cast<double>(run.units), all};
  std::smatch found;
  if (std::regex_search(all, found, pattern)) {
    place.units = std::atof(found[1].str().c_str());
    place.name = found.prefix().str() + found.suffix().str();
  }
  while (place.name.ends_with(' ') || place.name.ends_with(','))
    place.name.pop_back();
  return place;
}

}  // namespace

double bytes_in(std::string_view size) {
  static const std::regex pattern("([0-9]+) (B|KiB|MiB|GiB)");
  const std::string text(size);
  std::smatch found;
  if (!std::regex_match(text, found, pattern)) return 0;
  const double factor = found[2] == "B"     ? 1
                        : found[2] == "KiB" ? 1 << 10
                        : found[2] == "MiB" ? 1 << 20
                                            : 1 << 30;
  return factor * std::atof(found[1].str().c_str());
}

double ratio_in_bar(std::string_view bar) {
  static const std::regex pattern("(<=|speed >=) ([0-9.]+)");
  const std::string text(bar);
  std::smatch found;
  if (!std::regex_match(text, found, pattern)) return 0;
  const double number = std::atof(found[2].str().c_str());
  return found[1] == "<=" ? number : 1 / number;
}

std::vector<Chart> latency_plots(const Results& results) {
  std::vector<Chart> charts;
  for_each_over_size(results, [&](const Run& run, const std::string& what, const Pair& pair) {
    charts.push_back({what, name_of(run), Quantity::bytes, Quantity::nanoseconds,
                      Scale::logarithmic, pair.series()});
  });
  return charts;
}

std::vector<Chart> bandwidth_plots(const Results& results) {
  std::vector<Chart> charts;
  for_each_over_size(results, [&](const Run& run, const std::string& what, const Pair& pair) {
    Chart chart{
        what,         name_of(run), Quantity::bytes, Quantity::bytes_per_ns, Scale::logarithmic,
        pair.series()};
    for (Series& series : chart.series) {
      std::erase_if(series.points, [](const Point& each) { return each.x < least_for_bandwidth; });
      std::transform(series.points.begin(), series.points.end(), series.points.begin(), inverted);
    }
    if (chart.series.front().points.size() >= fewest_sizes) charts.push_back(std::move(chart));
  });
  return charts;
}

std::vector<Chart> overlap_plots(const Results& results) {
  std::vector<Chart> charts;
  for (const Run& run : results.runs) {
    // A row, then those beside it, which are indented; the same for the next size.
    std::vector<Chart> of_run;
    std::string title;
    for (const Row& row : run.rows) {
      const double nbytes = bytes_in(row.size);
      if (nbytes == 0 || !is_overlap(row)) continue;
      const bool leads = !row.what.starts_with(' ');
      if (leads) title = row.what;
      Chart& chart = named(of_run, &Chart::title, title);
      chart.caption = name_of(run) + ", over the computation alone";
      chart.y = Quantity::ratio;
      chart.y_scale = Scale::linear;
      const auto& interval = *row.ratio.interval;
      named(chart.series, &Series::name, leads ? ours : trimmed(row.what))
          .points.push_back({nbytes, interval.low, interval.median, interval.high});
    }
    charts.insert(charts.end(), of_run.begin(), of_run.end());
  }
  return charts;
}

std::vector<Chart> scaling_plots(const Results& results) {
  std::vector<Scaling> all;
  for (const Run& run : results.runs) {
    for (const Row& row : run.rows) {
      const Place place = place_of(run, row);
      if (place.units < 1 || !is_time(row) || is_overlap(row)) continue;
      const std::string where = name_of({run.program, 0, run.layout, run.mode, 0, 0, {}, {}, {}}) +
                                (run.layout == "node" ? "" : ", " + run.layout);
      Scaling& scaling = named(all, &Scaling::key, where + "\n" + place.name);
      scaling.title = place.name;
      scaling.where = where;
      scaling.ours.add(place.units, row.ours);
      if (!row.twin || row.twin->samples.empty()) continue;
      named(scaling.twins, &Line::name, row.twin->name).add(place.units, *row.twin);
    }
  }
  std::vector<Chart> charts;
  for (const Scaling& each : all) {
    if (each.ours.samples.size() < 2) continue;
    Chart& chart = charts.emplace_back(Chart{each.title,
                                             each.where,
                                             Quantity::units,
                                             Quantity::nanoseconds,
                                             Scale::logarithmic,
                                             {each.ours.series()}});
    for (const Line& twin : each.twins) {
      if (twin.samples.size() >= 2) chart.series.push_back(twin.series());
    }
  }
  return charts;
}

}  // namespace dash::report
