#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "dash/Cartesian.h"
#include "dash/Dimensional.h"
#include "dash/Distribution.h"
#include "dash/Team.h"
#include "dash/TeamSpec.h"
#include "dash/Types.h"
#include "dash/ViewSpec.h"
#include "dash/internal/Unit.h"
#include "dash/pattern/PatternProperties.h"
#include "dash/pattern/internal/DimensionMap.h"
#include "dash/pattern/internal/PatternArguments.h"

namespace dash {

/// Cuts an N-dimensional index space into blocks and deals them to the units of a grid, dimension
/// by dimension. A unit keeps its elements as one N-dimensional array: the blocks of a unit are
/// joined, in the order of the pattern.
///
/// The linear global index is the canonical index over all extents. A pattern is a value, and tells
/// about any unit without communication.
/// \threads any, for const functions
template <dim_t NumDimensions, MemArrange Arrangement = ROW_MAJOR,
          typename IndexType = default_index_t>
class BlockPattern {
  static_assert(std::is_signed_v<IndexType>, "dash::BlockPattern: the index type has to be signed");
  using Dimension = internal::DimensionMap<IndexType>;
  static constexpr std::size_t N = NumDimensions;

 public:
  static constexpr const char* PatternName = "BlockPattern";

  using partitioning_properties =
      pattern_partitioning_properties<pattern_partitioning_tag::rectangular,
                                      pattern_partitioning_tag::balanced,
                                      pattern_partitioning_tag::unbalanced>;
  using mapping_properties = pattern_mapping_properties<pattern_mapping_tag::unbalanced>;
  using layout_properties = std::conditional_t<
      Arrangement == COL_MAJOR,
      pattern_layout_properties<pattern_layout_tag::canonical, pattern_layout_tag::linear,
                                pattern_layout_tag::col_major>,
      pattern_layout_properties<pattern_layout_tag::canonical, pattern_layout_tag::linear>>;

  using index_type = IndexType;
  using size_type = std::make_unsigned_t<IndexType>;
  using viewspec_type = ViewSpec<NumDimensions, IndexType>;
  using coords_type = std::array<IndexType, N>;
  using extents_type = std::array<size_type, N>;
  using sizespec_type = SizeSpec<NumDimensions, size_type>;
  using distspec_type = DistributionSpec<NumDimensions>;
  using teamspec_type = TeamSpec<NumDimensions, IndexType>;
  using memory_layout_type = CartesianIndexSpace<NumDimensions, Arrangement, IndexType>;
  using blockspec_type = CartesianIndexSpace<NumDimensions, Arrangement, IndexType>;
  using local_blockspec_type = blockspec_type;

  struct local_index_t {
    team_unit_t unit;
    index_type index;
    friend constexpr bool operator==(const local_index_t&, const local_index_t&) = default;
  };
  struct local_coords_t {
    team_unit_t unit;
    coords_type coords;
    friend constexpr bool operator==(const local_coords_t&, const local_coords_t&) = default;
  };
  /// Consecutive global indices whose elements are contiguous in the memory of one unit.
  struct run_t {
    team_unit_t unit;
    index_type index;   ///< of the first element in the unit's memory
    index_type length;  ///< elements
  };

  /// Without elements.
  BlockPattern() : BlockPattern(sizespec_type(), distspec_type(), Team::Null()) {}

  /// \param sizespec  extents  \param distspec  distribution of each dimension
  /// \param teamspec  units in each dimension; the default of a team is adapted to the distribution
  /// \throws exception::InvalidArgument if the grid has more units than the team
  BlockPattern(const sizespec_type& sizespec, const distspec_type& distspec,
               const teamspec_type& teamspec, Team& team = Team::All())
      : _team(&team),
        _sizespec(sizespec),
        _distspec(distspec),
        _teamspec(teamspec, distspec, team) {
    initialize();
  }

  /// All units in the one dimension that is distributed.
  /// \throws exception::InvalidArgument if not exactly one dimension is distributed
  BlockPattern(const sizespec_type& sizespec, const distspec_type& distspec = distspec_type(),
               Team& team = Team::All())
      : _team(&team), _sizespec(sizespec), _distspec(distspec), _teamspec(distspec, team) {
    initialize();
  }

