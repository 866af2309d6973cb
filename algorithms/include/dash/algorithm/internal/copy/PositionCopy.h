#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "dash/async/FunctionRef.h"
#include "dash/internal/transfer/ContiguousBlocks.h"
#include "dash/internal/element/ElementAccess.h"
#include "dash/internal/transfer/RangeTransfer.h"
#include "dash/internal/transfer/Transfer.h"
#include "dash/iterator/IteratorTraits.h"

namespace dash::internal {

/// Copies between native memory and consecutive positions of a range, whose runs may be as short as
/// one element: what is in the memory of another node travels as one piece for each unit, or as few
/// as there are where the unit's elements are not contiguous.
template <GlobalIterator GlobIt>
class PositionCopy {
 public:
  using T = typename GlobIt::value_type;
  using Index = typename GlobIt::index_type;

  /// \param first  begin of the range; it must outlive this
  explicit PositionCopy(const GlobIt& first) : _first(first), _units(first.team().size()) {
    for (std::size_t unit = 0; unit < _units.size(); ++unit) {
      _units[unit].base = static_cast<T*>(_first.globmem().address_at(unit_id(unit), 0, 0));
    }
  }

  /// The elements at the positions begin ... end - 1.
  void get(Index begin, Index end, T* out) {
    const auto direct = [out, begin](const Unit& unit, const Run& run) {
      std::copy(unit.base + run.index, unit.base + run.index + run.length,
                out + (run.position - begin));
    };
    if (!collect(begin, end, direct)) return;
    Transfer transfer(_first.team().myid(), Transfer::Mode::blocking);
    for_each_piece([&](const auto& gptr, T* staged, std::size_t size) {
      transfer.get(staged, gptr, size * sizeof(T));
    });
    transfer.wait();
    for_each_staged(begin, end, [out, begin](const Run& run, T* staged) {
      std::copy(staged, staged + run.length, out + (run.position - begin));
    });
  }

  /// To the positions begin ... end - 1. Complete remotely on return.
  void put(const T* in, Index begin, Index end) {
    static_assert(require_writable<GlobIt>());
    const auto direct = [in, begin](const Unit& unit, const Run& run) {
      const T* const from = in + (run.position - begin);
      std::copy(from, from + run.length, unit.base + run.index);
    };
    if (!collect(begin, end, direct)) return;
    for_each_staged(begin, end, [in, begin](const Run& run, T* staged) {
      const T* const from = in + (run.position - begin);
      std::copy(from, from + run.length, staged);
    });
    Transfer transfer(_first.team().myid(), Transfer::Mode::blocking);
    for_each_piece([&](const auto& gptr, T* staged, std::size_t size) {
      transfer.put(gptr, staged, size * sizeof(T));
    });
    transfer.wait();
  }

 private:
  /// Elements that are contiguous in a unit's memory.
  struct Piece {
    Index index;
    Index length;
  };
  using Run = ElementBlock<Index>;
  struct Unit {
    T* base = nullptr;  // where its elements are mapped; null if it is on another node
    std::vector<Piece> pieces;
    std::vector<RawElement<T>> staging;  // the pieces, one behind the other
    std::size_t size = 0;
    std::size_t used = 0;
    T* staged() { return reinterpret_cast<T*>(staging.data()); }
  };

  static team_unit_t unit_id(std::size_t unit) { return team_unit_t(static_cast<int>(unit)); }
  auto gptr_of(std::size_t unit, Index index) const {
    return element_gptr<T>(_first.globmem(), unit_id(unit), index);
  }
  /// One loop, however many call it: what it calls is another function for each.
  void for_each_run_of(Index begin, Index end, exec::FunctionRef<void(const Run&)> fn) const {
    for_each_element_run(_first + begin, _first + end, [&](Run run) {
      run.position += begin;
      fn(run);
    });
  }

  /// Calls direct(unit, run) for what is on the caller's node, and notes the rest, with memory for it.
  /// \returns whether there is any
  template <class Direct>
  bool collect(Index begin, Index end, Direct direct) {
    bool is_any_remote = false;
    for (Unit& unit : _units) {
      unit.pieces.clear();
      unit.size = 0;
      unit.used = 0;
    }
    for_each_run_of(begin, end, [&](const Run& run) {
      Unit& unit = _units[static_cast<std::size_t>(run.unit.id)];
      if (unit.base != nullptr) {
        direct(unit, run);
        return;
      }
      is_any_remote = true;
      unit.size += static_cast<std::size_t>(run.length);
      if (!unit.pieces.empty() &&
          unit.pieces.back().index + unit.pieces.back().length == run.index) {
        unit.pieces.back().length += run.length;
      } else {
        unit.pieces.push_back({run.index, run.length});
      }
    });
    for (Unit& unit : _units)
      unit.staging.resize(unit.size);
    return is_any_remote;
  }

  /// Calls fn(gptr, staged, size) for each piece, beginning with the units behind the caller, so that
  /// not all units turn to the same one first.
  template <class Fn>
  void for_each_piece(Fn fn) {
    const auto myid = static_cast<std::size_t>(_first.team().myid().id);
    for (std::size_t i = 1; i <= _units.size(); ++i) {
      const std::size_t id = (myid + i) % _units.size();
      T* staged = _units[id].staged();
      for (const Piece& piece : _units[id].pieces) {
        fn(gptr_of(id, piece.index), staged, static_cast<std::size_t>(piece.length));
        staged += piece.length;
      }
    }
  }

  /// Calls fn(run, staged) for each run that is on another node.
  template <class Fn>
  void for_each_staged(Index begin, Index end, Fn fn) {
    for_each_run_of(begin, end, [&](const Run& run) {
      Unit& unit = _units[static_cast<std::size_t>(run.unit.id)];
      if (unit.base != nullptr) return;
      fn(run, unit.staged() + unit.used);
      unit.used += static_cast<std::size_t>(run.length);
    });
  }

  GlobIt _first;
  std::vector<Unit> _units;
};

}  // namespace dash::internal
