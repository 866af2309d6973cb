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
#include "dash/halo/BlockSplit.h"
#include "dash/halo/HaloMemory.h"
#include "dash/halo/StencilSchedule.h"
#include "dash/halo/StencilSpace.h"
#include "dash/halo/Types.h"

namespace dash::halo::internal {

/// What a stencil operator, its parts and its iterators share: the block, its halo memory, and the
/// division of the block for this stencil.
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

  /// \throws exception::InvalidArgument if the stencil needs wider halo regions than there are
  StencilCore(const HaloBlockT& block, HaloMemory_t& memory, Element_t* local,
              const StencilSpecT& stencil)
      : _block(block),
        _memory(memory),
        _local(local),
        _stencil(stencil),
        _extents(extents_of(block.block_env())),
        _split(block.block_env().split(reach_of(stencil))),
        _inner(make_space({_split.inner()})),
        _boundary(make_space(boundary_boxes())),
        _slabs(make_space(slab_boxes())),
        _all(make_space({_split.valid()})) {
    const HaloSpec<N> needed(stencil);
    if (!block.halo_spec().covers(needed)) {
      DASH_THROW(exception::InvalidArgument, "the stencil needs " << needed
                                                                  << ", but the matrix wrapper has "
                                                                  << block.halo_spec());
    }
    for (std::size_t i = 0; i < NumPoints; ++i) {
      _offsets[i] = static_cast<index_type>(position(to_coords<N>(stencil[i])));
    }
  }

  const HaloBlockT& block() const { return _block; }
  HaloMemory_t& memory() const { return _memory; }
  Element_t* local() const { return _local; }
  const StencilSpecT& stencil() const { return _stencil; }

  /// Distances in memory from the centre to the stencil points, for centres in the inner part.
  const Offsets_t& offsets() const { return _offsets; }

  /// Elements in memory from the first one of the block to its last one.
  coord_t size() const {
    Coords<N> last = _block.block_env().extents();
    for (auto& coord : last) {
      --coord;
    }
    return position(last) + 1;
  }

  const BlockSplit<N>& split() const { return _split; }

  const Space_t& inner() const { return _inner; }
  /// One box per region index.
  const Space_t& boundary() const { return _boundary; }
  /// Boxes 2 d and 2 d + 1: before and after in dimension d.
  const Space_t& slabs() const { return _slabs; }
  const Space_t& all() const { return _all; }

  /// The boxes of the border with what they need. Made when they are asked for first. \threads any
  const std::vector<BorderBox>& border_boxes() const {
    std::call_once(_is_made, [this] { _border_boxes = make_border_boxes(); });
    return _border_boxes;
  }

  coord_t position(const Coords<N>& coords) const { return _memory.layout().local(coords); }

  /// The value at coordinates relative to the block, in it or in the halo.
  /// \throws exception::OutOfRange where there is neither
  const Element_t& value(const Coords<N>& coords) const {
    const auto region = _block.block_env().region_at(coords);
    if (region == RegionCoords<N>::center_index()) return _local[position(coords)];
    if (!_block.block_env().halo_box(region).contains(coords)) throw_no_halo(coords, region);
    _memory.require(region);
    return _memory.data()[_memory.layout().region(region)(coords)];
  }

  /// The value at a stencil point of a centre, by what is known of the centre's box.
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

  /// Whether coordinates are in the block.
  bool contains(const Coords<N>& coords) const {
    bool inside = true;
    for (dim_t d = 0; d < N; ++d) {
      // One comparison: negative coordinates become huge.
      inside = inside && static_cast<std::size_t>(coords[d]) < _extents[d];
    }
    return inside;
  }

 private:
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

  /// The halo regions that are sent by neighbours and read by the stencils of the elements of a box.
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

  std::vector<BorderBox> make_border_boxes() const {
    std::vector<BorderBox> boxes;
    coord_t begin = 0;
    for (const auto& box : boundary_boxes()) {
      if (box.empty()) continue;
      boxes.push_back({begin, begin + box.size(), regions_around(box)});
      begin += box.size();
    }
    return boxes;
  }

  std::vector<Box<N>> slab_boxes() const {
    std::vector<Box<N>> boxes;
    for (dim_t d = 0; d < N; ++d) {
      boxes.push_back(_split.slab(d, RegionPos::PRE));
      boxes.push_back(_split.slab(d, RegionPos::POST));
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
                                          << " does not reach there or does not exist");
  }

  const HaloBlockT& _block;
  HaloMemory_t& _memory;
  Element_t* _local;
  StencilSpecT _stencil;
  Offsets_t _offsets{};
  std::array<std::size_t, N> _extents;
  BlockSplit<N> _split;
  Space_t _inner;
  Space_t _boundary;
  Space_t _slabs;
  Space_t _all;
  mutable std::once_flag _is_made;
  mutable std::vector<BorderBox> _border_boxes;
};

}  // namespace dash::halo::internal