  /// Extents (or a SizeSpec) first, then distributions (or a DistributionSpec), a TeamSpec, a Team
  /// in any order, each optional. Without a TeamSpec: balanced if all dimensions are distributed.
  /// \throws exception::AssertionFailed if no TeamSpec is given and some but not one of the
  ///         dimensions are distributed, or if an extent is not a multiple of its tile
  template <class First, internal::PatternArgument... Args>
  requires internal::PatternVariadicForm<BlockPattern, First, Args...>
  explicit BlockPattern(First&& first, Args&&... args)
      : BlockPattern(internal::PatternArguments<NumDimensions, IndexType>(first, args...)) {}

  BlockPattern(const BlockPattern&) = default;
  BlockPattern(BlockPattern& other) : BlockPattern(std::as_const(other)) {}
  BlockPattern(BlockPattern&&) = default;
  BlockPattern& operator=(const BlockPattern&) = default;
  BlockPattern& operator=(BlockPattern&&) = default;

  friend bool operator==(const BlockPattern& a, const BlockPattern& b) {
    return a._sizespec == b._sizespec && a._distspec == b._distspec && a._teamspec == b._teamspec &&
           *a._team == *b._team;
  }

  // The whole range.

  static constexpr dim_t ndim() { return NumDimensions; }
  static constexpr MemArrange memory_order() { return Arrangement; }
  const sizespec_type& sizespec() const { return _sizespec; }
  const distspec_type& distspec() const { return _distspec; }
  const teamspec_type& teamspec() const { return _teamspec; }
  Team& team() const { return *_team; }
  /// Number of units of the grid.
  size_type num_units() const { return _teamspec.size(); }
  size_type size() const { return _sizespec.size(); }
  size_type capacity() const { return _sizespec.size(); }
  const extents_type& extents() const { return _sizespec.extents(); }
  size_type extent(dim_t dimension) const { return _sizespec.extent(dimension); }

  // What a unit has. Without a unit: the caller.

  /// Linear global index of the caller's first element; 0 if it has none.
  index_type lbegin() const { return _lbegin; }
  /// Linear global index behind the caller's last element; 0 if it has none.
  index_type lend() const { return _lend; }

  const extents_type& local_extents() const { return _local_extents; }
  extents_type local_extents(team_unit_t unit) const {
    extents_type extents{};
    if (!has_coords(unit)) return extents;
    const auto unit_coords = coords_of(unit);
    for (std::size_t d = 0; d < N; ++d) {
      extents[d] = static_cast<size_type>(_dims[d].local_extent(unit_coords[d]));
    }
    return extents;
  }
  size_type local_extent(dim_t dimension) const {
    internal::check_dimension(dimension, NumDimensions);
    return _local_extents[static_cast<std::size_t>(dimension)];
  }
  size_type local_size() const { return internal::product(_local_extents); }
  size_type local_size(team_unit_t unit) const {
    return unit == UNDEFINED_TEAM_UNIT_ID ? local_size() : internal::product(local_extents(unit));
  }
  /// Elements of the largest number of full blocks that a unit has: no unit has more elements.
  size_type local_capacity() const {
    extents_type capacity{};
    for (std::size_t d = 0; d < N; ++d) {
      capacity[d] = static_cast<size_type>(_dims[d].local_capacity());
    }
    return internal::product(capacity);
  }

  // Global to local.

  team_unit_t unit_at(const coords_type& coords) const {
    coords_type unit_coords{};
    for (std::size_t d = 0; d < N; ++d)
      unit_coords[d] = _dims[d].unit_at(coords[d]);
    return unit_of(unit_coords);
  }
  team_unit_t unit_at(const coords_type& coords, const viewspec_type& view) const {
    return unit_at(moved(coords, view));
  }
  team_unit_t unit_at(index_type global_index) const { return unit_at(coords(global_index)); }
  team_unit_t unit_at(index_type index, const viewspec_type& view) const {
    return unit_at(coords(index, view));
  }

