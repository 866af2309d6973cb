// Shallow water in a basin: a finite-volume scheme whose time step depends on all units, and a strip of pictures.
// dash-example: units=1,2,4,7 uses=png
#include <dash/halo/HaloMatrixWrapper.h>
#include <libdash.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <vector>

#include "Png.h"

namespace {

// --8<-- [start:water]
/// An element: the depth in m, and the flow per m of width (depth times velocity) in m^2/s.
struct Water {
  double depth;
  double south;  // flow along the first dimension
  double east;   // flow along the second dimension
};
using Basin = dash::NArray<Water, 2>;
// --8<-- [end:water]

constexpr double gravity = 9.81;

double wave_speed(double depth) {
  return std::sqrt(gravity * depth);
}

// --8<-- [start:flux]
/// The flux from one element to its eastern neighbour, by Harten, Lax and van Leer (HLL).
Water flux_east(const Water& west, const Water& east) {
  const auto flux = [](const Water& w) {
    const double velocity = w.east / w.depth;
    return Water{w.east, w.south * velocity, w.east * velocity + gravity / 2 * w.depth * w.depth};
  };
  const double west_velocity = west.east / west.depth;
  const double east_velocity = east.east / east.depth;
  const double slowest =
      std::min(west_velocity - wave_speed(west.depth), east_velocity - wave_speed(east.depth));
  const double fastest =
      std::max(west_velocity + wave_speed(west.depth), east_velocity + wave_speed(east.depth));
  if (slowest >= 0) return flux(west);
  if (fastest <= 0) return flux(east);
  const Water a = flux(west);
  const Water b = flux(east);
  const auto mean = [&](double Water::*value) {
    return (fastest * a.*value - slowest * b.*value +
            slowest * fastest * (east.*value - west.*value)) /
           (fastest - slowest);
  };
  return {mean(&Water::depth), mean(&Water::south), mean(&Water::east)};
}
// --8<-- [end:flux]

Water transposed(const Water& w) {
  return {w.depth, w.east, w.south};
}
Water flux_south(const Water& north, const Water& south) {
  return transposed(flux_east(transposed(north), transposed(south)));
}

class ShallowWater {
 public:
  template <class Depth>
  ShallowWater(const Basin::pattern_type& pattern, double cell, Depth initial_depth)
      : _fields{Field(pattern), Field(pattern)}, _cell(cell) {
    for (std::size_t k = 0; k < pattern.local_size(); ++k) {
      const auto at = pattern.global_coords(pattern.team().myid(), static_cast<long>(k));
      const double depth = initial_depth(at[0], at[1]);
      _fields[0].values.lbegin()[k] = {depth, 0, 0};
      _fastest = std::max(_fastest, wave_speed(depth));
    }
  }

  void advance(double duration) {
    for (double rest = duration; rest > 0;)
      rest -= step(rest);
  }

  const Basin& water() const { return _fields[_current].values; }

 private:
  using Halo = dash::halo::HaloMatrixWrapper<Basin>;
  using Point = dash::halo::StencilPoint<2>;
  using Star = dash::halo::StencilSpec<Point, 4>;

  static constexpr Star neighbours{Point(-1, 0), Point(1, 0), Point(0, -1), Point(0, 1)};

  // --8<-- [start:walls]
  static constexpr dash::halo::GlobalBoundarySpec<2> walls{dash::halo::BoundaryProp::CUSTOM,
                                                           dash::halo::BoundaryProp::CUSTOM};

  struct Field {
    explicit Field(const Basin::pattern_type& pattern)
        : values(pattern),
          halo(values, walls, neighbours),
          op(halo.stencil_operator(neighbours)),
          first(pattern.global({0, 0})) {}

    /// Beyond a wall, the water is a mirror image of the water in front of it.
    void mirror_at_walls() {
      halo.set_custom_halos([this](const auto& at) {
        const long row = std::clamp(at[0], 0L, static_cast<long>(values.extent(0)) - 1);
        const long col = std::clamp(at[1], 0L, static_cast<long>(values.extent(1)) - 1);
        Water water = values.local(row - first[0], col - first[1]);
        if (row != at[0]) water.south = -water.south;
        if (col != at[1]) water.east = -water.east;
        return water;
      });
    }

