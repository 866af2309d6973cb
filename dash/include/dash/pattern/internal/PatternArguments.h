#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <type_traits>

#include "dash/Cartesian.h"
#include "dash/Dimensional.h"
#include "dash/Distribution.h"
#include "dash/Team.h"
#include "dash/TeamSpec.h"
#include "dash/Types.h"
#include "dash/core/Export.h"

namespace dash::internal {

[[noreturn]] DASH_API void throw_cannot_infer_team_spec(dim_t distributed, dim_t ndim);
[[noreturn]] DASH_API void throw_mixed_tiles();
[[noreturn]] DASH_API void throw_tile_extent(long long extent, long long tile, dim_t dimension);
[[noreturn]] DASH_API void throw_index_overflow(unsigned long long size, unsigned long long limit);

/// \throws exception::InvalidArgument if a grid has more units than its team
DASH_API void check_grid(std::size_t units, const Team& team);

/// \throws exception::OutOfRange if an index of the range overflows Index
template <class Index, class S, std::size_t N>
void check_size(const std::array<S, N>& extents) {
  constexpr auto limit = static_cast<S>(std::numeric_limits<Index>::max());
  for (const S extent : extents) {
    if (extent > limit) throw_index_overflow(extent, limit);
  }
  if (product(extents) > limit) throw_index_overflow(product(extents), limit);
}

template <class T>
inline constexpr bool is_team_spec = false;
template <dim_t N, class I>
inline constexpr bool is_team_spec<TeamSpec<N, I>> = true;

template <class T>
inline constexpr bool is_size_spec = false;
template <dim_t N, class S>
inline constexpr bool is_size_spec<SizeSpec<N, S>> = true;

template <class T>
inline constexpr bool is_distribution_spec = false;
template <dim_t N>
inline constexpr bool is_distribution_spec<DistributionSpec<N>> = true;

/// A valid argument type of a pattern's variadic constructor.
template <class T>
concept PatternArgument =
    IntegerLike<std::remove_cvref_t<T>> || std::is_same_v<std::remove_cvref_t<T>, Distribution> ||
    std::is_base_of_v<Team, std::remove_cvref_t<T>> || is_team_spec<std::remove_cvref_t<T>> ||
    is_size_spec<std::remove_cvref_t<T>> || is_distribution_spec<std::remove_cvref_t<T>>;

/// Whether Args do not start with an argument that the constructors of specs accept after a
/// SizeSpec.
template <class PatternType, class... Args>
inline constexpr bool no_distribution_spec_first = false;
template <class PatternType, class First, class... Args>
inline constexpr bool no_distribution_spec_first<PatternType, First, Args...> =
    !std::is_convertible_v<First, typename PatternType::distspec_type>;

/// Whether arguments have the variadic form: an extent first; or a SizeSpec, if the constructors
/// that take specs do not apply.
template <class PatternType, class First, class... Args>
concept PatternVariadicForm = IntegerLike<std::remove_cvref_t<First>> ||
    (is_size_spec<std::remove_cvref_t<First>> &&
     (!std::is_same_v<std::remove_cvref_t<First>, typename PatternType::sizespec_type> ||
      no_distribution_spec_first<PatternType, Args...>));

/// The arguments of a pattern's variadic constructor, in any order: N extents or a SizeSpec, then
/// optionally N Distributions or a DistributionSpec, a TeamSpec, a Team.
template <dim_t NumDimensions, class Index>
class PatternArguments {
 public:
  using SizeSpec_t = SizeSpec<NumDimensions, std::make_unsigned_t<Index>>;
  using DistributionSpec_t = DistributionSpec<NumDimensions>;
  using TeamSpec_t = TeamSpec<NumDimensions, Index>;

