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
/// Holds the box by value; refers to pattern and memory of the container, and is valid for as long
/// as its allocation, also when the view that it was taken from is gone.
/// \cost as GlobIter
/// \threads any, one at a time per object; const functions: any
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
  using viewspec_type = typename PatternType::viewspec_type;
  using has_view = std::integral_constant<bool, true>;

  constexpr GlobViewIter() noexcept = default;
  /// \param viewspec  the box  \param position  in the box
  /// \param index_offset  what pos() is to be counted from
  GlobViewIter(GlobMemType* globmem, const PatternType& pattern, const viewspec_type& viewspec,
               index_type position = 0, index_type index_offset = 0) noexcept
      : Base(globmem, pattern, position), _viewspec(viewspec), _index_offset(index_offset) {}

  /// From an iterator that may write to one that reads only.
  template <class P, class R>
  requires std::is_const_v<T> GlobViewIter(
      const GlobViewIter<value_type, PatternType, GlobMemType, P, R>& other)
  noexcept  // NOLINT
      : Base(other), _viewspec(other.viewspec()), _index_offset(other.pos() - other.rpos()) {}

  /// Position in the box.
  index_type rpos() const noexcept { return this->position(); }
  /// Position in the box, counted from the offset given at construction.
  index_type pos() const noexcept { return this->position() + _index_offset; }
  /// Linear global index of the element.
  index_type gpos() const { return this->pattern().global_at(coords(rpos())); }
  bool is_relative() const noexcept { return true; }
  const viewspec_type& viewspec() const noexcept { return _viewspec; }

  /// The iterator to the same element that goes on in the whole container.
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
  using Run = internal::MappedRun<index_type>;

  typename PatternType::coords_type coords(index_type position) const {
    return this->pattern().coords(position, _viewspec);
  }
  index_type num_positions() const { return static_cast<index_type>(_viewspec.size()); }
  local_index_t place_at(index_type position) const {
    return this->pattern().local_index(coords(position));
  }
  auto run_at(index_type position) const { return this->pattern().run_at(position, _viewspec); }

  Run mapped_run(index_type position) const noexcept {
    return find_run(this->_globmem, this->_pattern, _viewspec, position);
  }
  /// The box by value: a reference to that of the iterator would keep it in memory.
  [[gnu::noinline]] static Run find_run(const GlobMemType* globmem, const PatternType* pattern,
                                        viewspec_type viewspec, index_type position) noexcept {
    if (pattern == nullptr || position < 0 ||
        position >= static_cast<index_type>(viewspec.size())) {
      return Run::none(position);
    }
    const auto run = pattern->run_at(position, viewspec);
    return Run::of(internal::element_gptr<T>(*globmem, run.unit, run.index), position, run.length,
                   sizeof(T));
  }

  viewspec_type _viewspec;
  index_type _index_offset = 0;
};

}  // namespace dash
