#pragma once

#include <array>
#include <cstddef>
#include <initializer_list>
#include <iosfwd>
#include <utility>

#include "dash/Cartesian.h"
#include "dash/Dimensional.h"
#include "dash/Team.h"
#include "dash/Types.h"
#include "dash/core/Export.h"

namespace dash {

namespace internal {

/// Factors of `size`, as equal as possible, in descending order.
template <class S, std::size_t N>
constexpr std::array<S, N> balanced_factors(S size) {
  std::array<S, N> factors{};
  factors.fill(1);
  if (size == 0) {
    factors[0] = 0;
    return factors;
  }
  S rest = size;
  for (std::size_t i = N; i-- > 1;) {
    // The largest divisor whose (i + 1)-th power does not exceed the remaining size becomes the
    // smallest factor.
    S best = 1;
    for (S divisor = 2;; ++divisor) {
      S power = 1;
      bool too_large = false;
      for (std::size_t k = 0; k <= i && !too_large; ++k) {
        too_large = power > rest / divisor;
        power *= divisor;
      }
      if (too_large) break;
      if (rest % divisor == 0) best = divisor;
    }
    factors[i] = best;
    rest /= best;
  }
  factors[0] = rest;
  // Greedy choices are not always sorted: 72 yields 4, then 3, then 6.
  for (std::size_t i = 1; i < N; ++i) {
    for (std::size_t k = i; k > 0 && factors[k] > factors[k - 1]; --k) {
      std::swap(factors[k], factors[k - 1]);
    }
  }
  return factors;
}

[[noreturn]] DASH_API void throw_distributed_dimensions(dim_t distributed, dim_t ndim);

}  // namespace internal

/// The units of a team as an N-dimensional grid, in row-major order.
///
/// The extents are the numbers of units per dimension. Their product should be the size of the
/// team; if it is smaller, the remaining units have no elements.
/// \ingroup patterns
template <dim_t NumDimensions, typename IndexType = default_index_t>
class TeamSpec : public CartesianIndexSpace<NumDimensions, ROW_MAJOR, IndexType> {
  using Base = CartesianIndexSpace<NumDimensions, ROW_MAJOR, IndexType>;
  template <dim_t, typename>
  friend class TeamSpec;

 public:
  using size_type = typename Base::size_type;
  using index_type = IndexType;
  /// Number of units in each dimension.
  using extents_type = typename Base::extents_type;

  /// A linear grid with all units in the first dimension; for a team mapped to a grid of the same
  /// number of dimensions, that grid.
  TeamSpec(Team& team = Team::All())  // NOLINT(google-explicit-constructor): as DASH's
      : _is_linear(team.grid().size() != NumDimensions),
        _is_mapped(!_is_linear),
        _myid(team.myid()) {
    extents_type extents{};
    extents.fill(1);
    extents[0] = static_cast<size_type>(team.size());
    for (std::size_t d = 0; _is_mapped && d < NumDimensions; ++d)
      extents[d] = static_cast<size_type>(team.grid()[d]);
    Base::resize(extents);
  }

  /// Copies the extents of another spec. A default, linear spec is adapted to the distribution: all
  /// units go to the first TILE dimension if there is one, otherwise they are balanced over the
  /// dimensions that are not NONE. The grid of a mapped team is adapted likewise if it has several
  /// units in a NONE dimension.
  TeamSpec(const TeamSpec& other, const DistributionSpec<NumDimensions>& distribution,
           Team& team = Team::All())
      : TeamSpec(other) {
    _myid = team.myid();
    if (NumDimensions > 1 && (_is_linear || (_is_mapped && !is_compatible_with(distribution))))
      distribute(this->size(), distribution);
  }

  /// All units in the one distributed dimension (if several are tiled, in the first of them); or
  /// the grid that the team was mapped to, if it has one unit in each NONE dimension.
  /// \throws exception::InvalidArgument if not exactly one dimension is distributed
  explicit TeamSpec(const DistributionSpec<NumDimensions>& distribution, Team& team = Team::All())
      : TeamSpec(team) {
    if (_is_mapped && is_compatible_with(distribution)) return;
    const auto distributed = num_distributed(distribution);
    if (distributed != 1 && !distribution.is_tiled()) {
      internal::throw_distributed_dimensions(distributed, NumDimensions);
    }
    distribute(this->size(), distribution);
    _is_linear = NumDimensions == 1;
  }

  /// Number of units in each dimension, of Team::All().
  template <internal::IntegerLike... Extents>
  requires(sizeof...(Extents) == NumDimensions)
      TeamSpec(const Extents&... extents)  // NOLINT(google-explicit-constructor): as DASH's
      : Base(extents...), _myid(Team::All().myid()) {}

  /// \overload
  TeamSpec(const extents_type& extents, Team& team = Team::All())  // NOLINT: as DASH's
      : Base(extents), _myid(team.myid()) {}

  /// The same grid, with another index type.
  template <typename OtherIndex>
  TeamSpec(const TeamSpec<NumDimensions, OtherIndex>& other)  // NOLINT: for any index type
      : _is_linear(other._is_linear), _is_mapped(other._is_mapped), _myid(other._myid) {
    Base::resize(other.extents());
  }

  /// Number of dimensions: the template argument.
  static constexpr dim_t ndim() { return NumDimensions; }

  /// Chooses extents as equal as possible for the same number of units, the largest first: 6 units
  /// in two dimensions become 3 x 2. Keeps the grid of a mapped team.
  void balance_extents() {
    if (_is_mapped) return;
    Base::resize(internal::balanced_factors<size_type, NumDimensions>(this->size()));
    _is_linear = false;
  }