  /// Owner and local coordinates of an element.
  local_coords_t local(const coords_type& global_coords) const {
    const auto [unit_coords, local_coords] = places(global_coords);
    return {unit_of(unit_coords), local_coords};
  }
  /// Owner and index in its memory of an element.
  local_index_t local(index_type global_index) const { return local_index(coords(global_index)); }

  coords_type local_coords(const coords_type& global_coords) const {
    return places(global_coords).second;
  }
  local_index_t local_index(const coords_type& global_coords) const {
    const auto [unit_coords, local_coords] = places(global_coords);
    return {unit_of(unit_coords), linearize(unit_coords, local_coords)};
  }

  /// Index in the caller's memory of an element at local coordinates of the caller.
  index_type local_at(const coords_type& local_coords) const {
    return canonical(local_coords, _local_extents);
  }
  index_type local_at(const coords_type& local_coords, const viewspec_type& view) const {
    return local_at(moved(local_coords, view));
  }

  /// Index in its unit's memory of an element.
  index_type at(const coords_type& global_coords) const { return local_index(global_coords).index; }
  index_type at(const coords_type& global_coords, const viewspec_type& view) const {
    return at(moved(global_coords, view));
  }
  template <internal::IntegerLike... Coords>
  requires(sizeof...(Coords) == N) index_type at(const Coords&... global_coords)
  const { return at(coords_type{{static_cast<index_type>(global_coords)...}}); }

  /// The longest run of global indices that starts at an index.
  /// \pre 0 <= global_index < size()
  run_t run_at(index_type global_index) const {
    // Dimensions that one unit has as a whole lie in its memory as they do in the range; the run
    // ends with the block of the first dimension, from the contiguous one on, that is not whole.
    index_type stride = 1;
    index_type g = global_index;
    std::size_t i = N - 1;
    for (; i > 0 && _dims[order(i)].is_whole(); --i) {
      stride *= _dims[order(i)].extent();
      g = _dims[order(i)].divide_by_extent(g);
    }
    const auto& dim = _dims[order(i)];
    const index_type within_stride = global_index - g * stride;
    if (i > 0) g -= dim.divide_by_extent(g) * dim.extent();
    const auto begin = local(global_index);
    return {begin.unit, begin.index, (dim.run_end(g) - g) * stride - within_stride};
  }

  // Local to global.

  coords_type global(team_unit_t unit, const coords_type& local_coords) const {
    const auto unit_coords = coords_of(unit);
    coords_type result{};
    for (std::size_t d = 0; d < N; ++d) {
      result[d] = _dims[d].global(unit_coords[d], local_coords[d]);
    }
    return result;
  }
  coords_type global(const coords_type& local_coords) const {
    return global(_team->myid(), local_coords);
  }
  /// Linear global index of an element by its index in the caller's memory.
  index_type global(index_type local_index) const { return global(_team->myid(), local_index); }
  /// Linear global index of an element by its index in a unit's memory.
  index_type global(team_unit_t unit, index_type local_index) const {
    return global_index(unit, memory_layout_type(local_extents(unit)).coords(local_index));
  }
  index_type global_index(team_unit_t unit, const coords_type& local_coords) const {
    return global_at(global(unit, local_coords));
  }

  /// Linear global index of an element.
  index_type global_at(const coords_type& global_coords) const {
    return canonical(global_coords, _sizespec.extents());
  }
  index_type global_at(const coords_type& coords, const viewspec_type& view) const {
    return global_at(moved(coords, view));
  }
  /// Coordinates of the element at a linear global index.
  coords_type coords(index_type global_index) const {
    coords_type result{};
    for (std::size_t i = N - 1; i > 0; --i) {
      const auto d = order(i);
      const auto above = _dims[d].divide_by_extent(global_index);
      result[d] = global_index - above * _dims[d].extent();
      global_index = above;
    }
    result[order(0)] = global_index;
    return result;
  }
  /// Global coordinates of the element at a linear index of a view.
  coords_type coords(index_type index, const viewspec_type& view) const {
    return memory_layout_type().coords(index, view);
  }

