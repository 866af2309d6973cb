#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <type_traits>
#include <vector>

#include "dash/Types.h"
#include "dash/pattern/PatternProperties.h"
#include "dash/pattern/internal/DimensionMap.h"
#include "dash/pattern/internal/MappedPattern.h"
#include "dash/pattern/internal/RangesMapping.h"

namespace dash {

namespace internal {

/// A pattern with one range for each unit.
template <MemArrange Arrangement, typename IndexType>
class RangesPattern : public MappedPattern<RangesMapping<Arrangement, IndexType>> {
  using Mapping = RangesMapping<Arrangement, IndexType>;
  using Base = MappedPattern<Mapping>;

 public:
  using partitioning_properties = pattern_partitioning_properties<
      pattern_partitioning_tag::minimal, pattern_partitioning_tag::rectangular,
      pattern_partitioning_tag::balanced, pattern_partitioning_tag::unbalanced>;
  using mapping_properties = pattern_mapping_properties<pattern_mapping_tag::unbalanced>;
  using layout_properties =
      pattern_layout_in_order<Arrangement, pattern_layout_tag::blocked, pattern_layout_tag::linear>;

  using typename Base::distspec_type;
  using typename Base::size_type;
  using typename Base::sizespec_type;
  using typename Base::teamspec_type;

 protected:
  using Sizes = std::vector<size_type>;

  RangesPattern(const Sizes& sizes, const distspec_type& distspec, Team& team)
      : RangesPattern(sizespec_type(total(sizes)), sizes, distspec, team) {}

 private:
  // The mapping adds the sizes only after it has been checked that their sum is a valid index.
  RangesPattern(const sizespec_type& sizespec, const Sizes& sizes, const distspec_type& distspec,
                Team& team)
      : Base(Mapping(sizes), sizespec, distspec,
             teamspec_type({{static_cast<size_type>(sizes.size())}}, team), team) {}

  static size_type total(const Sizes& sizes) {
    size_type sum = 0;
    bool overflow = false;
    for (const size_type size : sizes)
      overflow = __builtin_add_overflow(sum, size, &sum) || overflow;
    if (overflow) throw_size_overflow(1);
    check_size<IndexType>(std::array<size_type, 1>{{sum}});
    return sum;
  }
};

}  // namespace internal

/// Distributes consecutive ranges of one dimension to units: unit u owns local_sizes[u] elements,
/// like rows of a compressed sparse row (CSR) matrix. Sizes may be 0.
/// \see internal::MappedPattern for the interface
/// \ingroup patterns
template <dim_t NumDimensions, MemArrange Arrangement = ROW_MAJOR,
          typename IndexType = default_index_t>
class CSRPattern : public internal::RangesPattern<Arrangement, internal::SignedIndex<IndexType>> {
  static_assert(NumDimensions == 1, "dash::CSRPattern: has one dimension");
  using Base = internal::RangesPattern<Arrangement, internal::SignedIndex<IndexType>>;
  using Arguments = internal::PatternArguments<1, typename Base::index_type>;

 public:
  /// The name of the pattern class.
  static constexpr const char* PatternName = "CSRPattern";
  using typename Base::distspec_type;
  using typename Base::size_type;
  using typename Base::sizespec_type;
  using typename Base::teamspec_type;

  /// An empty pattern.
  CSRPattern() : CSRPattern(std::vector<size_type>(), Team::Null()) {}

  /// \param local_sizes  number of elements of each unit; equal on all units
  /// \throws exception::InvalidArgument if there are more sizes than units
  explicit CSRPattern(const std::vector<size_type>& local_sizes, Team& team = Team::All())
      : Base(local_sizes, distspec_type(), team) {}
  /// \overload
  /// The TeamSpec has no effect.
  CSRPattern(const std::vector<size_type>& local_sizes, const teamspec_type&,
             Team& team = Team::All())
      : CSRPattern(local_sizes, team) {}
  /// \overload
  /// For other integer types.
  /// \throws exception::InvalidArgument  as above, and if a size is negative
  template <std::integral Size>
  requires(!std::is_same_v<Size, size_type>) explicit CSRPattern(
      const std::vector<Size>& local_sizes, Team& team = Team::All())
      : CSRPattern(converted(local_sizes), team) {}

  /// Creates ranges with the sizes that the distribution would assign to the units.
  CSRPattern(const sizespec_type& sizespec, const distspec_type& distspec,
             const teamspec_type& teamspec, Team& team = Team::All())
      : Base(sizes_of(sizespec, distspec, teamspec), distspec, team) {}
  /// \overload
  /// For all units of the team.
  CSRPattern(const sizespec_type& sizespec, const distspec_type& distspec = distspec_type(),
             Team& team = Team::All())
      : CSRPattern(sizespec, distspec, teamspec_type(team), team) {}

  /// Takes the extent first, then in any order an optional distribution, TeamSpec and Team.
  template <class First, internal::PatternArgument... Args>
  requires internal::PatternVariadicForm<Base, First, Args...>
  explicit CSRPattern(First&& first, Args&&... args) : CSRPattern(Arguments(first, args...)) {}

 private:
  explicit CSRPattern(const Arguments& arguments)
      : CSRPattern(arguments.sizespec(), arguments.distspec(), arguments.teamspec(),
                   arguments.team()) {}

  template <class Size>
  static std::vector<size_type> converted(const std::vector<Size>& local_sizes) {
    std::vector<size_type> sizes;
    for (const Size size : local_sizes)
      sizes.push_back(internal::checked_extent<size_type>(size, 0));
    return sizes;
  }
  static std::vector<size_type> sizes_of(const sizespec_type& sizespec,
                                         const distspec_type& distspec,
                                         const teamspec_type& teamspec) {
    using Index = typename Base::index_type;
    internal::check_size<Index>(sizespec.extents());
    const auto units = static_cast<Index>(teamspec.size());
    const internal::DimensionMap<Index> dim(static_cast<Index>(sizespec.size()),
                                            distspec.values()[0], units);
    std::vector<size_type> sizes;
    for (Index unit = 0; unit < units; ++unit)
      sizes.push_back(static_cast<size_type>(dim.local_extent(unit)));
    return sizes;
  }
};

}  // namespace dash
