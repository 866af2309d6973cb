#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "dash/internal/util/FastDivisor.h"
#include "dash/pattern/internal/DimensionMap.h"
#include "dash/pattern/internal/MappingTypes.h"

namespace dash::internal {

/// Sums of values on a ring, in steps of equal width: the sum of `count` values at begin, begin -
/// width, begin - 2 width, and so on.
///
/// Starting from any position, the steps return to it after ring size / gcd(ring size, width). For
/// each of these cycles there is a table of prefix sums over two rounds, so that no sum wraps
/// around. If all values are equal, there are no tables.
///
/// To find a count from a sum, a second table contains the positions where prefix sums reach
/// multiples of about the mean value. If the values are similar, only few sums remain to be
/// searched.
/// \tparam Index  type of the values, sums and positions
template <class Index>
class RingSums {
 public:
  constexpr RingSums() = default;
  /// \param max_dividend  the largest sum and count that will be divided
  constexpr RingSums(const std::vector<Index>& values, Index width, std::uint64_t max_dividend)
      : _value(values.front(), max_dividend),
        _ring(static_cast<Index>(values.size()), max_dividend),
        _width(width) {
    if (std::all_of(values.begin(), values.end(), [&](Index v) { return v == _value.count; }))
      return;
    const Index cycles = std::gcd(_ring.count, width);
    _period = DivisorCount<Index>(_ring.count / cycles, max_dividend);
    _starts.resize(values.size());
    _sums.reserve(static_cast<std::size_t>(cycles * (2 * _period.count + 1)));
    for (Index cycle = 0; cycle < cycles; ++cycle) {
      const std::size_t begin = _sums.size();
      Index position = cycle;
      Index sum = 0;
      for (Index step = 0; step < 2 * _period.count; ++step) {
        _sums.push_back({sum, position});
        sum += values[at(position)];
        position = advanced(position);
      }
      _sums.push_back({sum, position});
      add_starts(begin, max_dividend);
    }
  }

  constexpr bool needs_no_shift() const {
    bool result =
        _value.by.needs_no_shift() && _ring.by.needs_no_shift() && _period.by.needs_no_shift();
    for (const Start& start : _starts)
      result = result && start.round.by.needs_no_shift() && start.by_step.needs_no_shift();
    return result;
  }

  template <class Division>
  constexpr Index sum(Index begin, Index count) const {
    if (_sums.empty()) return count * _value.count;
    const Index rounds = Division::divide(_period.by, count);
    const Start& start = _starts[at(begin)];
    return rounds * start.round.count +
           _sums[at(start.index + count - rounds * _period.count)].sum - start.sum;
  }

  struct Found {
    Index count;
    Index sum;
    Index position;  ///< `count` steps from the start
  };
  /// The largest count whose sum does not exceed a limit, and that sum.
  /// \pre not all values of the cycle are 0
  template <class Division>
  constexpr Found find(Index begin, Index limit) const {
    if (_sums.empty()) {
      const Index count = Division::divide(_value.by, limit);
      const Index steps = count * _width;
      const Index position = begin - (steps - Division::divide(_ring.by, steps) * _ring.count);
      return {count, count * _value.count, position < 0 ? position + _ring.count : position};
    }
    const Start& start = _starts[at(begin)];
    const Index rounds = Division::divide(start.round.by, limit);
    const Index wanted = limit - rounds * start.round.count + start.sum;
    // Searches for the last sum that does not exceed `wanted`, between two consecutive multiples.
    const auto multiple = at(start.multiples + Division::divide(start.by_step, wanted));
    Index first = _multiples[multiple].index;
    const Index last = _multiples[multiple + 1].index;
    if (last - first <= 1) [[likely]] {
      // Branch-free. If the interval is empty, the sum at `first` exceeds `wanted`.
      first += static_cast<Index>(_multiples[multiple].sum <= wanted);
    } else {
      const auto* const above =
          std::upper_bound(_sums.data() + first, _sums.data() + last, wanted,
                           [](Index value, const Sum& each) { return value < each.sum; });
      first = static_cast<Index>(above - _sums.data());
    }
    const Sum& found = _sums[at(first - 1)];
    return {rounds * _period.count + first - 1 - start.index,
            rounds * start.round.count + found.sum - start.sum, found.position};
  }

 private:
  struct Sum {
    Index sum;
    Index position;  ///< of the next value
  };
  /// The first sum not less than a multiple.
  struct Multiple {
    Index index;
    Index sum;
  };
  /// The data of a position, adjacent in memory.
  struct Start {
    Index index = 0;            // of its prefix sum
    Index sum = 0;              // its prefix sum
    DivisorCount<Index> round;  // the sum of all values of the cycle
    Index multiples = 0;        // begin of the cycle's multiples
    IndexDivisor<Index> by_step;
  };

