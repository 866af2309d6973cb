#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>
#include <vector>

#include "dash/internal/FastDivisor.h"

namespace dash::internal {

/// Sums of values that stand on a ring, over steps of equal width: sum(begin, n) is that of the
/// values at begin, begin - width, begin - 2 width, ..., n of them.
///
/// The steps from any place come back to it after ring size / gcd(ring size, width); the sums of
/// each of these cycles are a table, twice around so that none has to be cut in two. If all values
/// are the same there are no tables.
template <class Index>
class RingSums {
 public:
  constexpr RingSums() = default;
  constexpr RingSums(const std::vector<Index>& values, Index width)
      : _value(values.front()), _by_value(_value) {
    if (std::all_of(values.begin(), values.end(), [&](Index v) { return v == _value; })) return;
    const auto ring = static_cast<Index>(values.size());
    const Index cycles = std::gcd(ring, width);
    _period = ring / cycles;
    _by_period = IndexDivisor<Index>(_period);
    _start.resize(values.size());
    _sums.reserve(static_cast<std::size_t>(cycles * (2 * _period + 1)));
    for (Index cycle = 0; cycle < cycles; ++cycle) {
      Index place = cycle;
      Index sum = 0;
      for (Index step = 0; step < 2 * _period; ++step) {
        if (step < _period) _start[at(place)] = static_cast<Index>(_sums.size());
        _sums.push_back(sum);
        sum += values[at(place)];
        place = place >= width ? place - width : place + ring - width;
      }
      _sums.push_back(sum);
    }
  }

  constexpr Index sum(Index begin, Index count) const {
    if (_sums.empty()) return count * _value;
    const Index rounds = _by_period.divide(count);
    const auto* sums = _sums.data() + _start[at(begin)];
    return rounds * (sums[_period] - sums[0]) + sums[count - rounds * _period] - sums[0];
  }

  /// The largest count with sum(begin, count) <= limit.
  /// \pre not all values of the cycle are 0
  constexpr Index find(Index begin, Index limit) const {
    if (_sums.empty()) return _by_value.divide(limit);
    const auto* sums = _sums.data() + _start[at(begin)];
    const Index round = sums[_period] - sums[0];
    const Index rounds = limit / round;
    const auto* above = std::upper_bound(sums, sums + _period, limit - rounds * round + sums[0]);
    return rounds * _period + static_cast<Index>(above - sums) - 1;
  }

 private:
  static constexpr std::size_t at(Index index) { return static_cast<std::size_t>(index); }

  Index _value = 0;
  IndexDivisor<Index> _by_value;
  Index _period = 0;
  IndexDivisor<Index> _by_period;
  std::vector<Index> _start;  // of the sums that begin at a place
  std::vector<Index> _sums;
};

/// The cells of an N-dimensional grid, in canonical order from axis 0 on, owned in turn: cell c
/// belongs to unit (s0 c0 + s1 c1 + ...) % units, with a step s for each axis. A cell weighs the
/// product of its weights in all axes, the same for all but the last of an axis.
///
/// Counts what the cells of a unit weigh that come before one of them, and finds the cell back.
template <std::size_t N, class Index>
class SkewedOrder {
 public:
  using Cell = std::array<Index, N>;
  struct Axis {
    Index cells = 0;
    Index weight = 0;
    Index last_weight = 0;
    Index step = 0;  ///< in 0 ... units - 1; that of the last axis is 1, or 0 for a single unit
  };
  struct Found {
    Cell cell;
    Index rest;  ///< what is left of the weight
  };

