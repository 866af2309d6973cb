#pragma once

#include <concepts>
#include <cstddef>
#include <iosfwd>
#include <utility>

#include "dash/Cartesian.h"
#include "dash/Dimensional.h"
#include "dash/Distribution.h"
#include "dash/Team.h"
#include "dash/TeamSpec.h"
#include "dash/Types.h"
#include "dash/ViewSpec.h"
#include "dash/internal/Unit.h"
#include "dash/pattern/internal/PatternArguments.h"

namespace dash::internal {

/// Base class of all patterns: a mapping of an index space to the units of a team.
///
/// Three kinds of indices identify an element: its global coordinates; its linear global index,
/// which is its position in the iteration order; and the unit that owns it together with its index
/// in that unit's memory. The order of a unit's elements in memory is that of their global indices.
///
/// A pattern is a value type and answers queries about any unit without communication.
/// \tparam Mapping  see GridMapping, SkewedMapping, RangesMapping
/// \threads thread-safe, for const functions
template <class Mapping>
class MappedPattern {
  static constexpr std::size_t N = Mapping::N;
  static constexpr dim_t num_dimensions = Mapping::ndim;
  static constexpr MemArrange arrangement = Mapping::order_of_memory;

 public:
  /// The mapping without a team.
  using mapping_type = Mapping;
  using index_type = typename Mapping::Index;
  using size_type = typename Mapping::Size;
  /// A box in the index space.
  using viewspec_type = typename Mapping::View;
  /// Coordinates of an element.
  using coords_type = typename Mapping::Coords;
  /// An extent for each dimension.
  using extents_type = typename Mapping::Extents;
  /// Extents as a constructor argument.
  using sizespec_type = SizeSpec<num_dimensions, size_type>;
  /// Distributions as a constructor argument.
  using distspec_type = DistributionSpec<num_dimensions>;
  /// The grid of units.
  using teamspec_type = TeamSpec<num_dimensions, index_type>;
  /// Maps coordinates to linear indices, in the order of the pattern.
  using memory_layout_type = CartesianIndexSpace<num_dimensions, arrangement, index_type>;
  /// The grid of blocks.
  using blockspec_type = memory_layout_type;
  /// The grid of the blocks of a unit.
  using local_blockspec_type = blockspec_type;

  /// A unit, and an index in its memory.
  struct local_index_t {
    /// The owner.
    team_unit_t unit;
    /// Index in the memory of the owner.
    index_type index;
    friend constexpr bool operator==(const local_index_t&, const local_index_t&) = default;
  };
  /// A unit, and coordinates in its part.
  struct local_coords_t {
    /// The owner.
    team_unit_t unit;
    /// Local coordinates.
    coords_type coords;
    friend constexpr bool operator==(const local_coords_t&, const local_coords_t&) = default;
  };
  /// A contiguous block: consecutive elements that are contiguous in the memory of one unit.
  struct contiguous_block_t {
    /// The owner.
    team_unit_t unit;
    index_type index;   ///< of the first element in the unit's memory
    index_type length;  ///< number of elements
  };

  friend bool operator==(const MappedPattern& a, const MappedPattern& b) {
    return a._sizespec == b._sizespec && a._distspec == b._distspec && a._teamspec == b._teamspec &&
           *a._team == *b._team && a.has_same_blocks(b);
  }

  /// Prints extents, distribution, grid of units and team.
  template <class Char, class Traits, std::derived_from<MappedPattern> PatternType>
  friend std::basic_ostream<Char, Traits>& operator<<(std::basic_ostream<Char, Traits>& os,
                                                      const PatternType& pattern) {
    return os << "dash::" << PatternType::PatternName << '(' << pattern.sizespec() << ", "
              << pattern.distspec() << ", " << pattern.teamspec() << ", " << pattern.team() << ')';
  }

  // The whole range.

