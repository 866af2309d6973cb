#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <mutex>
#include <sstream>
#include <utility>
#include <vector>

#include "dash/Exception.h"
#include "dash/halo/BlockEnvironment.h"
#include "dash/halo/HaloMemory.h"
#include "dash/halo/RegionCoords.h"
#include "dash/halo/StencilSpace.h"
#include "dash/halo/Types.h"
#include "dash/halo/stencil/BlockSplit.h"
#include "dash/halo/stencil/PointTable.h"
#include "dash/halo/stencil/StencilCell.h"
#include "dash/halo/stencil/StencilRows.h"
#include "dash/halo/stencil/StencilSchedule.h"
#include "dash/halo/stencil/StencilUpdate.h"

namespace dash::halo::internal {

/// The state shared by a stencil operator, its parts and its iterators: the block, its halo memory,
/// and the division of the block for this stencil.
template <typename HaloBlockT, typename StencilSpecT>
class StencilCore {
 public:
  static constexpr dim_t N = HaloBlockT::ndim();
  static constexpr MemArrange Arrange = HaloBlockT::memory_order();
  static constexpr std::size_t NumPoints = StencilSpecT::num_stencil_points();

  using Element_t = typename HaloBlockT::Element_t;
  using index_type = typename HaloBlockT::index_type;
  using HaloMemory_t = HaloMemory<HaloBlockT>;
  using Space_t = StencilSpace<N, Arrange, NumPoints>;
  using Offsets_t = std::array<index_type, NumPoints>;
  using StencilPoint_t = typename StencilSpecT::StencilPoint_t;
  using Line_t = StencilLine<Element_t, N, NumPoints>;
  using InnerOffsets_t = InnerOffsets<N, Arrange, NumPoints>;
  using Segment = StencilSegment<N>;
  using Rows_t = StencilRows<N, Arrange>;

  /// \throws exception::InvalidArgument if the stencil needs wider halo regions than the wrapper
  ///         has
  StencilCore(const HaloBlockT& block, HaloMemory_t& memory, Element_t* local,
              const StencilSpecT& stencil)
      : _block(block),
        _memory(memory),
        _local(local),
        _stencil(stencil),
        _table(stencil),
        _inner_offsets{{}, memory.layout().strides(), &_table},
        _extents(extents_of(block.block_env())),
        _split(block.block_env().split(reach_of(stencil))),
        _rows(_split.inner()),
        _inner(make_space({_split.inner()})),
        _boundary(make_space(boundary_boxes())),
        _border(make_space(cut_boundary())),
        _sides(make_space(side_boxes())),
        _all(make_space({_split.valid()})) {
    const HaloSpec<N> needed(stencil);
    if (!block.halo_spec().covers(needed)) {
      DASH_THROW(exception::InvalidArgument, "the stencil needs " << needed
                                                                  << ", but the matrix wrapper has "
                                                                  << block.halo_spec());
    }
    for (std::size_t i = 0; i < NumPoints; ++i) {
      _inner_offsets.points[i] = position(to_coords<N>(stencil[i]));
      _offsets[i] = static_cast<index_type>(_inner_offsets.points[i]);
    }
  }

  const HaloBlockT& block() const { return _block; }
  HaloMemory_t& memory() const { return _memory; }
  Element_t* local() const { return _local; }
  const StencilSpecT& stencil() const { return _stencil; }

  /// Distances in memory from a centre to its stencil points; valid for inner elements.
  const Offsets_t& offsets() const { return _offsets; }
  /// The same for the cells of inner elements.
  const InnerOffsets_t& inner_offsets() const { return _inner_offsets; }

  /// Number of elements in memory from the first one of the block to its last one.
  coord_t size() const {
    Coords<N> last = _block.block_env().extents();
    for (auto& coord : last) {
      --coord;
    }
    return position(last) + 1;
  }

  const BlockSplit<N>& split() const { return _split; }

  const Space_t& inner() const { return _inner; }
  /// The boxes of the regions, in the order of their index.
  const Space_t& boundary() const { return _boundary; }
  /// Boxes 2 d and 2 d + 1: before and after the inner part in dimension d.
  const Space_t& sides() const { return _sides; }
  const Space_t& all() const { return _all; }

  /// The parts of a step. Created at the first call. \threads thread-safe
  const StencilParts& parts() const {
    std::call_once(_is_made, [this] { _parts = {inner_units(), make_border_boxes()}; });
    return _parts;
  }

  coord_t position(const Coords<N>& coords) const { return _memory.layout().local(coords); }