  template <class... Args>
  explicit PatternArguments(Args&&... args) : _team(find_team(args...)), _teamspec(*_team) {
    constexpr int extents = (0 + ... + int(IntegerLike<std::remove_cvref_t<Args>>));
    constexpr int sizespecs = (0 + ... + int(is_size_spec<std::remove_cvref_t<Args>>));
    constexpr int dists = (0 + ... + int(std::is_same_v<std::remove_cvref_t<Args>, Distribution>));
    constexpr int distspecs = (0 + ... + int(is_distribution_spec<std::remove_cvref_t<Args>>));
    constexpr int teamspecs = (0 + ... + int(is_team_spec<std::remove_cvref_t<Args>>));
    constexpr int teams = (0 + ... + int(std::is_base_of_v<Team, std::remove_cvref_t<Args>>));
    static_assert((extents == NumDimensions && sizespecs == 0) || (extents == 0 && sizespecs == 1),
                  "pattern: pass one extent for each dimension, or one SizeSpec");
    static_assert(dists == 0 || dists == NumDimensions,
                  "pattern: pass a distribution for each dimension, or for none");
    static_assert(distspecs + (dists > 0 ? 1 : 0) <= 1,
                  "pattern: pass distributions or one DistributionSpec, not both");
    static_assert(teamspecs <= 1, "pattern: pass at most one TeamSpec");
    static_assert(teams <= 1, "pattern: pass at most one Team");

    (take(args), ...);
    if constexpr (extents > 0) _sizespec = SizeSpec_t(_extents);
    if constexpr (dists > 0) _distspec = DistributionSpec_t(_distributions);
    if constexpr (teamspecs > 0) {
      _teamspec = TeamSpec_t(_teamspec, _distspec, *_team);
    } else {
      infer_team_spec();
    }
    check_tiles();
  }

  const SizeSpec_t& sizespec() const { return _sizespec; }
  const DistributionSpec_t& distspec() const { return _distspec; }
  const TeamSpec_t& teamspec() const { return _teamspec; }
  Team& team() const { return *_team; }

 private:
  template <class... Args>
  static Team* find_team(Args&... args) {
    Team* team = &Team::All();
    (
        [&](auto& arg) {
          if constexpr (std::is_base_of_v<Team, std::remove_cvref_t<decltype(arg)>>) team = &arg;
        }(args),
        ...);
    return team;
  }

  template <class Arg>
  void take(const Arg& arg) {
    if constexpr (std::is_same_v<Arg, Distribution>) {
      _distributions[_num_distributions++] = arg;
    } else if constexpr (is_distribution_spec<Arg>) {
      _distspec = arg;
    } else if constexpr (is_team_spec<Arg>) {
      _teamspec = arg;
    } else if constexpr (is_size_spec<Arg>) {
      _sizespec = SizeSpec_t(arg.extents());
    } else if constexpr (IntegerLike<Arg>) {
      const auto d = _num_extents++;
      _extents[d] = checked_extent<std::make_unsigned_t<Index>>(arg, static_cast<dim_t>(d));
    }
  }

  /// Balances the units if all dimensions are distributed; assigns all units to the dimension if
  /// exactly one is. A mapped team keeps its grid.
  void infer_team_spec() {
    dim_t distributed = 0;
    for (const auto& dist : _distspec.values())
      distributed += dist.type != DIST_NONE ? 1 : 0;
    if (_teamspec.is_mapped() && distributed > 1) {
      _teamspec = TeamSpec_t(_teamspec, _distspec, *_team);
    } else if (distributed == NumDimensions) {
      _teamspec.balance_extents();
    } else if (distributed == 1) {
      _teamspec = TeamSpec_t(_distspec, *_team);
    } else {
      throw_cannot_infer_team_spec(distributed, NumDimensions);
    }
  }

  void check_tiles() const {
    bool tiled = false;
    for (const auto& dist : _distspec.values())
      tiled = tiled || dist.type == DIST_TILE;
    if (!tiled) return;
    for (dim_t d = 0; d < NumDimensions; ++d) {
      const auto dist = _distspec.dim(d);
      if (dist.type != DIST_TILE) throw_mixed_tiles();
      const auto extent = _sizespec.extent(d);
      if (extent % dist.blocksz != 0) {
        throw_tile_extent(static_cast<long long>(extent), static_cast<long long>(dist.blocksz), d);
      }
    }
  }

  Team* _team;
  SizeSpec_t _sizespec;
  DistributionSpec_t _distspec;
  TeamSpec_t _teamspec;
  std::array<std::make_unsigned_t<Index>, NumDimensions> _extents{};
  std::array<Distribution, NumDimensions> _distributions{};
  std::size_t _num_extents = 0;
  std::size_t _num_distributions = 0;
};

}  // namespace dash::internal