  /// Number of dimensions.
  static constexpr dim_t ndim() { return num_dimensions; }
  /// ROW_MAJOR or COL_MAJOR: the order of linear indices and of local memory.
  static constexpr MemArrange memory_order() { return arrangement; }
  /// The extents.
  const sizespec_type& sizespec() const { return _sizespec; }
  /// The distribution of each dimension.
  const distspec_type& distspec() const { return _distspec; }
  /// The grid of units.
  const teamspec_type& teamspec() const { return _teamspec; }
  /// The team.
  Team& team() const { return *_team; }
  /// Number of units among which the range is distributed.
  size_type num_units() const { return static_cast<size_type>(_mapping.num_units()); }
  /// Number of elements of all units.
  size_type size() const { return _sizespec.size(); }
  /// The same as size().
  size_type capacity() const { return _sizespec.size(); }
  /// Extents of the index space.
  const extents_type& extents() const { return _sizespec.extents(); }
  /// Extent of one dimension. \throws exception::OutOfRange if there is no such dimension
  size_type extent(dim_t dimension) const { return _sizespec.extent(dimension); }
  /// The mapping of the pattern, which does not refer to a team.
  const Mapping& mapping() const { return _mapping; }

  // The elements of a unit; by default of the caller.

  /// Linear global index of the caller's first element; 0 if it has none.
  index_type lbegin() const { return _lbegin; }
  /// Linear global index past the caller's last element; 0 if it has none.
  index_type lend() const { return _lend; }

  /// The extents of the box of local coordinates.
  const extents_type& local_extents() const { return _local_extents; }
  /// \overload
  extents_type local_extents(TeamUnitArgument unit) const {
    return has(unit) ? _mapping.local_extents(locate(unit)) : extents_type{};
  }
  /// Extent of one dimension of the caller's part. \throws exception::OutOfRange if there is no such dimension
  size_type local_extent(dim_t dimension) const {
    check_dimension(dimension, num_dimensions);
    return _local_extents[static_cast<std::size_t>(dimension)];
  }
  /// Number of elements of the caller.
  size_type local_size() const { return _local_size; }
  /// Number of elements of a unit.
  size_type local_size(TeamUnitArgument unit) const {
    if (unit == UNDEFINED_TEAM_UNIT_ID) return local_size();
    return has(unit) ? _mapping.local_size(locate(unit)) : 0;
  }
  /// The largest number of blocks of a unit, times the size of a full block: an upper bound of the
  /// number of elements of a unit.
  size_type local_capacity() const { return _mapping.local_capacity(); }

  // Global to local.

  /// Owner of the element at global coordinates.
  team_unit_t unit_at(const coords_type& coords) const { return unit_id(_mapping.unit_at(coords)); }
  /// Owner of the element at coordinates relative to a view.
  team_unit_t unit_at(const coords_type& coords, const viewspec_type& view) const {
    return unit_at(moved(coords, view));
  }
  /// Owner of the element at a linear global index.
  team_unit_t unit_at(index_type global_index) const { return unit_at(coords(global_index)); }
  /// Owner of the element at a canonical index of a view.
  team_unit_t unit_at(index_type index, const viewspec_type& view) const {
    return unit_at(coords(index, view));
  }

  /// Owner and local coordinates of the element at global coordinates.
  local_coords_t local(const coords_type& global_coords) const {
    const auto location = _mapping.local_coords(global_coords);
    return {unit_id(location.unit), location.coords};
  }
  /// Owner of an element and its index in the owner's memory.
  local_index_t local(index_type global_index) const {
    const auto location = _mapping.location(global_index);
    return {unit_id(location.unit), location.index};
  }

  /// Local coordinates of an element, in the part of its owner.
  coords_type local_coords(const coords_type& global_coords) const {
    return _mapping.local_coords(global_coords).coords;
  }
  /// Owner of an element and its index in the owner's memory.
  local_index_t local_index(const coords_type& global_coords) const {
    const auto location = _mapping.location(global_coords);
    return {unit_id(location.unit), location.index};
  }

  /// Index in the caller's memory of the element at local coordinates of the caller.
  index_type local_at(const coords_type& local_coords) const {
    return _mapping.local_at(_self, local_coords);
  }
  /// The same for coordinates relative to a view.
  index_type local_at(const coords_type& local_coords, const viewspec_type& view) const {
    return local_at(moved(local_coords, view));
  }

