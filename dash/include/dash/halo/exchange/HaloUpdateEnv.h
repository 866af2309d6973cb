#pragma once

#include <cstddef>
#include <vector>

#include "dash/halo/HaloBlock.h"
#include "dash/halo/HaloMemory.h"
#include "dash/halo/Types.h"
#include "dash/halo/exchange/HaloExchange.h"
#include "dash/halo/exchange/HaloUpdate.h"

namespace dash::halo {

/// Updates the halo regions of one block from the neighbours' blocks. For the protocol see
/// internal::HaloExchange.
///
/// All units of the team must start the same number of updates. An update has no barrier:
/// neighbours may be up to one step apart.
/// \ingroup halo
template <typename HaloBlockT, SignalReady SigReady = SignalReady::OFF>
class HaloUpdateEnv {
 public:
  /// Number of dimensions of the matrix.
  static constexpr dim_t NumDimensions = HaloBlockT::ndim();

  /// The calling unit's block with its halo regions.
  using HaloBlock_t = HaloBlockT;
  /// Type of an element.
  using Element_t = typename HaloBlockT::Element_t;
  /// The halo elements of the calling unit.
  using HaloMemory_t = HaloMemory<HaloBlockT>;
  /// The geometry of a block and its halo regions.
  using BlockEnv_t = typename HaloBlockT::BlockEnv_t;
  /// The position of a region relative to a block.
  using RegionCoords_t = RegionCoords<NumDimensions>;

  /// Used by HaloMatrixWrapper. Refers to the block.
  /// \param local  the block's first element
  /// \collective over the pattern's team
  HaloUpdateEnv(const HaloBlockT& block, Element_t* local)
      : _block(block),
        _local(local),
        _exchange(block.pattern().team(), BlockEnv_t::NumRegions, capacity_nbytes(), make_links(),
                  custom_ranges()),
        _memory(block, _exchange) {}

  HaloUpdateEnv(const HaloUpdateEnv&) = delete;
  HaloUpdateEnv& operator=(const HaloUpdateEnv&) = delete;

  /// Updates all regions.
  /// \blocks until all neighbours have started the same update
  void update() {
    update_async();
    wait();
  }

  /// Updates one region. Call prepare_update() first. If no other region's update is pending, the
  /// block may be written afterwards.
  void update_at(region_index_t region) {
    update_async_at(region);
    wait(region);
  }

  /// Starts an update of all regions: sends the boundary to the neighbours. Until wait(), the
  /// block may be read but not written; elements of the previous update must no longer be in use.
  /// \returns an object from which futures can be obtained; may be dropped
  /// \blocks never, if the previous update has been waited for
  HaloUpdate update_async() {
    prepare_update();
    _exchange.expect_all();
    return HaloUpdate(_exchange);
  }

  /// Starts the update of one region, within the update started by prepare_update().
  /// \throws exception::RuntimeError without prepare_update(), or if called twice for a region
  HaloUpdate update_async_at(region_index_t region) {
    _exchange.expect(region);
    return HaloUpdate(_exchange);
  }

  /// Waits until all started regions have arrived and the block may be written.
  void wait() { _exchange.wait(); }

  /// Waits until one region has arrived. After the last of the started regions, the block may be
  /// written.
  void wait(region_index_t region) { _exchange.wait(region); }

  /// Whether a region has arrived; makes progress.
  /// \blocks never
  bool test(region_index_t region) { return _exchange.test(region); }

  /// Whether a region has arrived, without making progress.
  bool arrived(region_index_t region) noexcept { return _exchange.arrived(region); }

  /// The first part of update_async(), to be followed by update_async_at() for each required
  /// region.
  void prepare_update() { _exchange.prepare(); }

  /// Number of updates started.
  std::uint64_t step() const { return _exchange.step(); }

  /// The underlying exchange.
  internal::HaloExchange& exchange() { return _exchange; }

  /// The halo elements of the calling unit, those of the update that began last.
  HaloMemory_t& halo_memory() { return _memory; }
  /// \overload
  const HaloMemory_t& halo_memory() const { return _memory; }
  /// The geometry of the block and its halo regions.
  const BlockEnv_t& block_env() const { return _block.block_env(); }