  /// The value at coordinates relative to the block, in the block or in the halo.
  /// \throws exception::OutOfRange if there is no such element
  const Element_t& value(const Coords<N>& coords) const {
    const auto region = _block.block_env().region_at(coords);
    if (region == RegionCoords<N>::center_index()) return _local[position(coords)];
    if (!_block.block_env().halo_box(region).contains(coords)) throw_no_halo(coords, region);
    _memory.require(region);
    return _memory.data()[_memory.layout().region(region)(coords)];
  }

  /// The value at a stencil point of a centre, using the path of the centre's box.
  const Element_t& value(const StencilPath<N>& path, const StencilPoint_t& point,
                         const Coords<N>& coords, const Element_t* center) const {
    switch (path.kind) {
      case PathKind::local:
        return center[path.offset];
      case PathKind::halo:
        _memory.require(path.region);
        return _memory.data()[path.map(coords)];
      case PathKind::mixed:
        break;
    }
    const auto target = point.stencil_coords(coords);
    return contains(target) ? center[path.offset] : value(target);
  }

  /// The addresses of the elements of a segment and of their stencil points. The segment may be one
  /// of another operator for which has_same_parts() is true.
  /// \pre the required halo regions have arrived
  Line_t line(const Segment& segment) const {
    const auto& paths = _border.paths(segment.part);
    const coord_t stride = _memory.layout().strides()[segment.along];
    Line_t line{position(segment.coords), segment.length, stride, {}, {}, &_table};
    const Element_t* const center = _local + line.position;
    if (_border.is_mixed(segment.part)) [[unlikely]] {
      for (std::size_t i = 0; i < NumPoints; ++i) {
        line.points[i] = &value(paths[i], _stencil[i], segment.coords, center);
        line.strides[i] = stride;
      }
    } else {
      const Element_t* const halo = _memory.data();
      for (std::size_t i = 0; i < NumPoints; ++i) {
        const auto& path = paths[i];
        line.points[i] = (path.kind == PathKind::halo ? halo : _local) + path.map(segment.coords);
        line.strides[i] = path.map.strides[segment.along];
      }
    }
    line.points[NumPoints] = center;
    line.strides[NumPoints] = stride;
    return line;
  }

  /// Calls fn(segment) for segments that together cover the border elements of a range of
  /// positions.
  /// Positions number the boxes of the regions consecutively; the order within each box is
  /// unspecified.
  template <typename Fn>
  void for_each_boundary_segment(coord_t begin, coord_t end, Fn&& fn) const {
    for (std::size_t part = 0; begin < end; begin = std::min(end, _border.begin_of(part + 1))) {
      part = _border.box_at(begin);
      const coord_t first = _border.begin_of(part);
      segments_of_part(part, begin - first, std::min(end, _border.begin_of(part + 1)) - first, fn);
    }
  }

  /// Calls fn(position of the first element, number of elements) for rows of inner elements.
  /// \param begin, end  range of units of parts().inner
  template <typename Fn>
  void for_each_inner_row(coord_t begin, coord_t end, Fn&& fn) const {
    const coord_t step = N == 1 ? 0 : _memory.layout().strides()[Rows_t::second_fastest];
    _rows.for_each_run(begin, end, [&](const Coords<N>& coords, coord_t rows, coord_t length) {
      coord_t first = position(coords);
      for (coord_t i = 0; i < rows; ++i, first += step) {
        fn(first, length);
      }
    });
  }

  /// Calls fn(segment) for segments that together cover the elements before or after the inner part
  /// of rows of inner elements.
  /// \param begin, end  range of units of parts().inner
  template <typename Fn>
  void for_each_segment_at_end(coord_t begin, coord_t end, RegionPos side, Fn&& fn) const {
    const auto region = RegionCoords<N>::index(fastest, side);
    _rows.for_each_run_of_ends(begin, end, [&](Coords<N> coords, coord_t rows) {
      for (std::size_t part = _first_parts[region]; part < _first_parts[region + 1]; ++part) {
        const Interval columns = _border.box(part)[fastest];
        coords[fastest] = columns.begin;
        if constexpr (N == 1) {
          for_each_segment({part, coords, fastest, columns.size()}, fn);
        } else {
          for (; coords[fastest] < columns.end; ++coords[fastest]) {
            for_each_segment({part, coords, Rows_t::second_fastest, rows}, fn);
          }
        }
      }
    });
  }

  /// \throws exception::InvalidArgument if the block and the destination of results share memory
  void check_destination(const Element_t* dst) const {
    if (dst == nullptr || overlap(_local, dst, size())) {
      DASH_THROW(exception::InvalidArgument,
                 "a stencil requires a destination other than the source matrix, since elements "
                 "are updated in any order");
    }
  }

