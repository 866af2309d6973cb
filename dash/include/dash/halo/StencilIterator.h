#pragma once

#include <array>
#include <cstddef>

#include "dash/Exception.h"
#include "dash/halo/StencilSpace.h"
#include "dash/halo/Types.h"
#include "dash/halo/stencil/Box.h"
#include "dash/iterator/PositionIterator.h"

namespace dash::halo {

/// The set of elements that an iterator visits.
/// \ingroup halo
enum class StencilViewScope : std::uint8_t { INNER, BOUNDARY, ALL };

/// Visits elements of a block as centres of a stencil, and reads their stencil points in the block
/// and in the halo. Refers to the operator that created it.
///
/// Access to a halo element waits for its region to arrive.
/// \threads externally synchronized per object; copies are independent
/// \ingroup halo
template <typename CoreT, StencilViewScope Scope>
class StencilIterator
    : public dash::internal::PositionIterator<StencilIterator<CoreT, Scope>, std::ptrdiff_t> {
  using Base = dash::internal::PositionIterator<StencilIterator, std::ptrdiff_t>;
  friend Base;

  static constexpr dim_t N = CoreT::N;
  static constexpr dim_t fastest = internal::dim_at<N, CoreT::Arrange>(N - 1);

  using Space_t = typename CoreT::Space_t;
  using coord_t = internal::coord_t;

 public:
  /// Type of an element.
  using Element_t = typename CoreT::Element_t;
  using index_type = typename CoreT::index_type;
  /// Coordinates relative to the block.
  using ElementCoords_t = std::array<index_type, N>;
  /// A stencil point: the offset of a neighbour and a coefficient.
  using StencilPoint_t = typename CoreT::StencilPoint_t;

  using typename Base::difference_type;
  using value_type = Element_t;
  using pointer = Element_t*;
  using reference = Element_t&;

  StencilIterator() = default;

  /// Used by the library: an iterator to the element at a position in the traversal of `space`, or
  /// to its end.
  StencilIterator(const CoreT& core, const Space_t& space, coord_t position)
      : Base(position), _core(&core), _space(&space) {
    moved();
  }

  /// Number of dimensions of the matrix.
  static constexpr dim_t ndim() { return N; }

  /// The centre.
  reference operator*() const { return *_center; }
  /// Pointer to the centre, in the block's memory.
  pointer operator->() const { return _center; }

  /// The centre n positions further in the iteration.
  reference operator[](difference_type n) const { return *(*this + n); }

  /// The value at a stencil point, given by its position in the stencil specification; not
  /// weighted.
  Element_t value_at(std::size_t point) const {
    if constexpr (Scope == StencilViewScope::INNER) {
      return _center[_core->offsets()[point]];
    } else {
      return _core->value((*_paths)[point], _core->stencil()[point], _coords, _center);
    }
  }

  /// The value at any offset from the centre within the halo; not weighted.
  /// \throws exception::OutOfRange if there is no such halo element
  Element_t value_at(const StencilPoint_t& point) const {
    return _core->value(point.stencil_coords(_coords));
  }

  /// Whether a stencil point is a halo element.
  bool is_halo_value(std::size_t point) const {
    const auto kind = (*_paths)[point].kind;
    if (kind != internal::PathKind::mixed) return kind == internal::PathKind::halo;
    return is_halo_value(_core->stencil()[point]);
  }
  /// Whether the element at an offset from the centre is outside of the block.
  bool is_halo_value(const StencilPoint_t& point) const {
    return !_core->contains(point.stencil_coords(_coords));
  }

  /// Position in the block's memory; the same element of a matrix with the same pattern is
  /// `lbegin()[lpos()]`.
  index_type lpos() const { return static_cast<index_type>(_center - _core->local()); }

  /// Position in the iteration.
  index_type rpos() const { return static_cast<index_type>(this->position()); }

  /// Coordinates relative to the block.
  ElementCoords_t coords() const {
    ElementCoords_t result{};
    for (dim_t d = 0; d < N; ++d) {
      result[d] = static_cast<index_type>(_coords[d]);
    }
    return result;
  }

  /// The shared state of the operator.
  const CoreT& helper() const { return *_core; }

 private:
  void stepped() noexcept {
    ++_center;
    if (++_coords[fastest] == _row_end) next_row();
  }

  void moved() noexcept {
    const coord_t rpos = this->position();
    if (rpos < 0 || rpos >= _space->size()) return;
    _box = _space->box_at(rpos);
    const auto& box = _space->box(_box);
    _coords = box.template coords_at<CoreT::Arrange>(rpos - _space->begin_of(_box));
    _row_end = box[fastest].end;
    _paths = &_space->paths(_box);
    _center = _core->local() + _core->position(_coords);
  }

  // Advances to the first element of the next row, in this box or in the next non-empty one.
  void next_row() {
    const auto& box = _space->box(_box);
    _coords[fastest] = box[fastest].begin;
    for (dim_t p = N - 1; p-- > 0;) {
      const auto d = internal::dim_at<N, CoreT::Arrange>(p);
      if (++_coords[d] < box[d].end) {
        _center = _core->local() + _core->position(_coords);
        return;
      }
      _coords[d] = box[d].begin;
    }
    moved();
  }

  const CoreT* _core = nullptr;
  const Space_t* _space = nullptr;
  std::size_t _box = 0;
  coord_t _row_end = 0;
  Element_t* _center = nullptr;
  const typename Space_t::Paths* _paths = nullptr;
  internal::Coords<N> _coords{};
};

}  // namespace dash::halo
