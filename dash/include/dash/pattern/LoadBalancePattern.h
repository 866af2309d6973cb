#pragma once

#include <cstddef>
#include <vector>

#include "dash/Team.h"
#include "dash/Types.h"
#include "dash/core/Export.h"
#include "dash/dart/if/dart_locality_types.h"
#include "dash/pattern/CSRPattern.h"

namespace dash {

/// The computing power of a unit: its number of cores times their clock frequency.
/// \ingroup patterns
struct UnitClockFreqMeasure {
  /// \param cores  the unit's share of cores, where a core shared by k units counts 1 / k for each
  /// \returns a number proportional to the computing power; 0 if unknown
  DASH_API static double weight(const dart_hwinfo_t& hardware, double cores) noexcept;
  /// \overload
  /// With the number of cores in `hardware`.
  DASH_API static double weight(const dart_hwinfo_t& hardware) noexcept;
};

/// The memory bandwidth of a unit while the other units of its host use theirs.
/// \ingroup patterns
struct BytesPerCycleMeasure {
  /// \returns a number proportional to the bandwidth; 0 if unknown
  DASH_API static double weight(const dart_hwinfo_t& hardware) noexcept;
};

namespace internal {

using UnitMeasure = double (*)(const dart_hwinfo_t&, double cores);

/// Calls a measure with or without the number of cores.
template <class Measure>
double weight_by(const dart_hwinfo_t& hardware, double cores) {
  if constexpr (requires { Measure::weight(hardware, cores); }) {
    return Measure::weight(hardware, cores);
  } else {
    return Measure::weight(hardware);
  }
}

/// A weight for each unit of a team, with mean 1; all weights are 1 if the measure is unknown for a
/// unit.
/// \collective over the team, the first time for this team
DASH_API std::vector<double> unit_weights(const Team& team, UnitMeasure measure);
/// The mean of two weights, for each unit.
DASH_API std::vector<double> mean_weights(const std::vector<double>& a,
                                          const std::vector<double>& b);
/// Shares of a whole in proportion to weights; their sum is the whole.
DASH_API std::vector<std::size_t> proportional_shares(std::size_t whole,
                                                      const std::vector<double>& weights);

/// A locality object of a team, such as util::TeamLocality.
template <class T>
concept HasTeam = requires(T& locality) {
  { locality.team() } -> std::convertible_to<Team&>;
};

}  // namespace internal

/// Distributes consecutive ranges of one dimension to units in proportion to the capability of
/// their hardware: the mean of their shares of the team's computing power and of its measured
/// memory bandwidth. All units compute the same ranges, which cover the whole index space.
/// \tparam CompMeasure, MemMeasure  provide a static weight(const dart_hwinfo_t&), like
///         UnitClockFreqMeasure
/// \collective over the team, for its first pattern with measured weights
/// \see internal::MappedPattern for the interface
/// \ingroup patterns
template <dim_t NumDimensions, class CompMeasure = UnitClockFreqMeasure,
          class MemMeasure = BytesPerCycleMeasure, MemArrange Arrangement = ROW_MAJOR,
          typename IndexType = default_index_t>
class LoadBalancePattern
    : public internal::RangesPattern<Arrangement, internal::SignedIndex<IndexType>> {
  static_assert(NumDimensions == 1, "dash::LoadBalancePattern: must have one dimension");
  using Base = internal::RangesPattern<Arrangement, internal::SignedIndex<IndexType>>;
  using Weights = std::vector<double>;

 public:
  /// The name of the pattern class.
  static constexpr const char* PatternName = "LoadBalancePattern";
  /// How the pattern divides the index space into blocks.
  using partitioning_properties = pattern_partitioning_properties<
      pattern_partitioning_tag::minimal, pattern_partitioning_tag::rectangular,
      pattern_partitioning_tag::balanced, pattern_partitioning_tag::unbalanced,
      pattern_partitioning_tag::dynamic>;
  using typename Base::distspec_type;
  using typename Base::size_type;
  using typename Base::sizespec_type;

  /// An empty pattern.
  LoadBalancePattern() : LoadBalancePattern(sizespec_type(), Team::Null()) {}

  /// \pre the team is Null or initialized
  /// \collective over the team, if this is its first pattern with measured weights (see
  ///         dart_team_locality_measure)  \blocks only then, for some tenths of a second
  explicit LoadBalancePattern(const sizespec_type& sizespec, Team& team = Team::All())
      : LoadBalancePattern(sizespec,
                           internal::unit_weights(team, &internal::weight_by<CompMeasure>),
                           internal::unit_weights(team, &internal::weight_by<MemMeasure>), team) {}
  /// \overload
  /// \param locality  the util::TeamLocality of the team
  template <internal::HasTeam Locality>
  LoadBalancePattern(const sizespec_type& sizespec, Locality& locality)
      : LoadBalancePattern(sizespec, locality.team()) {}
  /// Uses given weights of computing power and memory bandwidth, one of each for each unit.
  /// \throws exception::InvalidArgument if the numbers of weights differ, a weight is negative or
  ///         not finite, or the weights of all units are 0, or there are more weights than units
  LoadBalancePattern(const sizespec_type& sizespec, Weights cpu_weights, Weights membw_weights,
                     Team& team = Team::All())
      : LoadBalancePattern(sizespec, cpu_weights, membw_weights,
                           internal::mean_weights(cpu_weights, membw_weights), team) {}

  /// Relative computing power of each unit. Measured weights have the mean 1.
  const Weights& unit_cpu_weights() const { return _cpu_weights; }
  /// Relative memory bandwidth of each unit. Measured weights have the mean 1.
  const Weights& unit_membw_weights() const { return _membw_weights; }
  /// The mean of both weights of each unit, which determines its share of the elements.
  const Weights& unit_load_weights() const { return _load_weights; }

 private:
  LoadBalancePattern(const sizespec_type& sizespec, const Weights& cpu_weights,
                     const Weights& membw_weights, const Weights& load_weights, Team& team)
      : Base(sizes_of(sizespec, load_weights), distspec_type(), team),
        _cpu_weights(cpu_weights),
        _membw_weights(membw_weights),
        _load_weights(load_weights) {}

  static std::vector<size_type> sizes_of(const sizespec_type& sizespec, const Weights& weights) {
    internal::check_size<typename Base::index_type>(sizespec.extents());
    const auto shares = internal::proportional_shares(sizespec.size(), weights);
    return std::vector<size_type>(shares.begin(), shares.end());
  }

  Weights _cpu_weights;
  Weights _membw_weights;
  Weights _load_weights;
};

}  // namespace dash