  /// Whether the parts() of another operator, with another element type perhaps, contain the same
  /// elements and need the same regions.
  template <typename OtherT>
  bool has_same_parts(const OtherT& other) const {
    if constexpr (OtherT::N == N && OtherT::Arrange == Arrange && OtherT::NumPoints == NumPoints) {
      bool is_same = has_same_block(_block.block_env(), other.block().block_env());
      for (std::size_t i = 0; is_same && i < NumPoints; ++i) {
        is_same = to_coords<N>(_stencil[i]) == to_coords<N>(other.stencil()[i]);
      }
      return is_same;
    } else {
      return false;
    }
  }

  /// Waits for the regions that the stencil reads.
  /// \throws exception::RuntimeError if the update of a region was never started
  void require_halos() const {
    const auto require = [this](const std::vector<region_index_t>& regions) {
      for (const region_index_t region : regions) {
        _memory.require(region);
      }
    };
    for (const auto& box : parts().boxes) {
      require(box.needed);
    }
    for (const auto& end : parts().inner.ends) {
      require(end.needed);
    }
  }

  /// Whether coordinates are in the block.
  bool contains(const Coords<N>& coords) const {
    bool inside = true;
    for (dim_t d = 0; d < N; ++d) {
      // A single comparison: negative coordinates become large.
      inside = inside && static_cast<std::size_t>(coords[d]) < _extents[d];
    }
    return inside;
  }

 private:
  static constexpr dim_t fastest = Rows_t::fastest;

  static typename BlockSplit<N>::Reach reach_of(const StencilSpecT& stencil) {
    typename BlockSplit<N>::Reach reach;
    for (dim_t d = 0; d < N; ++d) {
      const auto [low, high] = stencil.minmax_distances(d);
      reach[d] = {-coord_t{low}, coord_t{high}};
    }
    return reach;
  }

  static std::array<std::size_t, N> extents_of(const BlockEnvironment<N>& env) {
    std::array<std::size_t, N> extents;
    for (dim_t d = 0; d < N; ++d) {
      extents[d] = static_cast<std::size_t>(env.extents()[d]);
    }
    return extents;
  }

  Space_t make_space(std::vector<Box<N>> boxes) const {
    return Space_t(std::move(boxes), _stencil, _block.block_env(), _memory.layout());
  }

  std::vector<Box<N>> boundary_boxes() const {
    std::vector<Box<N>> boxes;
    for (region_index_t region = 0; region < NumRegionsMax<N>; ++region) {
      boxes.push_back(_split.boundary(region));
    }
    return boxes;
  }

  std::vector<Box<N>> cut_boundary() {
    std::vector<Box<N>> parts;
    for (region_index_t region = 0; region < NumRegionsMax<N>; ++region) {
      _first_parts.push_back(parts.size());
      append_cut(_split.boundary(region), parts);
    }
    _first_parts.push_back(parts.size());
    return parts;
  }

  /// Splits a box so that within each part, every stencil point is on the same side of the block's
  /// borders; does not split it if that would yield many parts.
  void append_cut(const Box<N>& box, std::vector<Box<N>>& parts) const {
    constexpr std::size_t most = 64;
    std::array<std::vector<Interval>, N> cut;
    std::size_t number = box.empty() ? 0 : 1;
    for (dim_t d = 0; d < N; ++d) {
      cut[d] = cut_interval(box[d], d);
      number *= cut[d].size();
    }
    if (number > most) return parts.push_back(box);
    for (std::size_t i = 0; i < number; ++i) {
      Box<N> part;
      std::size_t rest = i;
      for (dim_t p = N; p-- > 0;) {
        const dim_t d = dim_at<N, Arrange>(p);
        part[d] = cut[d][rest % cut[d].size()];
        rest /= cut[d].size();
      }
      parts.push_back(part);
    }
  }

  std::vector<Interval> cut_interval(const Interval& all, dim_t d) const {
    std::vector<coord_t> ends{all.end};
    for (const auto& point : _stencil.specs()) {
      const coord_t border = point[d] < 0 ? 0 : static_cast<coord_t>(_extents[d]);
      const coord_t end = border - point[d];
      if (point[d] != 0 && end > all.begin && end < all.end) ends.push_back(end);
    }
    std::sort(ends.begin(), ends.end());
    ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
    std::vector<Interval> parts;
    coord_t begin = all.begin;
    for (const coord_t end : ends)
      parts.push_back({std::exchange(begin, end), end});
    return parts;
  }

  /// The dimension along which the elements of a box are traversed in lines: that of rows, unless
  /// rows are short.
  static dim_t dim_of_lines(const Box<N>& box) {
    constexpr coord_t long_enough = 8;
    dim_t along = fastest;
    if (box[fastest].size() >= long_enough) return along;
    for (dim_t d = 0; d < N; ++d) {
      if (box[d].size() > box[along].size()) along = d;
    }
    return along;
  }

