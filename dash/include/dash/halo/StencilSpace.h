#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "dash/halo/BlockEnvironment.h"
#include "dash/halo/Types.h"
#include "dash/halo/exchange/HaloLayout.h"
#include "dash/halo/stencil/Box.h"

namespace dash::halo::internal {

/// The location of a stencil point for the centres in one box.
enum class PathKind : std::uint8_t {
  local,  ///< in the block for all centres
  halo,   ///< in the same halo region for all centres
  mixed   ///< differs between centres
};

template <dim_t N>
struct StencilPath {
  PathKind kind = PathKind::mixed;
  region_index_t region = 0;
  /// Distance from the centre in the block's memory, for centres whose stencil point is in the
  /// block.
  coord_t offset = 0;
  /// Maps the coordinates of the centre to the position of the stencil point: in the block's memory for
  /// kind local, in the halo memory for kind halo.
  AffineMap<N> map{};
};

/// A sequence of boxes of a block, traversed one after the other, each in memory order. For each
/// box it stores the locations of its stencil points, so that visiting an element needs neither a
/// search nor a division. Boxes may be empty.
template <dim_t N, MemArrange Arrange, std::size_t NumPoints>
class StencilSpace {
 public:
  using Paths = std::array<StencilPath<N>, NumPoints>;

  template <typename StencilSpecT>
  StencilSpace(std::vector<Box<N>> boxes, const StencilSpecT& stencil,
               const BlockEnvironment<N>& env, const HaloLayout<N, Arrange>& layout)
      : _boxes(std::move(boxes)), _begins{0}, _paths(_boxes.size()) {
    for (std::size_t b = 0; b < _boxes.size(); ++b) {
      _begins.push_back(_begins.back() + _boxes[b].size());
      for (std::size_t i = 0; i < NumPoints; ++i) {
        _paths[b][i] = find_path(_boxes[b], stencil[i], env, layout);
      }
      _is_mixed.push_back(std::any_of(_paths[b].begin(), _paths[b].end(), [](const auto& path) {
        return path.kind == PathKind::mixed;
      }));
    }
  }

  std::size_t num_boxes() const { return _boxes.size(); }
  const Box<N>& box(std::size_t b) const { return _boxes[b]; }
  const Paths& paths(std::size_t b) const { return _paths[b]; }
  /// Whether any path of a box is mixed.
  bool is_mixed(std::size_t b) const { return _is_mixed[b]; }

  /// Position of the first element of box b in the traversal; of the end for b = num_boxes().
  coord_t begin_of(std::size_t b) const { return _begins[b]; }

  /// Number of elements.
  coord_t size() const { return _begins.back(); }

  /// The box that contains the element at a position below size().
  std::size_t box_at(coord_t position) const {
    const auto next = std::upper_bound(_begins.begin(), _begins.end(), position);
    return static_cast<std::size_t>(next - _begins.begin()) - 1;
  }

 private:
  template <typename StencilPointT>
  static StencilPath<N> find_path(const Box<N>& box, const StencilPointT& point,
                                  const BlockEnvironment<N>& env,
                                  const HaloLayout<N, Arrange>& layout) {
    StencilPath<N> path;
    if (box.empty()) return path;
    const auto offsets = to_coords<N>(point);
    path.offset = layout.local(offsets);
    Coords<N> first;
    Coords<N> last;
    for (dim_t d = 0; d < N; ++d) {
      first[d] = box[d].begin + offsets[d];
      last[d] = box[d].end - 1 + offsets[d];
    }
    path.region = env.region_at(first);
    if (path.region != env.region_at(last)) return path;
    if (path.region == RegionCoords<N>::center_index()) {
      path.kind = PathKind::local;
      path.map = {path.offset, layout.strides()};
    } else if (env.halo_box(path.region).contains(first) &&
               env.halo_box(path.region).contains(last)) {
      path.kind = PathKind::halo;
      path.map = layout.region(path.region);
      path.map.origin += dot<N>(path.map.strides, offsets);
    }
    return path;
  }

  std::vector<Box<N>> _boxes;
  std::vector<coord_t> _begins;
  std::vector<Paths> _paths;
  std::vector<bool> _is_mixed;
};

}  // namespace dash::halo::internal
