#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "dash/async/FunctionRef.h"
#include "dash/internal/element/ElementAccess.h"
#include "dash/internal/transfer/ContiguousBlocks.h"
#include "dash/internal/transfer/RangeTransfer.h"
#include "dash/internal/transfer/Transfer.h"
#include "dash/iterator/IteratorTraits.h"

namespace dash::internal {

/// Copies between native memory and consecutive positions of a range, whose contiguous blocks may
/// be as short as one element. Elements on other nodes are staged, so that each unit needs one
/// transfer, or one per segment if its elements are not contiguous.
template <GlobalIterator GlobIt>
class PositionCopy {
 public:
  using T = typename GlobIt::value_type;
  using Index = typename GlobIt::index_type;

  /// \param first  begin of the range; the range must outlive this object
  explicit PositionCopy(const GlobIt& first) : _first(first), _units(first.team().size()) {
    for (std::size_t unit = 0; unit < _units.size(); ++unit) {
      _units[unit].base = static_cast<T*>(_first.globmem().address_at(unit_id(unit), 0, 0));
    }
  }

  /// Reads the elements at the positions begin ... end - 1.
  void get(Index begin, Index end, T* out) {
    const auto direct = [out, begin](const Unit& unit, const Block& block) {
      std::copy(unit.base + block.index, unit.base + block.index + block.length,
                out + (block.position - begin));
    };
    if (!collect(begin, end, direct)) return;
    Transfer transfer(_first.team().myid(), Transfer::Mode::blocking);
    for_each_segment([&](const auto& gptr, T* staged, std::size_t size) {
      transfer.get(staged, gptr, size * sizeof(T));
    });
    transfer.wait();
    for_each_staged(begin, end, [out, begin](const Block& block, T* staged) {
      std::copy(staged, staged + block.length, out + (block.position - begin));
    });
  }

  /// Writes the elements at the positions begin ... end - 1.
  /// \completion remote
  void put(const T* in, Index begin, Index end) {
    static_assert(WrittenRange<GlobIt>::value);
    const auto direct = [in, begin](const Unit& unit, const Block& block) {
      const T* const from = in + (block.position - begin);
      std::copy(from, from + block.length, unit.base + block.index);
    };
    if (!collect(begin, end, direct)) return;
    for_each_staged(begin, end, [in, begin](const Block& block, T* staged) {
      const T* const from = in + (block.position - begin);
      std::copy(from, from + block.length, staged);
    });
    Transfer transfer(_first.team().myid(), Transfer::Mode::blocking);
    for_each_segment([&](const auto& gptr, T* staged, std::size_t size) {
      transfer.put(gptr, staged, size * sizeof(T));
    });
    transfer.wait();
  }

 private:
  /// Elements that are contiguous in a unit's memory.
  struct Segment {
    Index index;
    Index length;
  };
  using Block = ElementBlock<Index>;
  struct Unit {
    T* base = nullptr;  // address of its elements; null if it is on another node
    std::vector<Segment> segments;
    std::vector<RawElement<T>> staging;  // the segments, back to back
    std::size_t size = 0;
    std::size_t used = 0;
    T* staged() { return reinterpret_cast<T*>(staging.data()); }
  };

  static team_unit_t unit_id(std::size_t unit) { return team_unit_t(static_cast<int>(unit)); }
  auto gptr_of(std::size_t unit, Index index) const {
    return element_gptr<T>(_first.globmem(), unit_id(unit), index);
  }
  /// Not a template of the function, to instantiate the loop only once.
  void for_each_block_in(Index begin, Index end, exec::FunctionRef<void(const Block&)> fn) const {
    for_each_element_block(_first + begin, _first + end, [&](Block block) {
      block.position += begin;
      fn(block);
    });
  }

  /// Calls direct(unit, block) for each block on the caller's node, and records the segments on
  /// other nodes, with staging memory for them.
  /// \returns whether any elements are on other nodes
  template <class Direct>
  bool collect(Index begin, Index end, Direct direct) {
    bool is_any_remote = false;
    for (Unit& unit : _units) {
      unit.segments.clear();
      unit.size = 0;
      unit.used = 0;
    }
    for_each_block_in(begin, end, [&](const Block& block) {
      Unit& unit = _units[static_cast<std::size_t>(block.unit.id)];
      if (unit.base != nullptr) {
        direct(unit, block);
        return;
      }
      is_any_remote = true;
      unit.size += static_cast<std::size_t>(block.length);
      if (!unit.segments.empty() &&
          unit.segments.back().index + unit.segments.back().length == block.index) {
        unit.segments.back().length += block.length;
      } else {
        unit.segments.push_back({block.index, block.length});
      }
    });
    for (Unit& unit : _units)
      unit.staging.resize(unit.size);
    return is_any_remote;
  }

  /// Calls fn(gptr, staged, size) for each segment, beginning with the unit after the caller, so
  /// that the units do not all access the same unit first.
  template <class Fn>
  void for_each_segment(Fn fn) {
    const auto myid = static_cast<std::size_t>(_first.team().myid().id);
    for (std::size_t i = 1; i <= _units.size(); ++i) {
      const std::size_t id = (myid + i) % _units.size();
      T* staged = _units[id].staged();
      for (const Segment& segment : _units[id].segments) {
        fn(gptr_of(id, segment.index), staged, static_cast<std::size_t>(segment.length));
        staged += segment.length;
      }
    }
  }

  /// Calls fn(block, staged) for each block on another node.
  template <class Fn>
  void for_each_staged(Index begin, Index end, Fn fn) {
    for_each_block_in(begin, end, [&](const Block& block) {
      Unit& unit = _units[static_cast<std::size_t>(block.unit.id)];
      if (unit.base != nullptr) return;
      fn(block, unit.staged() + unit.used);
      unit.used += static_cast<std::size_t>(block.length);
    });
  }

  GlobIt _first;
  std::vector<Unit> _units;
};

}  // namespace dash::internal