    Basin values;
    Halo halo;
    Halo::StencilOperator_t<Star> op;
    std::array<long, 2> first;  // coordinates of the first element of the block
  };
  // --8<-- [end:walls]

  // --8<-- [start:step]
  /// Executes one step, not longer than `limit`, and returns its duration.
  double step(double limit) {
    Field& now = _fields[_current];
    Water* const next = _fields[1 - _current].values.lbegin();
    now.mirror_at_walls();
    now.halo.update_async();
    auto fastest = dash::allreduce_async(_fastest, dash::max<double>());
    const double duration = std::min(limit, 0.45 * _cell / fastest.get());

    _fastest = 0;
    const auto update = [&, ratio = duration / _cell](auto it, const auto& end) {
      for (; it != end; ++it) {
        const Water water = *it;
        const Water north = flux_south(it.value_at(0), water);
        const Water south = flux_south(water, it.value_at(1));
        const Water west = flux_east(it.value_at(2), water);
        const Water east = flux_east(water, it.value_at(3));
        const auto changed = [&](double Water::*value) {
          return water.*value +
                 ratio * ((north.*value - south.*value) + (west.*value - east.*value));
        };
        Water& result = next[it.lpos()];
        result = {changed(&Water::depth), changed(&Water::south), changed(&Water::east)};
        _fastest = std::max(_fastest,
                            std::max(std::abs(result.south), std::abs(result.east)) / result.depth +
                                wave_speed(result.depth));
      }
    };
    update(now.op.inner.begin(), now.op.inner.end());  // needs no halo
    now.halo.wait();
    update(now.op.boundary.begin(), now.op.boundary.end());
    _current = 1 - _current;
    return duration;
  }
  // --8<-- [end:step]

  std::array<Field, 2> _fields;
  double _cell;         // side of an element in m
  double _fastest = 0;  // speed of the fastest wave in the own elements
  std::size_t _current = 0;
};

// --8<-- [start:exact]
/// The depth after a dam has broken, by Stoker (1957). Position and time count from the dam and its failure.
double dam_break(double left, double right, double position, double time) {
  const double left_wave = wave_speed(left);
  double lower = right;  // bisection for the depth between the two waves
  double upper = left;
  double depth = 0;
  double velocity = 0;
  for (int i = 0; i < 60; ++i) {
    depth = (lower + upper) / 2;
    velocity = 2 * (left_wave - wave_speed(depth));
    const double of_shock = (depth - right) * std::sqrt(gravity / 2 * (1 / depth + 1 / right));
    (velocity > of_shock ? lower : upper) = depth;
  }
  const double speed = position / time;
  if (speed < -left_wave) return left;
  if (speed < velocity - wave_speed(depth))
    return std::pow(2 * left_wave - speed, 2) / (9 * gravity);
  return speed < depth * velocity / (depth - right) ? depth : right;
}
// --8<-- [end:exact]

/// The mean error of a broken dam in a channel of 100 m, in m.
double error_of_dam_break() {
  constexpr long length = 128;
  constexpr double cell = 100.0 / length;
  constexpr double time = 8;
  const Basin::pattern_type pattern(dash::SizeSpec<2>(length, 2),
                                    dash::DistributionSpec<2>(dash::BLOCKED, dash::NONE));
  ShallowWater channel(pattern, cell, [](long row, long) { return row < length / 2 ? 2.0 : 1.0; });
  channel.advance(time);
  double error = 0;
  for (std::size_t k = 0; k < pattern.local_size(); ++k) {
    const long row = pattern.global_coords(pattern.team().myid(), static_cast<long>(k))[0];
    const double position = (static_cast<double>(row) + 0.5) * cell - 50;
    error += std::abs(channel.water().lbegin()[k].depth - dam_break(2, 1, position, time));
  }
  return dash::allreduce_async(error, dash::plus<double>()).get() / (2 * length);
}

/// Pictures side by side, which unit 0 collects.
class Strip {
 public:
  Strip(std::size_t num_frames, std::size_t size)
      : _size(size),
        _width(num_frames * (size + size / 32) - size / 32),
        _values(_width * size, 1) {}