  /// Index of an element in its unit's memory.
  index_type at(const coords_type& global_coords) const { return local_index(global_coords).index; }
  /// The same for coordinates relative to a view.
  index_type at(const coords_type& global_coords, const viewspec_type& view) const {
    return at(moved(global_coords, view));
  }
  /// \overload
  template <IntegerLike... Coords>
  requires(sizeof...(Coords) == N) index_type at(const Coords&... global_coords)
  const { return at(coords_type{{static_cast<index_type>(global_coords)...}}); }

  /// The longest contiguous block that starts at a linear global index.
  /// \pre 0 <= global_index < size()
  contiguous_block_t contiguous_block_at(index_type global_index) const {
    return contiguous_block_of(_mapping.contiguous_block_at(global_index));
  }
  /// The longest contiguous block that starts at global coordinates and whose elements are also
  /// consecutive in a box, in canonical order of its coordinates.
  /// \pre the box contains the coordinates, and the range contains the box
  contiguous_block_t contiguous_block_at(const coords_type& global_coords,
                                         const viewspec_type& view) const {
    return contiguous_block_of(_mapping.contiguous_block_in(global_coords, view));
  }
  /// \overload
  /// By the canonical index of its first element in the box.
  contiguous_block_t contiguous_block_at(index_type index, const viewspec_type& view) const {
    return contiguous_block_at(coords(index, view), view);
  }

  // Local to global.

  /// Global coordinates of an element of a unit.
  coords_type global(TeamUnitArgument unit, const coords_type& local_coords) const {
    return _mapping.global(locate(unit), local_coords);
  }
  /// Global coordinates of an element of the caller.
  coords_type global(const coords_type& local_coords) const {
    return _mapping.global(_self, local_coords);
  }
  /// Linear global index of an element, from its index in the caller's memory.
  index_type global(index_type local_index) const {
    return _mapping.global_of_local(_self, local_index);
  }
  /// Linear global index of an element, from its index in a unit's memory.
  index_type global(TeamUnitArgument unit, index_type local_index) const {
    return _mapping.global_of_local(locate(unit), local_index);
  }
  /// Global coordinates of an element, from its index in a unit's memory.
  coords_type global_coords(TeamUnitArgument unit, index_type local_index) const {
    return _mapping.coords_of_local(locate(unit), local_index);
  }
  /// Linear global index of an element of a unit.
  index_type global_index(TeamUnitArgument unit, const coords_type& local_coords) const {
    return global_at(global(unit, local_coords));
  }

  /// Linear global index of an element.
  index_type global_at(const coords_type& global_coords) const {
    return _mapping.global_at(global_coords);
  }
  /// The same for coordinates relative to a view.
  index_type global_at(const coords_type& coords, const viewspec_type& view) const {
    return global_at(moved(coords, view));
  }
  /// Coordinates of the element at a linear global index.
  coords_type coords(index_type global_index) const { return _mapping.coords(global_index); }
  /// Global coordinates of the element at a canonical index of a view.
  coords_type coords(index_type index, const viewspec_type& view) const {
    return memory_layout_type().coords(index, view);
  }

  /// Whether a unit has any element of a view whose coordinate in a dimension, relative to the
  /// view, is `dim_offset`.
  bool has_local_elements(dim_t dimension, index_type dim_offset, TeamUnitArgument unit,
                          const viewspec_type& view) const {
    check_dimension(dimension, num_dimensions);
    if (!has(unit) || dim_offset < 0 ||
        static_cast<size_type>(dim_offset) >= view.extent(dimension)) {
      return false;
    }
    viewspec_type slice = view;
    slice.resize_dim(dimension, view.offset(dimension) + dim_offset, 1);
    return _mapping.owns_any(locate(unit), slice);
  }
  /// Whether the caller owns an element.
  bool is_local(index_type global_index) const { return is_local(global_index, _team->myid()); }
  /// Whether a unit owns an element.
  bool is_local(index_type global_index, TeamUnitArgument unit) const {
    return unit_at(global_index) == unit;
  }

