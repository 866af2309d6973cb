#pragma once

#include <utility>

namespace dash {

/// How a pattern cuts the index space into blocks.
struct pattern_partitioning_tag {
  enum type {
    any,
    rectangular,   ///< one extent per dimension for all blocks but the last
    minimal,       ///< as few blocks as possible, one a unit
    regular,       ///< all blocks of equal extents
    balanced,      ///< all blocks of equal size
    unbalanced,    ///< blocks may be smaller than others
    ndimensional,  ///< in more than one dimension
    dynamic        ///< block sizes depend on run-time measures
  };
};

/// How a pattern deals blocks to units.
struct pattern_mapping_tag {
  enum type {
    any,
    balanced,    ///< equally many blocks for each unit
    unbalanced,  ///< some units may have more
    neighbor,    ///< neighbouring blocks belong to neighbouring units
    shifted,     ///< the units of each row are those of the row before, shifted
    diagonal,    ///< units along diagonals
    multiple,    ///< more than one block a unit
    cyclic       ///< in turn
  };
};

/// How the elements of a unit lie in its memory.
struct pattern_layout_tag {
  enum type {
    any,
    row_major,  ///< the last dimension is contiguous
    col_major,  ///< the first dimension is contiguous
    blocked,    ///< the elements of a block are contiguous
    canonical,  ///< one array of all local elements
    linear      ///< local order follows global order
  };
};

/// Tag values as boolean constants; the tags given are true.
template <pattern_partitioning_tag::type... Tags>
struct pattern_partitioning_properties {
  using tag = pattern_partitioning_tag;
  using tags = std::integer_sequence<tag::type, Tags...>;
  template <tag::type Tag>
  static constexpr bool has = ((Tags == Tag) || ...);

  static constexpr bool rectangular = has<tag::rectangular>;
  static constexpr bool minimal = has<tag::minimal>;
  static constexpr bool regular = has<tag::regular>;
  static constexpr bool balanced = has<tag::balanced>;
  static constexpr bool unbalanced = has<tag::unbalanced>;
  static constexpr bool ndimensional = has<tag::ndimensional>;
  static constexpr bool dynamic = has<tag::dynamic>;
};

template <pattern_mapping_tag::type... Tags>
struct pattern_mapping_properties {
  using tag = pattern_mapping_tag;
  using tags = std::integer_sequence<tag::type, Tags...>;
  template <tag::type Tag>
  static constexpr bool has = ((Tags == Tag) || ...);

  static constexpr bool balanced = has<tag::balanced>;
  static constexpr bool unbalanced = has<tag::unbalanced>;
  static constexpr bool neighbor = has<tag::neighbor>;
  static constexpr bool shifted = has<tag::shifted>;
  static constexpr bool diagonal = has<tag::diagonal>;
  static constexpr bool multiple = has<tag::multiple>;
  static constexpr bool cyclic = has<tag::cyclic>;
};

/// Row-major and canonical unless a tag says otherwise.
template <pattern_layout_tag::type... Tags>
struct pattern_layout_properties {
  using tag = pattern_layout_tag;
  using tags = std::integer_sequence<tag::type, Tags...>;
  template <tag::type Tag>
  static constexpr bool has = ((Tags == Tag) || ...);

  static constexpr bool row_major = !has<tag::col_major>;
  static constexpr bool col_major = has<tag::col_major>;
  static constexpr bool blocked = has<tag::blocked> && !has<tag::canonical>;
  static constexpr bool canonical = !has<tag::blocked> || has<tag::canonical>;
  static constexpr bool linear = has<tag::linear>;
};

using pattern_partitioning_default_properties =
    pattern_partitioning_properties<pattern_partitioning_tag::rectangular,
                                    pattern_partitioning_tag::unbalanced>;
using pattern_mapping_default_properties =
    pattern_mapping_properties<pattern_mapping_tag::unbalanced>;
using pattern_layout_default_properties =
    pattern_layout_properties<pattern_layout_tag::row_major, pattern_layout_tag::canonical,
                              pattern_layout_tag::linear>;

template <class PatternType>
struct pattern_partitioning_traits {
  using type = typename PatternType::partitioning_properties;
};
template <class PatternType>
struct pattern_mapping_traits {
  using type = typename PatternType::mapping_properties;
};
template <class PatternType>
struct pattern_layout_traits {
  using type = typename PatternType::layout_properties;
};

template <class PatternType>
struct pattern_traits {
  using index_type = typename PatternType::index_type;
  using size_type = typename PatternType::size_type;
  using partitioning = typename pattern_partitioning_traits<PatternType>::type;
  using mapping = typename pattern_mapping_traits<PatternType>::type;
  using layout = typename pattern_layout_traits<PatternType>::type;
  using blockspec_type = typename PatternType::blockspec_type;
  using local_blockspec_type = typename PatternType::local_blockspec_type;
};

}  // namespace dash