  /// Number of units in one dimension.
  /// \throws exception::OutOfRange unless 0 <= dimension < N
  size_type num_units(dim_t dimension) const { return this->extent(dimension); }

  /// Number of dimensions with more than one unit, at least 1.
  dim_t rank() const {
    dim_t several = 0;
    for (const auto extent : this->_extents)
      several += extent > 1 ? 1 : 0;
    return several > 0 ? several : 1;
  }

  /// Replaces the numbers of units; is_linear() and is_mapped() are false afterwards.
  /// \param extents  one for each dimension, or one array of them
  template <class... Extents>
  void resize(const Extents&... extents) {
    Base::resize(extents...);
    _is_linear = _is_mapped = false;
  }
  /// As resize(), for one dimension.
  /// \throws exception::OutOfRange unless 0 <= dimension < N
  void resize_dim(dim_t dimension, size_type extent) {
    Base::resize_dim(dimension, extent);
    _is_linear = _is_mapped = false;
  }

  template <class Char, class Traits>
  friend std::basic_ostream<Char, Traits>& operator<<(std::basic_ostream<Char, Traits>& os,
                                                      const TeamSpec& spec) {
    return spec.print(os, "TeamSpec");
  }

  /// Whether the extents are the default of a team, all units in the first dimension.
  bool is_linear() const { return _is_linear; }
  /// Whether the extents are the grid that the team was mapped to.
  bool is_mapped() const { return _is_mapped; }

  /// The unit at an offset from the caller in the grid; UNDEFINED_TEAM_UNIT_ID outside of it.
  team_unit_t neighbor(const std::array<int, NumDimensions>& offsets) const {
    return neighbor_at(offsets, false);
  }
  /// \overload
  team_unit_t neighbor(std::initializer_list<int> offsets) const {
    return neighbor_at(to_array(offsets), false);
  }

  /// The unit at an offset from the caller in the grid, with periodic boundaries.
  team_unit_t periodic_neighbor(const std::array<int, NumDimensions>& offsets) const {
    return neighbor_at(offsets, true);
  }
  /// \overload
  team_unit_t periodic_neighbor(std::initializer_list<int> offsets) const {
    return neighbor_at(to_array(offsets), true);
  }

 private:
  static dim_t num_distributed(const DistributionSpec<NumDimensions>& distribution) {
    dim_t distributed = 0;
    for (const auto& dist : distribution.values()) {
      distributed += dist.type != internal::DIST_NONE ? 1 : 0;
    }
    return distributed;
  }

  /// Whether every unit of the grid can own elements: there is one unit in each NONE dimension.
  bool is_compatible_with(const DistributionSpec<NumDimensions>& distribution) const {
    for (std::size_t d = 0; d < NumDimensions; ++d) {
      if (distribution.values()[d].type == internal::DIST_NONE && this->_extents[d] > 1)
        return false;
    }
    return true;
  }

  /// Splits the units among the distributed dimensions, as equally as possible.
  void distribute(size_type units, const DistributionSpec<NumDimensions>& distribution) {
    const bool tiled = distribution.is_tiled();
    const auto distributed = tiled ? 1 : num_distributed(distribution);
    // Factors of the units for as many dimensions as are distributed, the rest 1.
    auto factors = balance_over(units, distributed);
    extents_type extents{};
    extents.fill(1);
    for (std::size_t d = 0, used = 0; d < NumDimensions; ++d) {
      const auto type = distribution.values()[d].type;
      const bool takes =
          tiled ? type == internal::DIST_TILE && used == 0 : type != internal::DIST_NONE;
      if (takes) extents[d] = factors[used++];
    }
    Base::resize(extents);
    _is_mapped = false;
  }

  template <std::size_t Count = 1>
  static extents_type balance_over(size_type units, dim_t count) {
    if constexpr (Count < NumDimensions) {
      if (count > static_cast<dim_t>(Count)) return balance_over<Count + 1>(units, count);
    }
    extents_type result{};
    result.fill(1);
    const auto factors = internal::balanced_factors<size_type, Count>(units);
    for (std::size_t i = 0; i < Count; ++i)
      result[i] = factors[i];
    return result;
  }

  static std::array<int, NumDimensions> to_array(std::initializer_list<int> offsets) {
    std::array<int, NumDimensions> result{};
    std::size_t d = 0;
    for (const int offset : offsets) {
      internal::check_dimension(static_cast<dim_t>(d), NumDimensions);
      result[d++] = offset;
    }
    return result;
  }

  team_unit_t neighbor_at(const std::array<int, NumDimensions>& offsets, bool periodic) const {
    if (_myid < 0 || _myid >= this->size()) return UNDEFINED_TEAM_UNIT_ID;
    auto coords = Base::coords(static_cast<IndexType>(_myid.id));
    for (std::size_t d = 0; d < NumDimensions; ++d) {
      const auto extent = static_cast<IndexType>(this->_extents[d]);
      coords[d] += offsets[d];
      if (periodic) {
        coords[d] = (coords[d] % extent + extent) % extent;
      } else if (coords[d] < 0 || coords[d] >= extent) {
        return UNDEFINED_TEAM_UNIT_ID;
      }
    }
    return team_unit_t(static_cast<dart_unit_t>(this->at(coords)));
  }

  bool _is_linear = false;
  bool _is_mapped = false;
  team_unit_t _myid;
};

}  // namespace dash