  /// Adds the positions of a cycle, whose sums start at `begin`.
  constexpr void add_starts(std::size_t begin, std::uint64_t max_dividend) {
    Start start;
    start.round = DivisorCount<Index>(_sums[begin + at(_period.count)].sum, max_dividend);
    const Index step = std::max<Index>(start.round.count / _period.count, 1);
    start.by_step = IndexDivisor<Index>(step, max_dividend);
    start.multiples = static_cast<Index>(_multiples.size());
    for (std::size_t i = begin; i < begin + at(_period.count); ++i) {
      start.index = static_cast<Index>(i);
      start.sum = _sums[i].sum;
      _starts[at(_sums[i].position)] = start;
    }
    // Sums to be found are less than the sum of two rounds.
    std::size_t next = begin;
    const std::uint64_t past = to_unsigned(_sums.back().sum) + 2 * to_unsigned(step);
    for (std::uint64_t multiple = 0; multiple < past; multiple += to_unsigned(step)) {
      while (next < _sums.size() && to_unsigned(_sums[next].sum) < multiple)
        ++next;
      const Index sum = next < _sums.size() ? _sums[next].sum : std::numeric_limits<Index>::max();
      _multiples.push_back({static_cast<Index>(next), sum});
    }
  }
  constexpr Index advanced(Index position) const {
    return position >= _width ? position - _width : position + _ring.count - _width;
  }
  static constexpr std::size_t at(Index index) { return static_cast<std::size_t>(index); }

  DivisorCount<Index> _value;
  DivisorCount<Index> _ring;
  DivisorCount<Index> _period;
  Index _width = 0;
  std::vector<Start> _starts;
  std::vector<Sum> _sums;
  std::vector<Multiple> _multiples;
};

/// The cells of an N-dimensional grid, in canonical order starting with axis 0, owned cyclically:
/// cell c belongs to unit (s0 c0 + s1 c1 + ...) % units, with a step s for each axis. The weight of
/// a cell is the product of its weights in all axes; in each axis, all weights are equal except the
/// last.
///
/// Computes the total weight of a unit's cells before a given cell, and the cell at a given weight.
/// \tparam UnitSteps  all steps are 1   \tparam UnitWeights  all weights are 1
template <std::size_t N, class Index, bool UnitSteps, bool UnitWeights>
class SkewedOrder {
 public:
  using Cell = std::array<Index, N>;
  struct Axis {
    Index cells = 0;
    Index weight = 0;
    Index last_weight = 0;
    Index step = 0;  ///< in 0 ... units - 1; for the last axis 1, or 0 for a single unit
  };
  struct Found {
    Cell cell;
    Index rest;  ///< remaining weight within the cell
  };

  constexpr SkewedOrder() = default;
  /// \param max_dividend  the largest number that will be divided: weights, and coordinates times
  ///         steps
  constexpr SkewedOrder(const std::array<Axis, N>& axes, Index units, std::uint64_t max_dividend)
      : _axes(axes), _units(units), _by_units(units, max_dividend) {
    for (std::size_t i = 0; i < N; ++i) {
      _by_weight[i] = IndexDivisor<Index>(axes[i].weight, max_dividend);
      _by_last_weight[i] = IndexDivisor<Index>(axes[i].last_weight, max_dividend);
    }
    if (units == 0) return;
    // For each residue, the unit's total weight in the inner axes, starting with the last axis.
    std::vector<Index> inner(static_cast<std::size_t>(units), 0);
    inner[0] = 1;
    for (std::size_t i = N; i-- > 0;) {
      _sums[i] = RingSums<Index>(inner, axes[i].step, max_dividend);
      if (axes[i].cells == 0) {
        std::fill(inner.begin(), inner.end(), Index{0});
        continue;
      }
      std::vector<Index> outer(inner.size());
      const Index last = axes[i].cells - 1;
      for (Index residue = 0; residue < units; ++residue) {
        const Index at_last = modulo(residue - modulo_units(advanced(i, last)));
        outer[static_cast<std::size_t>(residue)] =
            axes[i].weight * _sums[i].template sum<AnyDivision>(residue, last) +
            axes[i].last_weight * inner[static_cast<std::size_t>(at_last)];
      }
      inner = std::move(outer);
    }
    _totals = std::move(inner);
  }

