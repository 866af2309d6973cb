#pragma once

#include <iosfwd>
#include <type_traits>

#include "dash/Types.h"
#include "dash/core/Export.h"

namespace dash {

namespace internal {

/// Tags of properties. Not std::integer_sequence, whose type must be an integer.
template <auto... Tags>
struct TagList {};

}  // namespace internal

/// How a pattern divides the index space into blocks.
/// \ingroup patterns
struct pattern_partitioning_tag {
  /// The tags.
  enum type {
    any,           ///< no requirement
    rectangular,   ///< one extent per dimension for all blocks but the last
    minimal,       ///< the minimum number of blocks: one per unit
    regular,       ///< all blocks of equal extents
    balanced,      ///< all blocks of equal size
    unbalanced,    ///< blocks may differ in size
    ndimensional,  ///< blocks in more than one dimension
    dynamic        ///< block sizes depend on run-time measures
  };
};

/// How a pattern assigns blocks to units.
/// \ingroup patterns
struct pattern_mapping_tag {
  /// The tags.
  enum type {
    any,         ///< no requirement
    balanced,    ///< equal number of blocks for each unit
    unbalanced,  ///< number of blocks may differ between units
    neighbor,    ///< neighbouring blocks belong to neighbouring units
    shifted,     ///< the units of each row are those of the previous row, shifted
    diagonal,    ///< units along diagonals
    multiple,    ///< more than one block per unit
    cyclic       ///< round-robin
  };
};

/// How the elements of a unit are arranged in its memory.
/// \ingroup patterns
struct pattern_layout_tag {
  /// The tags.
  enum type {
    any,        ///< no requirement
    row_major,  ///< the last dimension is contiguous
    col_major,  ///< the first dimension is contiguous
    blocked,    ///< the elements of a block are contiguous
    canonical,  ///< one array of all local elements
    linear      ///< local order follows global order
  };
};

/// Tag values as boolean constants; the given tags are true.
/// \ingroup patterns
template <pattern_partitioning_tag::type... Tags>
struct pattern_partitioning_properties {
  /// Defines the tags.
  using tag = pattern_partitioning_tag;
  /// The given tags, as a sequence of constants.
  using tags = internal::TagList<Tags...>;
  /// Whether a tag is given.
  template <tag::type Tag>
  static constexpr bool has = ((Tags == Tag) || ...);

  static constexpr bool rectangular =
      has<tag::rectangular>;  ///< one extent per dimension for all blocks but the last
  static constexpr bool minimal =
      has<tag::minimal>;  ///< the minimum number of blocks: one per unit
  static constexpr bool regular = has<tag::regular>;        ///< all blocks of equal extents
  static constexpr bool balanced = has<tag::balanced>;      ///< all blocks of equal size
  static constexpr bool unbalanced = has<tag::unbalanced>;  ///< blocks may differ in size
  static constexpr bool ndimensional =
      has<tag::ndimensional>;                         ///< blocks in more than one dimension
  static constexpr bool dynamic = has<tag::dynamic>;  ///< block sizes depend on run-time measures
};

/// Tag values as boolean constants; the given tags are true.
/// \ingroup patterns
template <pattern_mapping_tag::type... Tags>
struct pattern_mapping_properties {
  /// Defines the tags.
  using tag = pattern_mapping_tag;
  /// The given tags, as a sequence of constants.
  using tags = internal::TagList<Tags...>;
  /// Whether a tag is given.
  template <tag::type Tag>
  static constexpr bool has = ((Tags == Tag) || ...);

  static constexpr bool balanced = has<tag::balanced>;  ///< equal number of blocks for each unit
  static constexpr bool unbalanced =
      has<tag::unbalanced>;  ///< number of blocks may differ between units
  static constexpr bool neighbor =
      has<tag::neighbor>;  ///< neighbouring blocks belong to neighbouring units
  static constexpr bool shifted =
      has<tag::shifted>;  ///< the units of each row are those of the previous row, shifted
  static constexpr bool diagonal = has<tag::diagonal>;  ///< units along diagonals
  static constexpr bool multiple = has<tag::multiple>;  ///< more than one block per unit
  static constexpr bool cyclic = has<tag::cyclic>;      ///< round-robin
};

/// Row-major and canonical unless a tag specifies otherwise.
/// \ingroup patterns
template <pattern_layout_tag::type... Tags>
struct pattern_layout_properties {
  /// Defines the tags.
  using tag = pattern_layout_tag;
  /// The given tags, as a sequence of constants.
  using tags = internal::TagList<Tags...>;
  /// Whether a tag is given.
  template <tag::type Tag>
  static constexpr bool has = ((Tags == Tag) || ...);

