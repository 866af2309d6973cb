#include "report/Report.h"

#include <dash/Array.h>
#include <dash/Init.h>
#include <dash/algorithm/Copy.h>
#include <dash/dart/Placement.h>
#include <fmt/core.h>

#include <algorithm>

#include "report/Picture.h"

namespace terrain {
namespace {

std::string counted(long n, const char* thing) {
  return fmt::format("{} {}{}", n, thing, n == 1 ? "" : "s");
}

std::string file_name(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

std::string describe_waiting(const TimesOfUnits& times) {
  const auto waiting = per_step(times, &StepTimes::waiting);
  const auto starting = per_step(times, &StepTimes::starting);
  const auto total = per_step(times, &StepTimes::total);
  return fmt::format("{} per step, {:.1f} % of its time (maximum of a unit: {}; sending took {})",
                     duration(waiting.mean), total.mean > 0 ? 100 * waiting.mean / total.mean : 0,
                     duration(waiting.max), duration(starting.mean));
}

std::string describe_units() {
  const auto placement = dash::dart::placement();
  return fmt::format("{} on {} of {}, {} for this unit", counted(placement.units, "unit"),
                     counted(placement.nodes, "node"), counted(placement.hosts, "host"),
                     counted(placement.processors, "processor"));
}

}  // namespace

TimesOfUnits collect(const StepTimes& own) {
  dash::Array<StepTimes> shared(dash::size());
  shared.local[0] = own;
  shared.barrier();
  TimesOfUnits times(dash::size());
  dash::copy(shared.begin(), shared.end(), times.data());
  return times;
}

std::string describe_setup(const Setup& setup) {
  const auto& dem = setup.dem;
  const auto [low, high] = std::minmax_element(dem.elevations.begin(), dem.elevations.end());
  const auto rows = (setup.extents[0] + static_cast<std::size_t>(setup.grid[0]) - 1) /
                    static_cast<std::size_t>(setup.grid[0]);
  const auto cols = (setup.extents[1] + static_cast<std::size_t>(setup.grid[1]) - 1) /
                    static_cast<std::size_t>(setup.grid[1]);
  const auto& tile = setup.options.tile;
  const bool tiled = tile[0] * static_cast<long>(tile[1]) > 1;

  std::string text =
      "terrain: hillslope diffusion, dz/dt = D lap(z), by the explicit 5-point scheme\n";
  text += line("input", fmt::format("{}, {} x {} cells, {} to {} m", file_name(setup.options.input),
                                    dem.rows, dem.cols, *low, *high));
  text +=
      line("terrain",
           fmt::format("{} x {} cells of {:.4g} m{}", setup.extents[0], setup.extents[1],
                       setup.cell_size,
                       tiled ? fmt::format(", {} x {} mirrored copies", tile[0], tile[1]) : ""));
  text +=
      line("time", fmt::format("{} of {}{}, D = {:g} m^2 per year",
                               counted(setup.options.steps, "step"), years_in_words(setup.time.dt),
                               setup.time.is_largest ? " (the largest stable)" : "",
                               setup.options.diffusivity));
  text += line("units", describe_units());
  text += line("grid", fmt::format("{} x {} units, blocks of {} x {} cells", setup.grid[0],
                                   setup.grid[1], rows, cols));
  text += line("order", setup.options.map ? "mapped to the machine" : "as started");
  text += line("progress", dash::dart::placement().progress);
  text +=
      line("halo exchange", setup.options.overlap ? "overlapped with the computation of inner cells"
                                                  : "completed before the computation");
  return text;
}

std::string describe_mapping(const dash::dart::MappingReport& report) {
  const auto& [before, after] = report;
  std::string text = line("hop-bytes", fmt::format("{:.4g} per step as started, {:.4g} mapped",
                                                   before.hop_bytes, after.hop_bytes));
  for (std::size_t i = 0; i < before.levels.size(); ++i) {
    const auto& level = before.levels[i];
    if (level.num_links == 0) continue;
    text += line(" " + level.name,
                 fmt::format("{:.4g} as started, {:.4g} mapped; maximum of a link {:.4g}, {:.4g}",
                             level.hop_bytes, after.levels[i].hop_bytes, level.largest_load,
                             after.levels[i].largest_load));
  }
  return text;
}

std::string describe_run(const Setup& setup, const TimesOfUnits& times,
                         const Comparison& comparison, double mean_before, double mean_after) {
  std::string text;
  const double seconds = max_total(times);
  const auto steps = static_cast<double>(setup.options.steps);
  if (setup.options.steps > 0 && seconds > 0) {
    const double cells =
        static_cast<double>(setup.extents[0]) * static_cast<double>(setup.extents[1]);
    text += line("speed", fmt::format("{:.4g} million cells/s, {} per step, {} in total",
                                      cells * steps / seconds / 1e6, duration(seconds / steps),
                                      duration(seconds)));
    text += line("waiting", describe_waiting(times));
  }
  text += describe(comparison);
  text += line("mean elevation", fmt::format("{:.12g} m before, {:.12g} m after, change {:.1e} m",
                                             mean_before, mean_after, mean_after - mean_before));
  return text;
}

}  // namespace terrain