  /// Makes values written to the CUSTOM regions of the current buffer persist in later steps.
  void custom_changed() { _exchange.custom_changed(); }

 private:
  static constexpr MemArrange memory_order() { return HaloBlockT::memory_order(); }

  /// Upper bound of the bytes of halo memory of any unit: full blocks with all regions.
  std::size_t capacity_nbytes() const {
    const auto& env = block_env();
    internal::coord_t nelem = 0;
    for (region_index_t region = 0; region < BlockEnv_t::NumRegions; ++region) {
      const auto coords = RegionCoords_t::coords(region);
      internal::coord_t size = 1;
      for (dim_t d = 0; d < NumDimensions; ++d) {
        size *= coords[d] == region_center ? env.grid().blocksizes[d]
                                           : internal::coord_t{env.halo_spec().extent(region)};
      }
      nelem += region == RegionCoords_t::center_index() ? 0 : size;
    }
    return static_cast<std::size_t>(nelem) * sizeof(Element_t);
  }

  std::vector<internal::HaloRange> custom_ranges() const {
    std::vector<internal::HaloRange> ranges;
    const auto& env = block_env();
    for (region_index_t region = 0; region < BlockEnv_t::NumRegions; ++region) {
      if (env.source(region) != BlockEnv_t::Source::custom) continue;
      ranges.push_back({region,
                        static_cast<std::size_t>(env.region_offset(region)) * sizeof(Element_t),
                        static_cast<std::size_t>(env.halo_box(region).size()) * sizeof(Element_t)});
    }
    return ranges;
  }

  std::vector<internal::HaloLink> make_links() const {
    std::vector<internal::HaloLink> links;
    const auto& env = block_env();
    for (region_index_t region = 0; region < BlockEnv_t::NumRegions; ++region) {
      const auto opposite = RegionCoords_t::opposite_index(region);
      const bool data = env.halo_spec().extent(region) > 0 || env.halo_spec().extent(opposite) > 0;
      if (data && env.has_neighbor(region)) links.push_back(make_link(region));
    }
    return links;
  }

  internal::HaloLink make_link(region_index_t region) const {
    const auto& env = block_env();
    internal::HaloLink link;
    link.direction = region;
    link.opposite = RegionCoords_t::opposite_index(region);
    link.neighbour = _block.neighbor(region);
    link.receive_nbytes = static_cast<std::size_t>(env.halo_box(region).size()) * sizeof(Element_t);
    link.own_offset = static_cast<std::size_t>(env.region_offset(region)) * sizeof(Element_t);
    const auto box = env.send_box(region);
    if (box.empty()) return link;
    const BlockEnv_t remote(env.grid(), env.neighbor(region), env.halo_spec(),
                            env.global_boundary_spec());
    link.remote_offset =
        static_cast<std::size_t>(remote.region_offset(link.opposite)) * sizeof(Element_t);
    link.nbytes = static_cast<std::size_t>(box.size()) * sizeof(Element_t);
    add_source(link, box);
    return link;
  }

  /// Describes a box of the block with as few levels as possible.
  void add_source(internal::HaloLink& link, const internal::Box<NumDimensions>& box) const {
    const auto strides =
        internal::canonical_strides<NumDimensions, memory_order()>(block_env().memory_extents());
    link.source = reinterpret_cast<const std::byte*>(
        _local + internal::dot<NumDimensions>(strides, box.first()));
    link.block_nbytes = sizeof(Element_t);
    for (dim_t p = NumDimensions; p-- > 0;) {
      const auto d = internal::dim_at<NumDimensions, memory_order()>(p);
      const auto count = static_cast<std::size_t>(box[d].size());
      const auto stride = static_cast<std::size_t>(strides[d]) * sizeof(Element_t);
      if (count == 1) continue;
      if (link.levels.empty() && stride == link.block_nbytes) {
        link.block_nbytes *= count;
      } else if (!link.levels.empty() &&
                 stride == link.levels.back().count * link.levels.back().stride_nbytes) {
        link.levels.back().count *= count;
      } else {
        link.levels.push_back({count, stride});
      }
    }
  }

  const HaloBlockT& _block;
  Element_t* _local;
  internal::HaloExchange _exchange;
  HaloMemory_t _memory;
};

}  // namespace dash::halo
