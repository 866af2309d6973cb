#pragma once

#include <cstddef>
#include <vector>

#include "dash/Team.h"
#include "dash/Types.h"
#include "dash/core/Export.h"
#include "dash/dart/if/dart_locality_types.h"
#include "dash/pattern/CSRPattern.h"

namespace dash {

/// What a unit computes in a time: its cores times their clock.
struct UnitClockFreqMeasure {
  /// \param cores  of the unit's share, where a core that k units have is 1 / k of one to each
  /// \returns a number that is larger the more a unit can do; 0 if not known
  DASH_API static double weight(const dart_hwinfo_t& hardware, double cores) noexcept;
  DASH_API static double weight(const dart_hwinfo_t& hardware) noexcept;
};

/// What a unit moves to and from memory in a time, while the other units of its host do the same.
struct BytesPerCycleMeasure {
  /// \returns a number that is larger the more a unit can do; 0 if not known
  DASH_API static double weight(const dart_hwinfo_t& hardware) noexcept;
};

namespace internal {

using UnitMeasure = double (*)(const dart_hwinfo_t&, double cores);

/// A measure that need not know of cores that are shared.
template <class Measure>
double weight_by(const dart_hwinfo_t& hardware, double cores) {
  if constexpr (requires { Measure::weight(hardware, cores); }) {
    return Measure::weight(hardware, cores);
  } else {
    return Measure::weight(hardware);
  }
}

/// A weight for each unit of a team, 1 on average; all 1 if the measure does not know one of them.
/// \collective over the team, the first time for this team
DASH_API std::vector<double> unit_weights(const Team& team, UnitMeasure measure);
/// The mean of two weights of each unit.
DASH_API std::vector<double> mean_weights(const std::vector<double>& a,
                                          const std::vector<double>& b);
/// Shares of a whole in proportion to weights; they sum up to the whole.
DASH_API std::vector<std::size_t> proportional_shares(std::size_t whole,
                                                      const std::vector<double>& weights);

/// What knows where the units of a team are, as util::TeamLocality.
template <class T>
concept KnowsTeam = requires(T& locality) {
  { locality.team() } -> std::convertible_to<Team&>;
};

}  // namespace internal

/// Deals consecutive ranges of one dimension to units, in proportion to what their hardware can do:
/// the mean of what they have of the team's computing power and of its memory bandwidth, which is
/// measured. All units have the same ranges, which sum up to the whole.
/// \tparam CompMeasure, MemMeasure  have a static weight(const dart_hwinfo_t&), as
///         UnitClockFreqMeasure
/// \collective the first one that is made of a team  \see internal::MappedPattern for what it tells
template <dim_t NumDimensions, class CompMeasure = UnitClockFreqMeasure,
          class MemMeasure = BytesPerCycleMeasure, MemArrange Arrangement = ROW_MAJOR,
          typename IndexType = default_index_t>
class LoadBalancePattern : public internal::RangesPattern<Arrangement, IndexType> {
  static_assert(NumDimensions == 1, "dash::LoadBalancePattern: has one dimension");
  using Base = internal::RangesPattern<Arrangement, IndexType>;
  using Weights = std::vector<double>;

 public:
  static constexpr const char* PatternName = "LoadBalancePattern";
  using partitioning_properties = pattern_partitioning_properties<
      pattern_partitioning_tag::minimal, pattern_partitioning_tag::rectangular,
      pattern_partitioning_tag::balanced, pattern_partitioning_tag::unbalanced,
      pattern_partitioning_tag::dynamic>;
  using typename Base::distspec_type;
  using typename Base::size_type;
  using typename Base::sizespec_type;

  /// Without elements.
  LoadBalancePattern() : LoadBalancePattern(sizespec_type(), Team::Null()) {}

  /// \pre the team is Null, or initialised
  /// \collective over the team, if this is its first pattern of measured weights (see
  ///             dart_team_locality_measure)  \blocks then, for some tenths of a second
  explicit LoadBalancePattern(const sizespec_type& sizespec, Team& team = Team::All())
      : LoadBalancePattern(sizespec,
                           internal::unit_weights(team, &internal::weight_by<CompMeasure>),
                           internal::unit_weights(team, &internal::weight_by<MemMeasure>), team) {}
  /// \param locality  util::TeamLocality of the team
  template <internal::KnowsTeam Locality>
  LoadBalancePattern(const sizespec_type& sizespec, Locality& locality)
      : LoadBalancePattern(sizespec, locality.team()) {}
  /// By weights that are known otherwise, of computing and of memory, one a unit.
  LoadBalancePattern(const sizespec_type& sizespec, Weights cpu_weights, Weights membw_weights,
                     Team& team = Team::All())
      : LoadBalancePattern(sizespec, cpu_weights, membw_weights,
                           internal::mean_weights(cpu_weights, membw_weights), team) {}

  /// What each unit has of the computing power and of the memory bandwidth, and the mean of both,
  /// which its share of the elements follows; 1 on average.
  const Weights& unit_cpu_weights() const { return _cpu_weights; }
  const Weights& unit_membw_weights() const { return _membw_weights; }
  const Weights& unit_load_weights() const { return _load_weights; }

 private:
  LoadBalancePattern(const sizespec_type& sizespec, const Weights& cpu_weights,
                     const Weights& membw_weights, const Weights& load_weights, Team& team)
      : Base(sizes_of(sizespec, load_weights), distspec_type(), team),
        _cpu_weights(cpu_weights),
        _membw_weights(membw_weights),
        _load_weights(load_weights) {}

  static std::vector<size_type> sizes_of(const sizespec_type& sizespec, const Weights& weights) {
    internal::check_size<IndexType>(sizespec.extents());
    const auto shares = internal::proportional_shares(sizespec.size(), weights);
    return std::vector<size_type>(shares.begin(), shares.end());
  }

  Weights _cpu_weights;
  Weights _membw_weights;
  Weights _load_weights;
};

}  // namespace dash