  // --8<-- [start:frame]
  void add(const Basin& water) {
    dash::barrier();  // all elements are written
    if (dash::myid() == 0) {
      std::vector<Water> frame(water.size());
      dash::copy(water.begin(), water.end(), frame.data());
      for (std::size_t k = 0; k < frame.size(); ++k) {
        // The color shows the depth. Light from the north makes slopes visible.
        const std::size_t north = k < _size ? k : k - _size;
        const double rise = frame[k].depth - frame[north].depth;
        _values[k / _size * _width + _column + k % _size] =
            1.2 * (frame[k].depth - 0.7) + rise * static_cast<double>(_size) / 32;
      }
      _column += _size + _size / 32;
    }
    dash::barrier();  // elements may be overwritten
  }
  // --8<-- [end:frame]

  void write(const char* file) const {
    if (dash::myid() == 0) write_png(file, _width, _values, ocean);
  }

 private:
  std::size_t _size;
  std::size_t _width;
  std::size_t _column = 0;
  std::vector<double> _values;
};

bool run(long size) {
  const double error = error_of_dam_break();
  if (dash::myid() == 0) std::printf("dam break: mean error %.4f m\n", error);
  bool is_right = error < 0.025;

  dash::TeamSpec<2> units(dash::Team::All());
  units.balance_extents();
  const Basin::pattern_type pattern(dash::SizeSpec<2>(size, size),
                                    dash::DistributionSpec<2>(dash::BLOCKED, dash::BLOCKED), units);
  const auto scaled = static_cast<double>(size);
  // --8<-- [start:run]
  ShallowWater basin(pattern, 100 / scaled, [&](long row, long col) {
    if (std::hypot(row - 0.35 * scaled, col - 0.3 * scaled) < 0.12 * scaled) return 1.8;
    return std::hypot(row - 0.7 * scaled, col - 0.65 * scaled) < 0.08 * scaled ? 1.5 : 1.0;
  });
  constexpr int num_frames = 5;
  Strip strip(num_frames, static_cast<std::size_t>(size));
  double volume = 0;
  double energy = 0;
  for (int frame = 0; frame < num_frames; ++frame) {
    if (frame > 0) basin.advance(4);
    const auto sum = [&](auto function) {
      return dash::transform_reduce(basin.water().begin(), basin.water().end(), 0.0,
                                    dash::plus<double>(), function) *
             1e4 / (scaled * scaled);
    };
    const double old_volume = volume;
    const double old_energy = energy;
    volume = sum([](const Water& w) { return w.depth; });
    energy = sum([](const Water& w) {
      return (w.south * w.south + w.east * w.east) / w.depth / 2 + gravity / 2 * w.depth * w.depth;
    });
    if (frame > 0)
      is_right = is_right && std::abs(volume / old_volume - 1) < 1e-13 && energy < old_energy;
    if (dash::myid() == 0)
      std::printf("%2d s: volume %.6f m^3, energy %.3f MJ\n", 4 * frame, volume, energy / 1000);
    strip.add(basin.water());
  }
  // --8<-- [end:run]
  strip.write("shallow_water.png");
  return is_right;
}

}  // namespace

int main(int argc, char** argv) {
  dash::init(&argc, &argv);
  bool is_right = false;
  try {
    const long size = argc == 2 ? std::atol(argv[1]) : 64;
    if (argc > 2 || size < 32 || size > 4096)
      throw std::invalid_argument("usage: shallow_water [SIZE], from 32 to 4096 elements");
    is_right = run(size);
  } catch (const std::exception& error) {
    if (dash::myid() == 0) std::fprintf(stderr, "%s\n", error.what());
  }
  dash::finalize();
  return is_right ? 0 : 1;
}
