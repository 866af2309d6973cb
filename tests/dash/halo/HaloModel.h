#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "dash/Init.h"
#include "dash/Matrix.h"
#include "dash/Pattern.h"
#include "dash/Team.h"
#include "dash/TeamSpec.h"
#include "dash/ViewSpec.h"
#include "dash/halo/HaloMatrixWrapper.h"
#include "support/Runner.h"

/// The reference of the halo tests: a value for each global coordinate and step, and the same
/// computations on plain memory.
namespace dash::test {

using value_t = std::uint64_t;

template <dim_t N, MemArrange Arrange = ROW_MAJOR>
using HaloMatrix = Matrix<value_t, N, default_index_t, BlockPattern<N, Arrange>>;
template <dim_t N>
using HaloPoint = halo::StencilPoint<N>;
template <dim_t N>
using HaloCoords = std::array<default_index_t, N>;

/// Random numbers, either equal on all units or different on each.
class Random {
 public:
  explicit Random(unsigned seed) : _engine(seed) {}

  /// 0 ... n - 1
  int below(int n) { return static_cast<int>(_engine() % static_cast<unsigned>(n)); }
  int between(int low, int high) { return low + below(high - low + 1); }

 private:
  std::mt19937 _engine;
};

/// A value that is practically unique for coordinates and step.
template <dim_t N>
value_t value_at(const HaloCoords<N>& coords, int step) {
  value_t hash = static_cast<value_t>(step) + 0x9e3779b97f4a7c15ULL;
  for (const auto coord : coords) {
    hash = (hash ^ static_cast<value_t>(coord + 1000)) * 0xbf58476d1ce4e5b9ULL;
    hash ^= hash >> 31;
  }
  return hash;
}

/// A matrix shape, a grid of all units, and boundaries, for which a halo of a given width is valid.
template <dim_t N>
struct HaloShape {
  std::array<default_size_t, N> extents{};
  std::array<default_size_t, N> units{};
  std::array<halo::BoundaryProp, N> props{};

  template <MemArrange Arrange = ROW_MAJOR>
  BlockPattern<N, Arrange> pattern(Team& team = Team::All()) const {
    DistributionSpec<N> blocked;
    for (int d = 0; d < N; ++d)
      blocked[d] = units[d] > 1 ? BLOCKED : NONE;
    return {SizeSpec<N>(extents), blocked, TeamSpec<N>(units), team};
  }

  halo::GlobalBoundarySpec<N> bounds() const {
    halo::GlobalBoundarySpec<N> spec;
    for (int d = 0; d < N; ++d)
      spec[d] = props[d];
    return spec;
  }

  /// Whether each unit has a block of at least `width` elements in each dimension.
  bool fits(default_size_t width) const {
    for (int d = 0; d < N; ++d) {
      const auto block = (extents[d] + units[d] - 1) / units[d];
      if (block == 0 || (extents[d] + block - 1) / block != units[d]) return false;
      if (extents[d] - (units[d] - 1) * block < width) return false;
    }
    return true;
  }
};

/// Equal on all units of the team if `random` is.
template <dim_t N>
HaloShape<N> random_shape(Random& random, int width, const Team& team = Team::All()) {
  HaloShape<N> shape;
  auto rest = team.size();
  for (int d = 0; d < N; ++d) {
    std::vector<std::size_t> divisors;
    for (std::size_t n = 1; n <= rest; ++n) {
      if (rest % n == 0) divisors.push_back(n);
    }
    const auto choice = static_cast<std::size_t>(random.below(static_cast<int>(divisors.size())));
    shape.units[d] = d + 1 == N ? rest : divisors[choice];
    rest /= shape.units[d];
    shape.props[d] = static_cast<halo::BoundaryProp>(random.below(3));
  }
  do {
    for (int d = 0; d < N; ++d) {
      const int block = random.between(std::max(1, width), width + 5);
      const auto full = static_cast<std::size_t>(block) * shape.units[d];
      shape.extents[d] =
          full -
          std::min(full, static_cast<std::size_t>(random.below(static_cast<int>(shape.units[d]))));
    }
  } while (!shape.fits(static_cast<default_size_t>(std::max(1, width))));
  return shape;
}

/// A random box of which each unit has at least `width` elements in each dimension.
template <dim_t N>
ViewSpec<N> random_view(Random& random, const HaloShape<N>& shape, int width) {
  std::array<default_index_t, N> offsets{};
  std::array<default_size_t, N> extents = shape.extents;
  for (int d = 0; d < N; ++d) {
    const auto block = static_cast<int>((shape.extents[d] + shape.units[d] - 1) / shape.units[d]);
    const auto last =
        static_cast<int>(shape.extents[d]) - block * (static_cast<int>(shape.units[d]) - 1);
    const bool one = shape.units[d] == 1;
    const int before = random.below(block - width + 1);
    const int after = random.below(last - (one ? before : 0) - width + 1);
    offsets[d] = before;
    extents[d] -= static_cast<default_size_t>(before + after);
  }
  return ViewSpec<N>(offsets, extents);
}

/// Describes a case for the message of a failed check.
template <dim_t N, typename StencilT>
std::string describe(const HaloShape<N>& shape, const StencilT& stencil) {
  std::ostringstream text;
  text << "seed " << seed() << ", extents";
  for (const auto extent : shape.extents)
    text << ' ' << extent;
  text << ", units";
  for (const auto units : shape.units)
    text << ' ' << units;
  text << ", " << shape.bounds() << ", stencil " << stencil;
  return text.str();
}

template <dim_t N, typename Fn>
void for_each_coords(const std::array<default_size_t, N>& extents, Fn fn) {
  HaloCoords<N> coords{};
  for (const auto extent : extents) {
    if (extent == 0) return;
  }
  while (true) {
    fn(std::as_const(coords));
    int d = N - 1;
    while (d >= 0) {
      if (++coords[d] < static_cast<default_index_t>(extents[d])) break;
      coords[d--] = 0;
    }
    if (d < 0) return;
  }
}

/// Sets the caller's block to value_at(global coordinates, step).
template <typename MatrixT>
void fill(MatrixT& matrix, int step) {
  constexpr dim_t N = MatrixT::pattern_type::ndim();
  const auto& pattern = matrix.pattern();
  for_each_coords<N>(pattern.local_extents(), [&](const HaloCoords<N>& local) {
    matrix.lbegin()[pattern.local_at(local)] = value_at<N>(pattern.global(local), step);
  });
}

/// The expected value of a halo element at global coordinates.
/// \param custom_step  step of the values that the user set
template <dim_t N>
value_t expected_halo(const HaloShape<N>& shape, HaloCoords<N> coords, int step, int custom_step) {
  bool custom = false;
  for (int d = 0; d < N; ++d) {
    const auto extent = static_cast<default_index_t>(shape.extents[d]);
    const bool outside = coords[d] < 0 || coords[d] >= extent;
    custom = custom || (outside && shape.props[d] == halo::BoundaryProp::CUSTOM);
  }
  if (custom) return value_at<N>(coords, custom_step);
  for (int d = 0; d < N; ++d) {
    const auto extent = static_cast<default_index_t>(shape.extents[d]);
    coords[d] = (coords[d] + extent) % extent;
  }
  return value_at<N>(coords, step);
}

/// Whether there is a halo element at global coordinates outside of the block: none beyond a border
/// that is NONE.
template <dim_t N>
bool in_domain(const HaloShape<N>& shape, const HaloCoords<N>& coords) {
  for (int d = 0; d < N; ++d) {
    const bool outside =
        coords[d] < 0 || coords[d] >= static_cast<default_index_t>(shape.extents[d]);
    if (outside && shape.props[d] == halo::BoundaryProp::NONE) return false;
  }
  return true;
}

/// The update of an element, as in SerialStencil.
template <std::size_t NumPoints>
struct WeightedSum {
  template <typename Cell>
  value_t operator()(const Cell& cell) const {
    value_t sum = 3 * cell.center();
    value_t weight = 5;
    for (std::size_t i = 0; i < NumPoints; ++i, weight += 2)
      sum += weight * cell[i];
    return sum;
  }
};

/// The same; reads the points by their offsets.
template <typename StencilSpecT>
struct WeightedSumByOffsets {
  StencilSpecT stencil;

