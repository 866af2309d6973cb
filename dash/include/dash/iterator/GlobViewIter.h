#pragma once

#include <compare>
#include <cstddef>
#include <iosfwd>
#include <type_traits>

#include "dash/ViewSpec.h"
#include "dash/iterator/GlobIter.h"
#include "dash/iterator/GlobIterBase.h"

namespace dash {

/// Random access iterator over the elements of a box in the index space of a container, in the
/// order of its pattern.
///
/// Stores the box by value and refers to the pattern and the memory of the container. Valid until
/// the container is deallocated, even after the view is destroyed.
/// \cost as GlobIter
/// \threads externally synchronized per object; const functions: thread-safe
/// \ingroup iterators
template <class T, class PatternType, class GlobMemType = GlobStaticMem<HostSpace>,
          class PointerType = GlobPtr<T, GlobMemType>, class ReferenceType = GlobRef<T>>
class GlobViewIter : public internal::GlobIterBase<
                         GlobViewIter<T, PatternType, GlobMemType, PointerType, ReferenceType>, T,
                         PatternType, GlobMemType, PointerType, ReferenceType> {
  using Base =
      internal::GlobIterBase<GlobViewIter, T, PatternType, GlobMemType, PointerType, ReferenceType>;
  friend Base;

 public:
  using typename Base::index_type;
  using typename Base::local_index_t;
  using typename Base::value_type;
  /// A box in the index space of the container.
  using viewspec_type = typename PatternType::viewspec_type;
  using has_view = std::integral_constant<bool, true>;

  constexpr GlobViewIter() noexcept = default;
  /// \param viewspec  the box  \param position  in the box
  /// \param index_offset  value of pos() at position 0
  GlobViewIter(GlobMemType* globmem, const PatternType& pattern, const viewspec_type& viewspec,
               index_type position = 0, index_type index_offset = 0) noexcept
      : Base(globmem, pattern, position), _viewspec(viewspec), _index_offset(index_offset) {}

  /// Converts a writable iterator to a read-only one.
  template <class P, class R>
  requires std::is_const_v<T> GlobViewIter(
      const GlobViewIter<value_type, PatternType, GlobMemType, P, R>& other)
  noexcept  // NOLINT
      : Base(other), _viewspec(other.viewspec()), _index_offset(other.pos() - other.rpos()) {}

  /// Position in the box.
  index_type rpos() const noexcept { return this->position(); }
  /// Position in the box plus the offset given at construction.
  index_type pos() const noexcept { return this->position() + _index_offset; }
  /// Linear global index of the element.
  index_type gpos() const { return this->pattern().global_at(coords(rpos())); }
  /// Always true: the position is relative to the box.
  bool is_relative() const noexcept { return true; }
  /// The box.
  const viewspec_type& viewspec() const noexcept { return _viewspec; }

  /// An iterator over the whole container that refers to the same element.
  GlobIter<T, PatternType, GlobMemType, PointerType, ReferenceType> global() const {
    return {&this->globmem(), this->pattern(), gpos()};
  }

  template <class Char, class Traits>
  friend std::basic_ostream<Char, Traits>& operator<<(std::basic_ostream<Char, Traits>& os,
                                                      const GlobViewIter& it) {
    return os << "dash::GlobViewIter(position " << it.rpos() << " of " << it._viewspec << ", "
              << it.dart_gptr() << ')';
  }

 private:
  using Interval = internal::MappedInterval<index_type>;

  typename PatternType::coords_type coords(index_type position) const {
    return this->pattern().coords(position, _viewspec);
  }
  index_type num_positions() const { return static_cast<index_type>(_viewspec.size()); }
  local_index_t location_at(index_type position) const {
    return this->pattern().local_index(coords(position));
  }
  auto contiguous_block_at(index_type position) const {
    return this->pattern().contiguous_block_at(position, _viewspec);
  }

  Interval mapped_interval(index_type position) const noexcept {
    return find_interval(this->_globmem, this->_pattern, _viewspec, position);
  }
  /// Takes the box by value: a reference would force the iterator's box into memory.
  [[gnu::noinline]] static Interval find_interval(const GlobMemType* globmem,
                                                  const PatternType* pattern,
                                                  viewspec_type viewspec,
                                                  index_type position) noexcept {
    if (pattern == nullptr || position < 0 ||
        position >= static_cast<index_type>(viewspec.size())) {
      return Interval::none(position);
    }
    const auto block = pattern->contiguous_block_at(position, viewspec);
    return Interval::of(internal::element_gptr<T>(*globmem, block.unit, block.index), position,
                        block.length, sizeof(T));
  }

  viewspec_type _viewspec;
  index_type _index_offset = 0;
};

}  // namespace dash