  constexpr SkewedOrder() = default;
  constexpr SkewedOrder(const std::array<Axis, N>& axes, Index units)
      : _axes(axes), _units(units), _by_units(units) {
    for (std::size_t i = 0; i < N; ++i) {
      _by_weight[i] = IndexDivisor<Index>(axes[i].weight);
      _by_last_weight[i] = IndexDivisor<Index>(axes[i].last_weight);
    }
    if (units == 0) return;
    // By residue, what a unit has of the axes further in, from the last one on.
    std::vector<Index> inner(static_cast<std::size_t>(units), 0);
    inner[0] = 1;
    for (std::size_t i = N; i-- > 0;) {
      _sums[i] = RingSums<Index>(inner, axes[i].step);
      if (axes[i].cells == 0) {
        std::fill(inner.begin(), inner.end(), Index{0});
        continue;
      }
      std::vector<Index> outer(inner.size());
      const Index last = axes[i].cells - 1;
      for (Index residue = 0; residue < units; ++residue) {
        const Index at_last = modulo(residue - modulo_units(axes[i].step * last));
        outer[static_cast<std::size_t>(residue)] =
            axes[i].weight * _sums[i].sum(residue, last) +
            axes[i].last_weight * inner[static_cast<std::size_t>(at_last)];
      }
      inner = std::move(outer);
    }
    _totals = std::move(inner);
  }

  constexpr Index units() const { return _units; }
  constexpr Index divide_by_units(Index value) const { return _by_units.divide(value); }
  constexpr Index modulo_units(Index value) const {
    return value - divide_by_units(value) * _units;
  }

  constexpr Index owner(const Cell& cell) const {
    Index sum = 0;
    for (std::size_t i = 0; i < N; ++i)
      sum += _axes[i].step * cell[i];
    return modulo_units(sum);
  }
  /// What all cells of a unit weigh.
  constexpr Index total(Index unit) const { return _totals[static_cast<std::size_t>(unit)]; }

  /// What the cells weigh that come before a cell and have the same owner.
  constexpr Index before(const Cell& cell) const {
    Index sum = cell[N - 1] * _axes[N - 1].step;
    // Of the last axis, the owner has a cell in each round of the units.
    Index result = _axes[N - 1].weight * divide_by_units(cell[N - 1]);
    for (std::size_t i = N - 1; i-- > 0;) {
      sum += cell[i] * _axes[i].step;
      result =
          _axes[i].weight * _sums[i].sum(modulo_units(sum), cell[i]) + weight(i, cell[i]) * result;
    }
    return result;
  }

  /// The cell of a unit that `index` falls into, counting from the unit's first.
  /// \pre 0 <= index < total(unit)
  constexpr Found find(Index unit, Index index) const {
    Found found{};
    Index residue = unit;
    Index thickness = 1;
    for (std::size_t i = 0; i < N; ++i) {
      Index slabs = index;
      for (std::size_t outer = 0; outer < i; ++outer)
        slabs = divide_by_weight(outer, found.cell[outer], slabs);
      slabs = _by_weight[i].divide(slabs);
      if (i + 1 == N) {
        found.cell[i] = slabs * _units + residue;
      } else {
        found.cell[i] = _sums[i].find(residue, slabs);
        slabs = _sums[i].sum(residue, found.cell[i]);
        residue = modulo(residue - modulo_units(_axes[i].step * found.cell[i]));
      }
      index -= thickness * _axes[i].weight * slabs;
      thickness *= weight(i, found.cell[i]);
    }
    found.rest = index;
    return found;
  }

  /// Which cells of the last axis a unit has where the others are given: those with this residue.
  constexpr Index residue_in_row(Index unit, const Cell& row) const {
    Index sum = 0;
    for (std::size_t i = 0; i + 1 < N; ++i)
      sum += _axes[i].step * row[i];
    return modulo(unit - modulo_units(sum));
  }

 private:
  /// Of the difference of two residues.
  constexpr Index modulo(Index difference) const {
    return difference < 0 ? difference + _units : difference;
  }

  constexpr bool is_last(std::size_t axis, Index cell) const {
    return cell + 1 == _axes[axis].cells;
  }
  constexpr Index weight(std::size_t axis, Index cell) const {
    return is_last(axis, cell) ? _axes[axis].last_weight : _axes[axis].weight;
  }
  constexpr Index divide_by_weight(std::size_t axis, Index cell, Index value) const {
    return (is_last(axis, cell) ? _by_last_weight : _by_weight)[axis].divide(value);
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
