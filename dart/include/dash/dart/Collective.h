#pragma once

/// \file
/// Collectives of a team, blocking and non-blocking.

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "dash/async/ValueState.h"
#include "dash/core/Export.h"
#include "dash/dart/if/dart_communication.h"
#include "dash/dart/if/dart_types.h"

namespace dash::dart {

class CollectiveEngine;

/// The blocking collectives of one team. Sizes in bytes and elements are those of one unit. `send` may be
/// null or `recv`: then the operation is in place, except for reductions, where only `recv` is possible.
/// \collective over the team  \blocks until the units whose data the caller needs have called it
/// \threads externally synchronized: a second blocking collective of the team is an error
/// \throws exception::InvalidArgument for wrong arguments, before any communication, and if the team has
///         no units or has been destroyed
class DASH_API TeamCollectives {
 public:
  /// Of a team without units: all calls throw.
  TeamCollectives() noexcept = default;
  explicit TeamCollectives(CollectiveEngine& engine) noexcept : _engine(&engine) {}
  TeamCollectives(const TeamCollectives&) = delete;
  TeamCollectives& operator=(const TeamCollectives&) = delete;

  /// \returns when all units of the team have called it
  void barrier();
  /// Copies the root's buffer to the buffers of all units.
  void bcast(void* buffer, std::size_t nbytes, int root);
  /// Copies the data of all units to all units, in the order of the units.
  void allgather(const void* send, void* recv, std::size_t nbytes);
  /// Copies the i-th block of each unit to the i-th unit, in the order of the units.
  void alltoall(const void* send, void* recv, std::size_t nbytes);
  /// recv[i] = the combination of the elements send[i] of all units; the same bits on all units.
  /// \param op  a predefined operation
  void allreduce(const void* send, void* recv, std::size_t nelem, dart_datatype_t type,
                 dart_operation_t op);

  /// Called when the team is destroyed: later calls throw.
  void close() noexcept { _engine = nullptr; }

 private:
  template <class Body>
  void run(const char* function, std::size_t nbytes, Body&& body);

  CollectiveEngine* _engine = nullptr;
};

/// The blocking collectives of a team.
/// \throws exception::InvalidArgument unless it is the id of a live team; exception::RuntimeError outside
///         of dart_init and dart_exit
/// \collective no
DASH_API std::shared_ptr<TeamCollectives> collectives_of(dart_team_t team);

/// Makes the progress thread advance the pending collectives of this unit. Called when a continuation
/// is attached to the future of one, since the application may then not wait for it.
DASH_API void watch_collectives() noexcept;

/// The state of a collective's future. It holds the data of the collective if T is not void.
template <class T>
class CollectiveState final : public exec::ValueState<T> {
 public:
  template <class... Args>
  explicit CollectiveState(Args&&... args) {
    this->_value.emplace(std::forward<Args>(args)...);
  }
  /// The data, which belong to the collective until it is complete.
  exec::stored_value_t<T>& data() noexcept { return *this->_value; }

  exec::Label label() const noexcept override { return _label; }

 private:
  friend struct Done;
  void attaching(exec::Continuation::Where /*where*/) noexcept override {
    if (!this->done()) watch_collectives();
  }

  exec::Label _label;
};

/// The state that a collective completes, and the label that describes it to the watchdog.
struct Done {
  template <class T>
  explicit Done(const exec::StatePtr<CollectiveState<T>>& collective)
      : state(collective), label(&collective->_label) {}

  exec::StatePtr<exec::State> state;
  exec::Label* label;
};

/// \name Non-blocking collectives
/// All units of a team start the same non-blocking collectives in the same order, one at a time. Any
/// number may be pending, and blocking collectives may be called between. They complete in order.
/// \param done  completed when the results are available and the caller may reuse its buffers
/// \blocks never   \threads per team externally synchronized
/// \throws exception::InvalidArgument for wrong arguments; exception::RuntimeError if not
///         initialized. If units of a node start different collectives, `done` fails, and so do all
///         later ones of the team; in a team on several nodes the job ends
/// \cost on a node copies through memory of the team, 8 chunks of up to 32 KiB at a time; between nodes
///       messages of the nodes' leaders
/// @{

/// \param completes_transfers  the unit arrives when all transfers that it has started have completed
///                             remotely
DASH_API void start_barrier(Done done, dart_team_t team, bool completes_transfers);
DASH_API void start_bcast(Done done, void* buffer, std::size_t nbytes, int root, dart_team_t team);
/// \param send  null or recv: in place
DASH_API void start_allgather(Done done, const void* send, void* recv, std::size_t nbytes,
                              dart_team_t team);
/// \param send  may be `recv` \param op  a predefined operation
DASH_API void start_allreduce(Done done, const void* send, void* recv, std::size_t nelem,
                              dart_datatype_t type, dart_operation_t op, dart_team_t team);
/// \param recv  used at the root only
DASH_API void start_gather(Done done, const void* send, void* recv, std::size_t nbytes, int root,
                           dart_team_t team);
/// \param send  used at the root only
DASH_API void start_scatter(Done done, const void* send, void* recv, std::size_t nbytes, int root,
                            dart_team_t team);
/// \param send  null or recv: in place \param nbytes  size of the data of one pair of units
DASH_API void start_alltoall(Done done, const void* send, void* recv, std::size_t nbytes,
                             dart_team_t team);
/// \param recv  written at the root only
DASH_API void start_reduce(Done done, const void* send, void* recv, std::size_t nelem,
                           dart_datatype_t type, dart_operation_t op, int root, dart_team_t team);
/// @}

/// Sends a message to a unit and receives one from a unit, with a tag that the application cannot use. A step of a
/// collective of one thread of each unit.
/// \param to, from  global ids; may be the caller
/// \throws exception::InvalidArgument if the message is longer than `recv`
/// \blocks until the message has been received, and its counterpart has been sent
DASH_API void exchange_messages(std::span<const std::byte> send, int to, std::span<std::byte> recv,
                                int from);

}  // namespace dash::dart
