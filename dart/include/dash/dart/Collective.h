#pragma once

/// \file
/// Non-blocking collectives: what those of the layer above stand on.

#include <cstddef>
#include <optional>
#include <utility>

#include "dash/async/ValueState.h"
#include "dash/core/Export.h"
#include "dash/dart/if/dart_types.h"

namespace dash::dart {

/// Something is attached to the future of a collective, so that nobody may wait for it: the progress
/// thread takes care of this unit's collectives from here on.
DASH_API void watch_collectives() noexcept;

/// The state of a collective's future, which holds its data if T is not void.
template <class T>
class CollectiveState final : public exec::ValueState<T> {
 public:
  template <class... Args>
  explicit CollectiveState(Args&&... args) {
    this->_value.emplace(std::forward<Args>(args)...);
  }
  /// The collective's until it is done.
  exec::stored_value_t<T>& data() noexcept { return *this->_value; }

  exec::Label label() const noexcept override { return _label; }

 private:
  friend struct Done;
  void attaching() noexcept override {
    if (!this->done()) watch_collectives();
  }

  exec::Label _label;
};

/// What a collective completes, and where it says what it is.
struct Done {
  template <class T>
  explicit Done(const exec::StatePtr<CollectiveState<T>>& collective)
      : state(collective), label(&collective->_label) {}

  exec::StatePtr<exec::State> state;
  exec::Label* label;
};

/// \name Non-blocking collectives
/// All units of a team start the same ones, blocking ones left out, in the same order, one after the
/// other; any number may be in flight, and blocking ones meanwhile. They complete in their order.
/// \param done  completed when the caller's part is over: results are there, buffers may be reused
/// \blocks never   \threads any, one at a time per team
/// \throws exception::InvalidArgument for wrong arguments; exception::RuntimeError outside of the
///         runtime's life. `done` fails, and so do all that follow in the team, when its units, all
///         on one node, turn out to have started different ones; on several nodes that ends the job
/// \cost on a node copies through memory of the team, 8 pieces of up to 32 KiB at a time; between
///       nodes messages of the nodes' first units
/// @{

/// \param completes_transfers  the caller takes part when all transfers that it has started are
///                             complete, remotely
DASH_API void start_barrier(Done done, dart_team_t team, bool completes_transfers);
DASH_API void start_bcast(Done done, void* buffer, std::size_t nbytes, int root, dart_team_t team);
/// \param send  null or recv: in place
DASH_API void start_allgather(Done done, const void* send, void* recv, std::size_t nbytes,
                              dart_team_t team);
/// `send` may be `recv`. \param op  a predefined one
DASH_API void start_allreduce(Done done, const void* send, void* recv, std::size_t nelem,
                              dart_datatype_t type, dart_operation_t op, dart_team_t team);
/// \param recv  written at the root only
DASH_API void start_reduce(Done done, const void* send, void* recv, std::size_t nelem,
                           dart_datatype_t type, dart_operation_t op, int root, dart_team_t team);
/// @}

}  // namespace dash::dart
