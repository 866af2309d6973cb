#pragma once

#include <memory>

#include "teams/collectives/CollectiveOperation.h"
#include "teams/collectives/Reduction.h"

namespace dash::dart {

/// A reduction to one unit or to all.
///
/// One unit of each node combines its contributions, from the last to the first, and the leaders
/// combine the results of the nodes; all units get the same bits. In the blocking schedule the members
/// of a node share the combination of a large chunk, in a round that precedes the exchange.
class ReduceOperation final : public CollectiveOperation {
 public:
  static constexpr int all_units = -1;

  /// Elements that one chunk holds; 0 if an element is too large for the memory of the team.
  /// \param ordered  combine in the order of the units, whatever their nodes: each node gets all
  ///                 contributions
  static std::size_t elements_per_chunk(const TeamLayout& layout, const ScheduleLimits& limits,
                                        const Reduction& reduction, bool ordered) noexcept;

  /// \param send, recv  may be the same; recv is null where the result is not needed
  /// \param to_unit     the unit that needs the result, or all_units
  /// \pre elements_per_chunk() > 0
  ReduceOperation(const TeamLayout& layout, const ScheduleLimits& limits, const void* send,
                  void* recv, std::size_t nelem, const Reduction& reduction, int to_unit,
                  bool ordered);

  int rounds(std::uint64_t chunk) const noexcept override { return is_shared(chunk) ? 2 : 1; }
  void deposit(const Chunk& chunk) override;
  void combine(const Chunk& chunk) override;
  void exchange(const Chunk& chunk, LeaderExchange& leaders) override;
  void collect(const Chunk& chunk) override;

 private:
  /// From this size on the members of a node share the combination of a chunk.
  static constexpr std::size_t shared_bytes = 8 * 1024;

  bool is_shared(std::uint64_t chunk) const noexcept {
    return _may_share && length(chunk) >= shared_bytes;
  }
  std::size_t elements(const Chunk& chunk) const noexcept {
    return length(chunk) / _reduction.element_bytes();
  }
  char* direct_result() const noexcept { return _recv != nullptr ? _recv : _own.get(); }
  void combine_own_share(const Chunk& chunk) const;

  const char* _send;
  char* _recv;
  std::unique_ptr<char[]> _own;  // memory for the direct result, if there is no _recv
  Reduction _reduction;
  int _to_unit;
  bool _ordered;
  bool _may_share;
};

/// Whether a reduction has to combine in the order of the units, whatever their nodes: if the
/// operation does not commute, or the setting asks for it.
bool is_ordered(const TeamLayout& layout, const Reduction& reduction) noexcept;

}  // namespace dash::dart