  /// \param begin, end  range of positions in the lines of the part
  template <typename Fn>
  void segments_of_part(std::size_t part, coord_t begin, coord_t end, Fn& fn) const {
    const Box<N>& box = _border.box(part);
    const dim_t along = dim_of_lines(box);
    const coord_t length = box[along].size();
    Coords<N> coords = box.first();
    coords[along] += begin % length;
    coord_t rest = begin / length;
    for (dim_t d = N; d-- > 0;) {
      if (d == along) continue;
      coords[d] += rest % box[d].size();
      rest /= box[d].size();
    }
    while (true) {
      const coord_t part_length = std::min(end - begin, box[along].end - coords[along]);
      for_each_segment({part, coords, along, part_length}, fn);
      begin += part_length;
      if (begin == end) return;
      coords[along] = box[along].begin;
      for (dim_t d = N; d-- > 0;) {
        if (d == along) continue;
        if (++coords[d] < box[d].end) break;
        coords[d] = box[d].begin;
      }
    }
  }

  /// Calls fn with a segment, or with parts of it if stencil points are on different sides of the
  /// borders.
  template <typename Fn>
  void for_each_segment(Segment segment, Fn& fn) const {
    const coord_t length = segment.length;
    if (_border.is_mixed(segment.part)) segment.length = 1;
    for (coord_t i = 0; i < length;
         i += segment.length, segment.coords[segment.along] += segment.length) {
      fn(static_cast<const Segment&>(segment));
    }
  }

  /// The halo regions sent by neighbours that the stencils of the elements of a box read.
  std::vector<region_index_t> regions_around(const Box<N>& box) const {
    const auto& env = _block.block_env();
    std::vector<region_index_t> regions;
    for (region_index_t region = 0; region < env.NumRegions; ++region) {
      if (env.source(region) != HaloBlockT::BlockEnv_t::Source::neighbor) continue;
      for (const auto& point : _stencil.specs()) {
        auto read = box;
        for (dim_t d = 0; d < N; ++d) {
          read[d].begin += point[d];
          read[d].end += point[d];
          read[d] = read[d].intersect(env.halo_box(region)[d]);
        }
        if (read.empty()) continue;
        regions.push_back(region);
        break;
      }
    }
    return regions;
  }

  InnerUnits inner_units() const {
    InnerUnits units{_rows.num_units(), _rows.unit_size(), {}};
    for (const auto side : {RegionPos::PRE, RegionPos::POST}) {
      const auto box = _split.boundary(RegionCoords<N>::index(fastest, side));
      if (!box.empty()) {
        units.ends.push_back({side, box[fastest].size(), regions_around(box)});
      }
    }
    return units;
  }

  /// The boxes of the border, except for the ends of the rows of the inner part.
  std::vector<BorderBox> make_border_boxes() const {
    std::vector<BorderBox> boxes;
    coord_t begin = 0;
    for (region_index_t region = 0; region < NumRegionsMax<N>; ++region) {
      const auto box = _split.boundary(region);
      if (box.empty()) continue;
      const coord_t end = begin + box.size();
      const bool is_end = region == RegionCoords<N>::index(fastest, RegionPos::PRE) ||
                          region == RegionCoords<N>::index(fastest, RegionPos::POST);
      if (!is_end) boxes.push_back({begin, end, regions_around(box)});
      begin = end;
    }
    return boxes;
  }

  std::vector<Box<N>> side_boxes() const {
    std::vector<Box<N>> boxes;
    for (dim_t d = 0; d < N; ++d) {
      boxes.push_back(_split.side(d, RegionPos::PRE));
      boxes.push_back(_split.side(d, RegionPos::POST));
    }
    return boxes;
  }

  [[noreturn]] void throw_no_halo(const Coords<N>& coords, region_index_t region) const {
    std::ostringstream text;
    for (dim_t d = 0; d < N; ++d) {
      text << (d == 0 ? "" : ", ") << coords[d];
    }
    DASH_THROW(exception::OutOfRange, "no element at local coordinates ("
                                          << text.str() << "): halo region " << region
                                          << " does not contain it or does not exist");
  }

  const HaloBlockT& _block;
  HaloMemory_t& _memory;
  Element_t* _local;
  StencilSpecT _stencil;
  PointTable<N, NumPoints> _table;
  InnerOffsets_t _inner_offsets;
  Offsets_t _offsets{};
  std::array<std::size_t, N> _extents;
  BlockSplit<N> _split;
  Rows_t _rows;
  Space_t _inner;
  Space_t _boundary;
  std::vector<std::size_t> _first_parts;  // of _border, for each region and for their end
  Space_t _border;                        // the same elements, split into parts with uniform paths
  Space_t _sides;
  Space_t _all;
  mutable std::once_flag _is_made;
  mutable StencilParts _parts;
};

}  // namespace dash::halo::internal