  static constexpr bool row_major = !has<tag::col_major>;  ///< the last dimension is contiguous
  static constexpr bool col_major = has<tag::col_major>;   ///< the first dimension is contiguous
  static constexpr bool blocked =
      has<tag::blocked> && !has<tag::canonical>;  ///< the elements of a block are contiguous
  static constexpr bool canonical =
      !has<tag::blocked> || has<tag::canonical>;    ///< one array of all local elements
  static constexpr bool linear = has<tag::linear>;  ///< local order follows global order
};

/// The default of make_pattern(): blocks that may differ in size.
/// \ingroup patterns
using pattern_partitioning_default_properties =
    pattern_partitioning_properties<pattern_partitioning_tag::rectangular,
                                    pattern_partitioning_tag::unbalanced>;
/// The default of make_pattern(): the number of blocks may differ between units.
/// \ingroup patterns
using pattern_mapping_default_properties =
    pattern_mapping_properties<pattern_mapping_tag::unbalanced>;
/// The default of make_pattern(): one row-major array of all local elements.
/// \ingroup patterns
using pattern_layout_default_properties =
    pattern_layout_properties<pattern_layout_tag::row_major, pattern_layout_tag::canonical,
                              pattern_layout_tag::linear>;

/// The partitioning properties of a pattern.
/// \ingroup patterns
template <class PatternType>
struct pattern_partitioning_traits {
  /// A pattern_partitioning_properties with the tags of the pattern.
  using type = typename PatternType::partitioning_properties;
};
/// The mapping properties of a pattern.
/// \ingroup patterns
template <class PatternType>
struct pattern_mapping_traits {
  /// A pattern_mapping_properties with the tags of the pattern.
  using type = typename PatternType::mapping_properties;
};
/// The layout properties of a pattern.
/// \ingroup patterns
template <class PatternType>
struct pattern_layout_traits {
  /// A pattern_layout_properties with the tags of the pattern.
  using type = typename PatternType::layout_properties;
};

/// Types and properties of a pattern.
/// \tparam PatternType  a pattern class
/// \ingroup patterns
template <class PatternType>
struct pattern_traits {
  using index_type = typename PatternType::index_type;
  using size_type = typename PatternType::size_type;
  /// How the pattern divides the index space into blocks.
  using partitioning = typename pattern_partitioning_traits<PatternType>::type;
  /// How the pattern assigns blocks to units.
  using mapping = typename pattern_mapping_traits<PatternType>::type;
  /// How the elements of a unit are arranged in its memory.
  using layout = typename pattern_layout_traits<PatternType>::type;
  /// The grid of all blocks.
  using blockspec_type = typename PatternType::blockspec_type;
  /// The grid of the blocks of a unit.
  using local_blockspec_type = typename PatternType::local_blockspec_type;
};

namespace internal {

/// Layout properties, with the tag for the order if it is not the default.
template <MemArrange Arrangement, pattern_layout_tag::type... Tags>
using pattern_layout_in_order =
    std::conditional_t<Arrangement == COL_MAJOR,
                       pattern_layout_properties<Tags..., pattern_layout_tag::col_major>,
                       pattern_layout_properties<Tags...>>;

/// Whether a pattern with `Properties` has the property of a tag.
template <class Properties>
constexpr bool has_property(pattern_partitioning_tag::type tag) {
  using enum pattern_partitioning_tag::type;
  switch (tag) {
    case any:
      return true;
    case rectangular:
      return Properties::rectangular;
    case minimal:
      return Properties::minimal;
    case regular:
      return Properties::regular;
    case balanced:
      return Properties::balanced;
    case unbalanced:
      return Properties::unbalanced;
    case ndimensional:
      return Properties::ndimensional;
    case dynamic:
      return Properties::dynamic;
  }
  return false;
}
/// \overload
template <class Properties>
constexpr bool has_property(pattern_mapping_tag::type tag) {
  using enum pattern_mapping_tag::type;
  switch (tag) {
    case any:
      return true;
    case balanced:
      return Properties::balanced;
    case unbalanced:
      return Properties::unbalanced;
    case neighbor:
      return Properties::neighbor;
    case shifted:
      return Properties::shifted;
    case diagonal:
      return Properties::diagonal;
    case multiple:
      return Properties::multiple;
    case cyclic:
      return Properties::cyclic;
  }
  return false;
}
/// \overload
template <class Properties>
constexpr bool has_property(pattern_layout_tag::type tag) {
  using enum pattern_layout_tag::type;
  switch (tag) {
    case any:
      return true;
    case row_major:
      return Properties::row_major;
    case col_major:
      return Properties::col_major;
    case blocked:
      return Properties::blocked;
    case canonical:
      return Properties::canonical;
    case linear:
      return Properties::linear;
  }
  return false;
}

template <class Properties, auto... Required>
constexpr bool has_properties(TagList<Required...>) {
  return (has_property<Properties>(Required) && ...);
}
/// Whether `Properties` include all tags given to `Required`.
template <class Required, class Properties>
inline constexpr bool has_required_properties =
    has_properties<Properties>(typename Required::tags());

DASH_API const char* tag_name(pattern_partitioning_tag::type tag) noexcept;
DASH_API const char* tag_name(pattern_mapping_tag::type tag) noexcept;
DASH_API const char* tag_name(pattern_layout_tag::type tag) noexcept;

template <class Stream, auto... Tags>
Stream& print_tags(Stream& os, const char* of, TagList<Tags...>) {
  os << of << '{';
  ((os << ' ' << tag_name(Tags)), ...);
  return os << " }";
}

}  // namespace internal

/// Whether a pattern has all properties that an algorithm requires:
///
///     static_assert(
///         dash::pattern_constraints<Partitioning, Mapping, Layout, P>::satisfied::value);
///
/// \tparam PartitioningConstraints  pattern_partitioning_properties with the required tags; the
///         other parameters accordingly
/// \ingroup patterns
template <class PartitioningConstraints, class MappingConstraints, class LayoutConstraints,
          class PatternType>
struct pattern_constraints {
  /// Its value is true if the pattern has all required properties.
  using satisfied = std::bool_constant<
      internal::has_required_properties<PartitioningConstraints,
                                        typename pattern_partitioning_traits<PatternType>::type> &&
      internal::has_required_properties<MappingConstraints,
                                        typename pattern_mapping_traits<PatternType>::type> &&
      internal::has_required_properties<LayoutConstraints,
                                        typename pattern_layout_traits<PatternType>::type>>;
};

/// True; fails to compile if the pattern lacks a required property.
/// \ingroup patterns
template <class PartitioningConstraints, class MappingConstraints, class LayoutConstraints,
          class PatternType>
constexpr bool check_pattern_constraints(const PatternType&) {
  static_assert(
      internal::has_required_properties<PartitioningConstraints,
                                        typename pattern_partitioning_traits<PatternType>::type>,
      "dash: the pattern does not have the required partitioning properties (how it divides "
      "the index space into blocks)");
  static_assert(
      internal::has_required_properties<MappingConstraints,
                                        typename pattern_mapping_traits<PatternType>::type>,
      "dash: the pattern does not have the required mapping properties (how it "
      "assigns blocks to units)");
  static_assert(
      internal::has_required_properties<LayoutConstraints,
                                        typename pattern_layout_traits<PatternType>::type>,
      "dash: the pattern does not have the required layout properties (how elements are arranged "
      "in the memory of a unit)");
  return true;
}

/// Prints the given tags.
/// \ingroup patterns
template <class Char, class Traits, pattern_partitioning_tag::type... Tags>
std::basic_ostream<Char, Traits>& operator<<(std::basic_ostream<Char, Traits>& os,
                                             const pattern_partitioning_properties<Tags...>&) {
  using tags = typename pattern_partitioning_properties<Tags...>::tags;
  return internal::print_tags(os, "dash::pattern_partitioning_properties", tags());
}
/// Prints the given tags.
/// \ingroup patterns
template <class Char, class Traits, pattern_mapping_tag::type... Tags>
std::basic_ostream<Char, Traits>& operator<<(std::basic_ostream<Char, Traits>& os,
                                             const pattern_mapping_properties<Tags...>&) {
  using tags = typename pattern_mapping_properties<Tags...>::tags;
  return internal::print_tags(os, "dash::pattern_mapping_properties", tags());
}
/// Prints the given tags.
/// \ingroup patterns
template <class Char, class Traits, pattern_layout_tag::type... Tags>
std::basic_ostream<Char, Traits>& operator<<(std::basic_ostream<Char, Traits>& os,
                                             const pattern_layout_properties<Tags...>&) {
  using tags = typename pattern_layout_properties<Tags...>::tags;
  return internal::print_tags(os, "dash::pattern_layout_properties", tags());
}

}  // namespace dash
