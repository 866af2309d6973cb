#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <type_traits>
#include <utility>

#include "dash/Cartesian.h"
#include "dash/Types.h"
#include "dash/core/Export.h"
#include "dash/view/Closure.h"
#include "dash/view/ViewMod.h"
#include "dash/view/internal/BlockGrid.h"

namespace dash {

namespace internal {

[[noreturn]] DASH_API void throw_no_block(long long block, long long nblocks);

/// The blocks of a view, each as a view of the elements that the view has in the block.
template <class Domain, class Source, class Map>
class BlocksSource {
 public:
  using pattern_type = typename Source::pattern_type;
  using index_type = typename Map::index_type;
  using value_type = ViewMod<Domain, Source, Map>;
  using reference = value_type;
  using coords_type = std::array<index_type, 1>;

  static constexpr bool is_local = Source::is_local;
  static constexpr dim_t ndim = 1;
  static constexpr dim_t block_rank = Map::ndim;
  template <class X>
  static constexpr bool are_blocks_of = std::is_same_v<X, std::remove_const_t<Domain>>;

  BlocksSource() = default;
  BlocksSource(const Holder<Domain>& domain, const Source& source, const Map& map)
      : _all(value_type(domain, source, map)), _grid(source, map) {}

  const pattern_type& pattern() const { return _all->source().pattern(); }
  index_type size() const { return _grid.count(); }

  value_type at(const coords_type& n) const {
    return _all->with_map(_grid.part(_all->map(), n[0]));
  }
  /// Index of the block in the pattern, or among the blocks of the unit.
  index_type index(const coords_type& n) const { return _grid.number(_all->source(), n[0]); }
  /// Index and linear global index of the block's first element.
  index_type first_index(const coords_type& n) const {
    return _all->source().index(_grid.part(_all->map(), n[0]).coords_at(0));
  }
  index_type global_index(const coords_type& n) const {
    return _all->source().global_index(_grid.part(_all->map(), n[0]).coords_at(0));
  }

  friend bool operator==(const BlocksSource& a, const BlocksSource& b) { return a._all == b._all; }

 private:
  // Optional, because iterators contain a source and must be default-constructible, but not every
  // view is.
  std::optional<value_type> _all;
  BlockGrid<Source, Map> _grid;
};

struct BlocksOf {
  template <class X>
  auto operator()(X&& x) const {
    require_outlives_view<X>();
    const auto basis = basis_of(x);
    using Source = std::remove_const_t<decltype(basis.source)>;
    using Map = std::remove_const_t<decltype(basis.map)>;
    static_assert(is_global_source<Source> || is_unit_source<Source>,
                  "dash::blocks: expected a container, its local part, or a view "
                  "of one of these");
    using Blocks = BlocksSource<DomainOf<X>, Source, Map>;
    const Blocks blocks(Holder<DomainOf<X>>(x), basis.source, basis.map);
    return make_view_mod(x, blocks, range_map<Blocks>(0, blocks.size()));
  }
};

struct BlockOf {
  long long block;

  template <class X>
  auto operator()(X&& x) const {
    const auto blocks = BlocksOf()(std::forward<X>(x));
    if (block < 0 || block >= static_cast<long long>(blocks.size())) {
      throw_no_block(block, static_cast<long long>(blocks.size()));
    }
    using Index = typename std::remove_const_t<decltype(blocks)>::index_type;
    return blocks[static_cast<Index>(block)];
  }
};

}  // namespace internal

/// The non-empty blocks of x, in order: a range of views, each with the elements of x in one block.
/// For a local view, the caller's blocks. The index set of the range contains the block numbers.
/// \threads thread-safe
/// \cost no communication, independent of the number of blocks; linear in the local part if that is
///       not a box, see dash::local
/// \ingroup views
template <internal::Viewable X>
auto blocks(X&& x) {
  return internal::BlocksOf()(std::forward<X>(x));
}
/// \overload
/// For x | blocks().
/// \ingroup views
inline auto blocks() {
  return ViewClosure<internal::BlocksOf>();
}

/// The n-th non-empty block of x.
/// \throws exception::OutOfRange unless 0 <= n < blocks(x).size()
/// \ingroup views
template <internal::IntegerLike Index, internal::Viewable X>
auto block(Index n, X&& x) {
  return internal::BlockOf{static_cast<long long>(n)}(std::forward<X>(x));
}
/// \overload
/// For x | block(n).
/// \ingroup views
template <internal::IntegerLike Index>
auto block(Index n) {
  return ViewClosure(internal::BlockOf{static_cast<long long>(n)});
}

/// Type of dash::blocks(x) for an x of type X.
/// \ingroup views
template <class X>
using ViewBlocksMod = decltype(internal::BlocksOf()(std::declval<X&>()));
/// Type of dash::block(n, x) for an x of type X.
/// \ingroup views
template <class X>
using ViewBlockMod = decltype(internal::BlockOf()(std::declval<X&>()));

}  // namespace dash