  /// Whether a unit has any of the elements of a view whose coordinate in a dimension, relative to
  /// the view, is `dim_offset`.
  bool has_local_elements(dim_t dimension, index_type dim_offset, team_unit_t unit,
                          const viewspec_type& view) const {
    internal::check_dimension(dimension, NumDimensions);
    if (!has_coords(unit)) return false;
    const auto unit_coords = coords_of(unit);
    for (std::size_t d = 0; d < N; ++d) {
      auto first = view.offsets()[d];
      auto last = first + static_cast<index_type>(view.extents()[d]);
      if (d == static_cast<std::size_t>(dimension)) {
        first += dim_offset;
        last = std::min(last, first + 1);
      }
      if (!_dims[d].owns_any(unit_coords[d], first, last)) return false;
    }
    return true;
  }
  bool is_local(index_type global_index) const { return is_local(global_index, _team->myid()); }
  bool is_local(index_type global_index, team_unit_t unit) const {
    return unit_at(global_index) == unit;
  }

  // Blocks.

  /// The grid of all blocks.
  const blockspec_type& blockspec() const { return _blockspec; }
  /// The grid of the caller's blocks.
  blockspec_type local_blockspec() const { return local_blockspec(_team->myid()); }
  blockspec_type local_blockspec(team_unit_t unit) const {
    extents_type blocks{};
    if (has_coords(unit)) {
      const auto unit_coords = coords_of(unit);
      for (std::size_t d = 0; d < N; ++d) {
        const auto& dim = _dims[d];
        blocks[d] = static_cast<size_type>(dim.local_blocks(unit_coords[d]));
      }
    }
    return blockspec_type(blocks);
  }
  size_type blocksize(dim_t dimension) const {
    return static_cast<size_type>(dimension_map(dimension).blocksize());
  }
  /// Elements of a full block.
  size_type max_blocksize() const {
    extents_type sizes{};
    for (std::size_t d = 0; d < N; ++d)
      sizes[d] = static_cast<size_type>(_dims[d].blocksize());
    return internal::product(sizes);
  }
  /// Elements that the last block of a dimension lacks.
  size_type underfilled_blocksize(dim_t dimension) const {
    return static_cast<size_type>(dimension_map(dimension).underfill());
  }

  /// Index of the block of an element.
  index_type block_at(const coords_type& global_coords) const {
    return _blockspec.at(block_coords(global_coords));
  }
  /// Owner of an element and the index of its block among the owner's.
  local_index_t local_block_at(const coords_type& global_coords) const {
    auto coords = block_coords(global_coords);
    const auto unit = unit_at(global_coords);
    for (std::size_t d = 0; d < N; ++d)
      coords[d] /= _dims[d].units();
    return {unit, local_blockspec(unit).at(coords)};
  }

  /// A block by its index, in global coordinates.
  viewspec_type block(index_type global_block_index) const {
    return block(_blockspec.coords(global_block_index));
  }
  /// A block by its coordinates in the grid of blocks, in global coordinates.
  viewspec_type block(const coords_type& block_coords) const {
    coords_type offsets{};
    extents_type extents{};
    for (std::size_t d = 0; d < N; ++d) {
      const auto& dim = _dims[d];
      offsets[d] = block_coords[d] * dim.blocksize();
      extents[d] = static_cast<size_type>(std::min(dim.blocksize(), dim.extent() - offsets[d]));
    }
    return viewspec_type(offsets, extents);
  }
  /// One of the caller's blocks by its index among them, in global coordinates.
  viewspec_type local_block(index_type local_block_index) const {
    return local_block(_team->myid(), local_block_index);
  }
  viewspec_type local_block(team_unit_t unit, index_type local_block_index) const {
    auto coords = local_blockspec(unit).coords(local_block_index);
    const auto unit_coords = coords_of(unit);
    for (std::size_t d = 0; d < N; ++d)
      coords[d] = coords[d] * _dims[d].units() + unit_coords[d];
    return block(coords);
  }
  /// One of the caller's blocks by its index among them, in the caller's local coordinates.
  viewspec_type local_block_local(index_type local_block_index) const {
    const auto view = local_block(local_block_index);
    const auto coords = local_blockspec().coords(local_block_index);
    coords_type offsets{};
    for (std::size_t d = 0; d < N; ++d)
      offsets[d] = coords[d] * _dims[d].blocksize();
    return viewspec_type(offsets, view.extents());
  }