  template <typename Cell>
  value_t operator()(const Cell& cell) const {
    return add(cell, std::make_index_sequence<StencilSpecT::ndim()>());
  }

 private:
  template <typename Cell, std::size_t... Dims>
  value_t add(const Cell& cell, std::index_sequence<Dims...> /*dims*/) const {
    value_t sum = 3 * cell((0 * Dims)...);
    value_t weight = 5;
    for (const auto& point : stencil.specs()) {
      sum += weight * cell(point[static_cast<dim_t>(Dims)]...);
      weight += 2;
    }
    return sum;
  }
};

/// A stencil computation on the whole matrix in plain memory, with two alternating buffers.
template <dim_t N>
class SerialStencil {
 public:
  /// \param next_step  step of the values in the buffer of the first results
  explicit SerialStencil(const HaloShape<N>& shape, int next_step = 1) : _shape(shape) {
    for_each_coords<N>(shape.extents, [&](const HaloCoords<N>& coords) {
      _current.push_back(value_at<N>(coords, 0));
      _next.push_back(value_at<N>(coords, next_step));
    });
  }

  /// Elements whose stencil leaves the domain keep the previous value in their buffer.
  template <typename StencilSpecT>
  void step(const StencilSpecT& stencil, int custom_step) {
    for_each_coords<N>(_shape.extents, [&](const HaloCoords<N>& coords) {
      value_t sum = 3 * (*this)[coords];
      value_t weight = 5;
      for (const auto& point : stencil.specs()) {
        auto target = point.stencil_coords(coords);
        if (!in_domain<N>(_shape, target)) return;
        sum += weight * read(target, custom_step);
        weight += 2;
      }
      _next[position(coords)] = sum;
    });
    std::swap(_current, _next);
  }

  value_t operator[](const HaloCoords<N>& coords) const { return _current[position(coords)]; }

 private:
  value_t read(HaloCoords<N> coords, int custom_step) const {
    for (int d = 0; d < N; ++d) {
      const auto extent = static_cast<default_index_t>(_shape.extents[d]);
      const bool outside = coords[d] < 0 || coords[d] >= extent;
      if (outside && _shape.props[d] == halo::BoundaryProp::CUSTOM) {
        return value_at<N>(coords, custom_step);
      }
    }
    for (int d = 0; d < N; ++d) {
      const auto extent = static_cast<default_index_t>(_shape.extents[d]);
      coords[d] = (coords[d] + extent) % extent;
    }
    return (*this)[coords];
  }

  std::size_t position(const HaloCoords<N>& coords) const {
    std::size_t index = 0;
    for (int d = 0; d < N; ++d) {
      index = index * _shape.extents[d] + static_cast<std::size_t>(coords[d]);
    }
    return index;
  }

  HaloShape<N> _shape;
  std::vector<value_t> _current;
  std::vector<value_t> _next;
};

}  // namespace dash::test
