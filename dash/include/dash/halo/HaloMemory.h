#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <utility>

#include "dash/halo/Types.h"
#include "dash/halo/exchange/HaloExchange.h"
#include "dash/halo/exchange/HaloLayout.h"

namespace dash::halo {

/// The halo elements of one unit: its regions in the order of their index, each a canonical array
/// in the memory order of the pattern.
///
/// There are two buffers, used alternately: all pointers are valid until the next update begins,
/// and refer to the elements of the update that began last. Access does not wait: call
/// HaloUpdateEnv::wait() first.
/// \threads thread-safe
/// \ingroup halo
template <typename HaloBlockT>
class HaloMemory {
 public:
  /// Number of dimensions of the matrix.
  static constexpr dim_t NumDimensions = HaloBlockT::ndim();
  /// Order of the dimensions in memory.
  static constexpr MemArrange MemoryArrange = HaloBlockT::memory_order();

  /// Type of an element.
  using Element_t = typename HaloBlockT::Element_t;
  using iterator = Element_t*;
  using const_iterator = const Element_t*;
  /// Coordinates of an element.
  using ElementCoords_t = typename HaloBlockT::ElementCoords_t;
  /// Positions of elements in memory.
  using Layout_t = internal::HaloLayout<NumDimensions, MemoryArrange>;

  /// Used by HaloUpdateEnv. Refers to the block and the exchange.
  HaloMemory(const HaloBlockT& block, internal::HaloExchange& exchange)
      : _block(block), _exchange(exchange), _layout(block.block_env()) {}

  HaloMemory(const HaloMemory&) = delete;
  HaloMemory& operator=(const HaloMemory&) = delete;

  /// The first element of a region; nullptr if there is no such region.
  Element_t* first_element_at(region_index_t region) const {
    using Source = typename HaloBlockT::BlockEnv_t::Source;
    const auto& env = _block.block_env();
    if (region >= env.NumRegions || env.source(region) == Source::nothing) return nullptr;
    // Values that the user writes through this pointer are kept until the user changes them.
    if (env.source(region) == Source::custom) _exchange.keep_custom(region);
    return data() + env.region_offset(region);
  }

  /// The begin and end iterators of a region; {nullptr, nullptr} if there is no such region.
  std::pair<iterator, iterator> range_at(region_index_t region) const {
    auto* first = first_element_at(region);
    if (first == nullptr) return {nullptr, nullptr};
    return {first, first + _block.block_env().halo_box(region).size()};
  }

  /// The first element of the first region: iterates over all regions. Values written to CUSTOM
  /// regions are kept until they are set again.
  iterator begin() { return buffer().data(); }
  /// The end of the last region.
  iterator end() { return begin() + _block.halo_size(); }
  /// The first element of the first region, for reading.
  const_iterator begin() const { return data(); }
  /// The end of the last region, for reading.
  const_iterator end() const { return begin() + _block.halo_size(); }

  /// All regions. Values written to CUSTOM regions are kept until they are set again.
  std::span<Element_t> buffer() const {
    _exchange.keep_all_custom();
    return {data(), static_cast<std::size_t>(_block.halo_size())};
  }

  /// Position of an element in a region, from its coordinates relative to the region's first
  /// element.
  std::ptrdiff_t offset(region_index_t region, const ElementCoords_t& coords) const {
    std::ptrdiff_t position = 0;
    for (dim_t d = 0; d < NumDimensions; ++d) {
      position += _layout.region(region).strides[d] * static_cast<std::ptrdiff_t>(coords[d]);
    }
    return position;
  }

  /// Converts coordinates relative to the block to coordinates relative to the first element of a
  /// region.
  void to_halo_mem_coords(region_index_t region, ElementCoords_t& coords) const {
    const auto box = _block.block_env().halo_box(region);
    for (dim_t d = 0; d < NumDimensions; ++d) {
      coords[d] -= box[d].begin;
    }
  }

  /// The same, but only if the coordinates are in the region.
  /// \returns whether they are; if not, coords are unchanged
  bool to_halo_mem_coords_check(region_index_t region, ElementCoords_t& coords) const {
    const auto box = _block.block_env().halo_box(region);
    for (dim_t d = 0; d < NumDimensions; ++d) {
      if (!box[d].contains(coords[d])) return false;
    }
    to_halo_mem_coords(region, coords);
    return true;
  }

  /// The layout of elements in the block and in the halo memory.
  const Layout_t& layout() const { return _layout; }

  /// The halo memory, for reading; elements are at the positions given by layout().
  Element_t* data() const { return reinterpret_cast<Element_t*>(_exchange.memory()); }

  /// Waits until a region may be read.
  /// \throws exception::RuntimeError if its update was never started
  void require(region_index_t region) const {
    if (_exchange.has_pending_regions()) [[unlikely]] {
      _exchange.require(region);
    }
  }

 private:
  const HaloBlockT& _block;
  internal::HaloExchange& _exchange;
  Layout_t _layout;
};

}  // namespace dash::halo