 private:
  explicit BlockPattern(const internal::PatternArguments<NumDimensions, IndexType>& arguments)
      : _team(&arguments.team()),
        _sizespec(arguments.sizespec()),
        _distspec(arguments.distspec()),
        _teamspec(arguments.teamspec()) {
    initialize();
  }

  /// The i-th dimension, from the one whose elements are furthest apart to the contiguous one.
  static constexpr std::size_t order(std::size_t i) {
    return Arrangement == ROW_MAJOR ? i : N - 1 - i;
  }

  void initialize() {
    internal::check_grid(_teamspec.size(), *_team);
    internal::check_size<IndexType>(_sizespec.extents());
    extents_type blocks{};
    for (std::size_t d = 0; d < N; ++d) {
      _dims[d] = Dimension(static_cast<index_type>(_sizespec.extents()[d]), _distspec.values()[d],
                           static_cast<index_type>(_teamspec.extents()[d]));
      blocks[d] = static_cast<size_type>(_dims[d].nblocks());
    }
    _blockspec = blockspec_type(blocks);
    _local_extents = local_extents(_team->myid());
    if (local_size() > 0) {
      coords_type last{};
      for (std::size_t d = 0; d < N; ++d)
        last[d] = static_cast<index_type>(_local_extents[d]) - 1;
      _lbegin = global_index(_team->myid(), coords_type{});
      _lend = global_index(_team->myid(), last) + 1;
    }
  }

  const Dimension& dimension_map(dim_t dimension) const {
    internal::check_dimension(dimension, NumDimensions);
    return _dims[static_cast<std::size_t>(dimension)];
  }

  bool has_coords(team_unit_t unit) const { return unit >= 0 && unit < _teamspec.size(); }
  coords_type coords_of(team_unit_t unit) const {
    return _teamspec.coords(static_cast<index_type>(unit.id));
  }
  team_unit_t unit_of(const coords_type& unit_coords) const {
    index_type unit = unit_coords[0];
    for (std::size_t d = 1; d < N; ++d)
      unit = unit * _dims[d].units() + unit_coords[d];
    return team_unit_t(static_cast<dart_unit_t>(unit));
  }

  /// Coordinates of the owner in the grid of units, and of the element in the owner's memory.
  std::pair<coords_type, coords_type> places(const coords_type& global_coords) const {
    std::pair<coords_type, coords_type> result;
    for (std::size_t d = 0; d < N; ++d) {
      const auto place = _dims[d].place(global_coords[d]);
      result.first[d] = place.unit;
      result.second[d] = place.local;
    }
    return result;
  }

  index_type linearize(const coords_type& unit_coords, const coords_type& local_coords) const {
    index_type index = local_coords[order(0)];
    for (std::size_t i = 1; i < N; ++i) {
      const auto d = order(i);
      index = index * _dims[d].local_extent(unit_coords[d]) + local_coords[d];
    }
    return index;
  }

  static index_type canonical(const coords_type& coords, const extents_type& extents) {
    index_type index = coords[order(0)];
    for (std::size_t i = 1; i < N; ++i) {
      const auto d = order(i);
      index = index * static_cast<index_type>(extents[d]) + coords[d];
    }
    return index;
  }

  coords_type block_coords(const coords_type& global_coords) const {
    coords_type result{};
    for (std::size_t d = 0; d < N; ++d)
      result[d] = _dims[d].block_at(global_coords[d]);
    return result;
  }

  static coords_type moved(coords_type coords, const viewspec_type& view) {
    for (std::size_t d = 0; d < N; ++d)
      coords[d] += view.offsets()[d];
    return coords;
  }

  std::array<Dimension, N> _dims;
  Team* _team;
  sizespec_type _sizespec;
  distspec_type _distspec;
  teamspec_type _teamspec;
  blockspec_type _blockspec;
  extents_type _local_extents{};
  index_type _lbegin = 0;
  index_type _lend = 0;
};

/// The pattern of containers that do not say otherwise.
template <dim_t NumDimensions, MemArrange Arrangement = ROW_MAJOR,
          typename IndexType = default_index_t>
using Pattern = BlockPattern<NumDimensions, Arrangement, IndexType>;

}  // namespace dash