  /// Calls fn(begin, end) for each part of a row that a unit owns. The row consists of the elements
  /// with the coordinates `row`, except in the contiguous dimension, where they range from `begin`
  /// to `end`.
  template <class Fn>
  void for_each_part_of_row(TeamUnitArgument unit, const coords_type& row, index_type begin,
                            index_type end, Fn fn) const {
    if (has(unit) && begin < end) {
      _mapping.for_each_part_of_row(locate(unit), row, begin, end, std::move(fn));
    }
  }

  // Blocks.

  /// The grid of all blocks.
  const blockspec_type& blockspec() const { return _blockspec; }
  /// The grid of the caller's blocks.
  local_blockspec_type local_blockspec() const { return local_blockspec(_team->myid()); }
  /// The grid of a unit's blocks.
  local_blockspec_type local_blockspec(TeamUnitArgument unit) const {
    return local_blockspec_type(has(unit) ? _mapping.local_blocks(locate(unit)) : extents_type{});
  }
  /// Extent of a full block in one dimension.
  size_type blocksize(dim_t dimension) const {
    return static_cast<size_type>(_mapping.blocksize(checked(dimension)));
  }
  /// Number of elements of a full block.
  size_type max_blocksize() const { return _mapping.max_blocksize(); }
  /// Number of elements by which the last block of a dimension is smaller than the others.
  size_type underfilled_blocksize(dim_t dimension) const {
    return static_cast<size_type>(_mapping.underfill(checked(dimension)));
  }

  /// Index of the block of an element.
  index_type block_at(const coords_type& global_coords) const {
    return _blockspec.at(_mapping.block_at(global_coords));
  }
  /// Owner of an element, and the index of its block among the owner's blocks.
  local_index_t local_block_at(const coords_type& global_coords) const {
    return {unit_at(global_coords), _mapping.local_block_at(global_coords)};
  }

  /// A block by its index, in global coordinates.
  viewspec_type block(index_type global_block_index) const {
    return block(_blockspec.coords(global_block_index));
  }
  /// A block by its coordinates in the grid of blocks, in global coordinates.
  viewspec_type block(const coords_type& block_coords) const {
    return _mapping.block(block_coords);
  }
  /// One of the caller's blocks, by its index among them, in global coordinates.
  viewspec_type local_block(index_type local_block_index) const {
    return _mapping.block(_mapping.block_of(_self, local_block_index));
  }
  /// One of a unit's blocks, by its index among them, in global coordinates.
  viewspec_type local_block(TeamUnitArgument unit, index_type local_block_index) const {
    return _mapping.block(_mapping.block_of(locate(unit), local_block_index));
  }
  /// One of the caller's blocks, by its index among them, in the caller's local coordinates.
  viewspec_type local_block_local(index_type local_block_index) const {
    return viewspec_type(_mapping.local_block_offsets(_self, local_block_index),
                         local_block(local_block_index).extents());
  }

  /// \cond internal

 protected:
  MappedPattern(Mapping mapping, const sizespec_type& sizespec, const distspec_type& distspec,
                const teamspec_type& teamspec, Team& team)
      : _mapping(std::move(mapping)),
        _team(&team),
        _sizespec(sizespec),
        _distspec(distspec),
        _teamspec(teamspec),
        _blockspec(_mapping.nblocks()) {
    check_grid(static_cast<std::size_t>(_mapping.num_units()), team);
    check_size<index_type>(_sizespec.extents());
    if (!has(team.myid())) return;
    _self = locate(team.myid());
    _local_extents = _mapping.local_extents(_self);
    _local_size = _mapping.local_size(_self);
    if (_local_size > 0) {
      _lbegin = global(index_type{0});
      _lend = global(static_cast<index_type>(_local_size - 1)) + 1;
    }
  }

  /// \endcond