  constexpr Index units() const { return _units; }
  constexpr bool needs_no_shift() const {
    bool result = _by_units.needs_no_shift();
    for (std::size_t i = 0; i < N; ++i) {
      result = result && _by_weight[i].needs_no_shift() && _by_last_weight[i].needs_no_shift() &&
               _sums[i].needs_no_shift();
    }
    return result;
  }
  template <class Division = AnyDivision>
  constexpr Index modulo_units(Index value) const {
    return value - Division::divide(_by_units, value) * _units;
  }

  template <class Division = AnyDivision>
  constexpr Index owner(const Cell& cell) const {
    Index sum = 0;
    for (std::size_t i = 0; i < N; ++i)
      sum += advanced(i, cell[i]);
    return modulo_units<Division>(sum);
  }
  /// The total weight of the cells of a unit.
  constexpr Index total(Index unit) const { return _totals[static_cast<std::size_t>(unit)]; }

  /// The total weight of the cells before a cell that have the same owner.
  template <class Division = AnyDivision>
  constexpr Index before(const Cell& cell) const {
    Index sum = advanced(N - 1, cell[N - 1]);
    // In the last axis, the owner has one cell in each round of the units.
    Index result = weighted(N - 1, Division::divide(_by_units, cell[N - 1]));
    for_each_dim<N - 1>([&](std::size_t inner) {
      const std::size_t i = N - 2 - inner;
      sum += advanced(i, cell[i]);
      const Index residue = modulo_units<Division>(sum);
      result = weighted(i, _sums[i].template sum<Division>(residue, cell[i])) +
               weight(i, cell[i]) * result;
    });
    return result;
  }

  /// The cell of a unit that contains `index`, where index is a weight counted from the unit's
  /// first cell.
  /// \pre 0 <= index < total(unit)
  template <class Division = AnyDivision>
  constexpr Found find(Index unit, Index index) const {
    Found found{};
    Index residue = unit;
    Index thickness = 1;
    for_each_dim<N>([&](std::size_t i) {
      Index layers = index;
      if constexpr (!UnitWeights) {
        for (std::size_t outer = 0; outer < i; ++outer)
          layers = divide_by_weight<Division>(outer, found.cell[outer], layers);
        layers = Division::divide(_by_weight[i], layers);
      }
      if (i + 1 == N) {
        found.cell[i] = layers * _units + residue;
      } else {
        const auto in_axis = _sums[i].template find<Division>(residue, layers);
        found.cell[i] = in_axis.count;
        layers = in_axis.sum;
        residue = in_axis.position;
      }
      index -= thickness * weighted(i, layers);
      thickness *= weight(i, found.cell[i]);
    });
    found.rest = index;
    return found;
  }

  /// The residue of the unit's cells in the last axis, given the other coordinates.
  constexpr Index residue_in_row(Index unit, const Cell& row) const {
    Index sum = 0;
    for (std::size_t i = 0; i + 1 < N; ++i)
      sum += advanced(i, row[i]);
    return modulo(unit - modulo_units(sum));
  }

 private:
  /// Modulo the number of units, for a difference of two residues.
  constexpr Index modulo(Index difference) const {
    return difference < 0 ? difference + _units : difference;
  }

  constexpr bool is_last(std::size_t axis, Index cell) const {
    return cell + 1 == _axes[axis].cells;
  }
  constexpr Index weight(std::size_t axis, Index cell) const {
    if constexpr (UnitWeights) return 1;
    return either(is_last(axis, cell), _axes[axis].last_weight, _axes[axis].weight);
  }
  constexpr Index weighted(std::size_t axis, Index count) const {
    if constexpr (UnitWeights) return count;
    return _axes[axis].weight * count;
  }
  /// Modulo the number of units. For a single unit, steps are 0.
  constexpr Index advanced(std::size_t axis, Index cell) const {
    if constexpr (UnitSteps) return cell;
    return _axes[axis].step * cell;
  }
  template <class Division>
  constexpr Index divide_by_weight(std::size_t axis, Index cell, Index value) const {
    return Division::divide(
        IndexDivisor<Index>::either(is_last(axis, cell), _by_last_weight[axis], _by_weight[axis]),
        value);
  }

  std::array<Axis, N> _axes{};
  Index _units = 0;
  IndexDivisor<Index> _by_units;
  std::array<IndexDivisor<Index>, N> _by_weight{};
  std::array<IndexDivisor<Index>, N> _by_last_weight{};
  std::array<RingSums<Index>, N> _sums{};
  std::vector<Index> _totals;
};

}  // namespace dash::internal
