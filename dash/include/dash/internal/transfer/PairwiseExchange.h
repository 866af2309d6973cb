#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "dash/async/FunctionRef.h"
#include "dash/core/Export.h"
#include "dash/internal/Unit.h"
#include "dash/memory/GlobalSegment.h"

namespace dash::internal {

/// Exchanges messages between all pairs of units on different nodes, one pair after the other.
/// \threads externally synchronized
class DASH_API PairwiseExchange {
 public:
  /// The sizes in bytes of the messages to a unit, or from a unit; none may be 0. Both units know
  /// them. Units of the caller's node, and the caller, have none.
  using Sizes = std::vector<std::size_t>;

  /// Allocates all memory for the exchange. If this fails on a unit, no unit may call run().
  /// \param memory  identifies the team and the messages; its content is not used
  /// \param sends, receives  for each unit of the team, in their order
  PairwiseExchange(const GlobalSegment& memory, const std::vector<Sizes>& sends,
                   const std::vector<Sizes>& receives);
  ~PairwiseExchange();
  PairwiseExchange(const PairwiseExchange&) = delete;
  PairwiseExchange& operator=(const PairwiseExchange&) = delete;

  /// Two messages in each direction are in flight at the same time, so packing and unpacking
  /// overlap with transfers.
  /// \param pack  pack(unit, i, buffer) writes message i to a unit
  /// \param unpack  unpack(unit, i, buffer) reads message i from a unit
  /// \collective over the team, among the units that exchange messages; once per object
  /// \blocks until the caller's messages have been received
  /// \throws the first exception of the functions, after the exchange
  void run(exec::FunctionRef<void(team_unit_t, std::size_t, std::byte*)> pack,
           exec::FunctionRef<void(team_unit_t, std::size_t, const std::byte*)> unpack);

 private:
  struct Round;

  std::vector<std::unique_ptr<Round>> _rounds;
  std::unique_ptr<std::byte[]> _buffers;
};

}  // namespace dash::internal