 private:
  static team_unit_t unit_id(index_type unit) {
    return team_unit_t(static_cast<dart_unit_t>(unit));
  }
  static contiguous_block_t contiguous_block_of(const typename Mapping::ContiguousBlock& block) {
    return {unit_id(block.unit), block.index, block.length};
  }
  static std::size_t checked(dim_t dimension) {
    check_dimension(dimension, num_dimensions);
    return static_cast<std::size_t>(dimension);
  }
  static coords_type moved(coords_type coords, const viewspec_type& view) {
    for (std::size_t d = 0; d < N; ++d)
      coords[d] += view.offsets()[d];
    return coords;
  }

  bool has(team_unit_t unit) const { return unit >= 0 && unit.id < _mapping.num_units(); }
  typename Mapping::Unit locate(team_unit_t unit) const {
    return _mapping.locate(static_cast<index_type>(unit.id));
  }
  /// Whether both patterns have the same blocks, if the distribution does not determine them.
  bool has_same_blocks(const MappedPattern& other) const {
    if constexpr (requires { _mapping == other._mapping; }) {
      return _mapping == other._mapping;
    } else {
      return true;
    }
  }

  Mapping _mapping;
  Team* _team;
  sizespec_type _sizespec;
  distspec_type _distspec;
  teamspec_type _teamspec;
  blockspec_type _blockspec;
  typename Mapping::Unit _self{};
  extents_type _local_extents{};
  size_type _local_size = 0;
  index_type _lbegin = 0;
  index_type _lend = 0;
};

/// A pattern constructed from extents, a distribution of each dimension, and a grid of units.
template <class Mapping>
class DistributedPattern : public MappedPattern<Mapping> {
  using Base = MappedPattern<Mapping>;
  static constexpr dim_t num_dimensions = Mapping::ndim;
  using Arguments = PatternArguments<num_dimensions, typename Base::index_type>;

 public:
  using typename Base::distspec_type;
  using typename Base::sizespec_type;
  using typename Base::teamspec_type;

  /// An empty pattern.
  DistributedPattern() : DistributedPattern(sizespec_type(), distspec_type(), Team::Null()) {}

  /// \param sizespec  extents  \param distspec  distribution of each dimension
  /// \param teamspec  units in each dimension; the default of a team is adapted to the distribution
  /// \throws exception::InvalidArgument if the grid has more units than the team
  DistributedPattern(const sizespec_type& sizespec, const distspec_type& distspec,
                     const teamspec_type& teamspec, Team& team = Team::All())
      : DistributedPattern(teamspec_type(teamspec, distspec, team), sizespec, distspec, team) {}

  /// Assigns all units to the one distributed dimension.
  /// \throws exception::InvalidArgument if not exactly one dimension is distributed
  DistributedPattern(const sizespec_type& sizespec, const distspec_type& distspec = distspec_type(),
                     Team& team = Team::All())
      : DistributedPattern(teamspec_type(distspec, team), sizespec, distspec, team) {}

  /// Takes the extents (or a SizeSpec) first, then in any order the optional distributions (or a
  /// DistributionSpec), a TeamSpec and a Team. Without a TeamSpec, the grid is balanced if all
  /// dimensions are distributed.
  /// \throws exception::AssertionFailed if no TeamSpec is given and some, but neither one nor all,
  ///         dimensions are distributed; or if an extent is not a multiple of its tile extent
  template <class First, PatternArgument... Args>
  requires PatternVariadicForm<Base, First, Args...>
  explicit DistributedPattern(First&& first, Args&&... args)
      : DistributedPattern(Arguments(first, args...)) {}

 private:
  explicit DistributedPattern(const Arguments& arguments)
      : DistributedPattern(arguments.teamspec(), arguments.sizespec(), arguments.distspec(),
                           arguments.team()) {}

  DistributedPattern(const teamspec_type& teamspec, const sizespec_type& sizespec,
                     const distspec_type& distspec, Team& team)
      : Base(Mapping(checked_extents(sizespec), distspec.values(), teamspec.extents()), sizespec,
             distspec, teamspec, team) {}

  static const typename Base::extents_type& checked_extents(const sizespec_type& sizespec) {
    check_size<typename Base::index_type>(sizespec.extents());
    return sizespec.extents();
  }
};

}  // namespace dash::internal
