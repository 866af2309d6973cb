#include "teams/collectives/CollectiveEngine.h"

#include <string_view>
#include <vector>

#include "base/Error.h"
#include "dash/async/PollContext.h"
#include "dash/core/OtherProcesses.h"
#include "dash/core/Trace.h"
#include "teams/collectives/CollectiveArguments.h"
#include "teams/collectives/DataOperations.h"
#include "teams/collectives/LeaderAbort.h"
#include "teams/collectives/NodeRound.h"
#include "teams/collectives/ReduceOperation.h"

namespace dash::dart {

/// Marks a blocking collective of the team as active, from its first access to shared memory to its
/// last.
class CollectiveEngine::ActiveCollective {
 public:
  /// \param format  describes the wait to the watchdog; gets the ids of the team and of `unit`
  ActiveCollective(CollectiveEngine& engine, const char* format, core::OperationKind kind,
                   std::size_t nbytes, int unit = 0)
      : _engine(engine), _purpose(format, engine._id, unit) {
    exec::check_may_wait();
    if (engine._active.exchange(true, std::memory_order_acquire)) {
      throw_error(
          DART_ERR_INVAL,
          "a collective of team {} is already active in this unit: in another thread, or in "
          "the call that runs this continuation",
          engine._id);
    }
    core::count(kind,
                engine.on_one_node() ? core::OperationPath::memory : core::OperationPath::two_sided,
                nbytes);
  }
  ~ActiveCollective() { _engine._active.store(false, std::memory_order_release); }
  ActiveCollective(const ActiveCollective&) = delete;
  ActiveCollective& operator=(const ActiveCollective&) = delete;

 private:
  CollectiveEngine& _engine;
  exec::Purpose _purpose;
};

CollectiveEngine::CollectiveEngine(Session& session, RmaDriver& driver, const TeamLayout& layout,
                                   const TeamBlock& dimensions, std::uint64_t block, dart_team_t id)
    : _session(session),
      _layout(layout),
      _dimensions(dimensions),
      _id(id),
      _blocks{layout, session.heap().base() + block, session.heap().nbytes()},
      _control(*reinterpret_cast<TeamControl*>(_blocks.leader_block())),
      _leaders(session.collective(), driver, layout, id, LeaderExchange::Waiting::blocking),
      _queue(session, driver, _blocks, _dimensions, id),
      // An earlier runtime on the session may have used the block of the team of all units: continue
      // with its counters.
      _round(_control.released.value.load(std::memory_order_acquire)) {}

ChunkArea CollectiveEngine::contributions(std::uint32_t half) const noexcept {
  return {TeamBlock::small_contributions + half * TeamBlock::small_bytes,
          _dimensions.contribution(half)};
}

ChunkArea CollectiveEngine::results(std::uint32_t half) const noexcept {
  return {TeamBlock::small_results + half * TeamBlock::small_bytes, _dimensions.result(half)};
}

/// The blocking schedule. \tparam Operation  a final class, whose functions are called directly
template <class Operation>
void CollectiveEngine::run(Operation&& operation) {
  for (std::uint64_t index = 0; index < operation.nchunks(); ++index) {
    Chunk chunk{_blocks, index, contributions(_round % 2), {}, {}};
    const int rounds = operation.rounds(index);
    for (; chunk.round < rounds; ++chunk.round) {
      chunk.results = results(_round % 2);
      chunk.next_results = results((_round + 1) % 2);
      if (chunk.round == 0) operation.deposit(chunk);
      const auto lead = [&] {
        try {
          operation.combine(chunk);
          if (!on_one_node()) operation.exchange(chunk, _leaders);
        } catch (const std::exception& error) {
          abort_collective(_session.world(), _id, error.what());
        }
      };
      core::before_other_processes();
      if (on_one_node()) {
        synchronize_node(_control, _round + 1, static_cast<std::uint32_t>(_layout.node_size()),
                         lead, EngineWaiting());
      } else if (_layout.leads_node()) {
        wait_for_members();
        lead();
        _control.released.publish(_round + 1);
      } else {
        wait_for_leader();
      }
      core::after_other_processes();
      operation.collect(chunk);
      ++_round;
    }
  }
}

/// The leader's wait, with several nodes, until the other units of its node have contributed.
void CollectiveEngine::wait_for_members() {
  const std::uint32_t expected = (_round + 1) * static_cast<std::uint32_t>(_layout.node_size() - 1);
  exec::Engine::instance().wait_shared(_control.arrived,
                                       [=](std::uint32_t value) { return value == expected; });
}

/// Announces the contribution of another unit, and waits for the leader's result.
void CollectiveEngine::wait_for_leader() {
  const std::uint32_t next = _round + 1;
  // Sequentially consistent, since the leader may sleep on the word (SharedWord). Release: the leader that acquires the
  // number sees the contribution.
  const std::uint32_t arrived = _control.arrived.value.fetch_add(1, std::memory_order_seq_cst) + 1;
  if (arrived == next * static_cast<std::uint32_t>(_layout.node_size() - 1))
    _control.arrived.wake();
  exec::Engine::instance().wait_shared(_control.released,
                                       [next](std::uint32_t value) { return value == next; });
}

void CollectiveEngine::barrier() {
  const ActiveCollective active(*this, "a barrier of team {}", core::OperationKind::barrier, 0);
  run(BarrierOperation());
}

void CollectiveEngine::barrier_of_program() {
  barrier();
  if (_at_next_barrier) [[unlikely]]
    std::exchange(_at_next_barrier, {})();
}

void CollectiveEngine::bcast(void* buffer, std::size_t nbytes, int root) {
  check_buffer(buffer, nbytes, "buf");
  check_root(_layout, root, _id);
  const ActiveCollective active(*this, "a broadcast in team {} from unit {}",
                                core::OperationKind::collective, nbytes, root);
  if (nbytes != 0) run(BcastOperation(_layout, limits(), buffer, nbytes, root));
}

void CollectiveEngine::gather(const void* send, void* recv, std::size_t nbytes, int root) {
  check_total(_layout, nbytes);
  check_root(_layout, root, _id);
  check_buffer(send, nbytes, "sendbuf");
  if (_layout.my_id == root) check_buffer(recv, nbytes, "recvbuf");
  const ActiveCollective active(*this, "a gather in team {} to unit {}",
                                core::OperationKind::collective, nbytes, root);
  if (nbytes != 0) run(GatherOperation(_layout, limits(), send, recv, nbytes, root));
}

void CollectiveEngine::scatter(const void* send, void* recv, std::size_t nbytes, int root) {
  check_total(_layout, nbytes);
  check_root(_layout, root, _id);
  if (_layout.my_id == root) check_buffer(send, nbytes, "sendbuf");
  check_buffer(recv, nbytes, "recvbuf");
  const ActiveCollective active(*this, "a scatter in team {} from unit {}",
                                core::OperationKind::collective, nbytes, root);
  if (nbytes != 0) run(ScatterOperation(_layout, limits(), send, recv, nbytes, root));
}

void CollectiveEngine::allgather(const void* send, void* recv, std::size_t nbytes) {
  check_total(_layout, nbytes);
  check_buffer(recv, nbytes, "recvbuf");
  const ActiveCollective active(*this, "an allgather in team {}", core::OperationKind::collective,
                                nbytes);
  if (nbytes != 0) run(AllgatherOperation(_layout, limits(), send, recv, nbytes));
}

void CollectiveEngine::allgatherv(const void* send, void* recv, const std::size_t* nbytes,
                                  const std::size_t* displacements) {
  const ActiveCollective active(*this, "an allgather in team {}", core::OperationKind::collective,
                                nbytes[_layout.my_id]);
  AllgatherOperation operation(_layout, limits(), send, recv, nbytes, displacements);
  if (operation.nbytes() != 0) run(operation);
}

void CollectiveEngine::alltoall(const void* send, void* recv, std::size_t nbytes) {
  check_total(_layout, nbytes);
  check_buffer(recv, nbytes, "recvbuf");
  const ActiveCollective active(*this, "an all-to-all in team {}", core::OperationKind::collective,
                                nbytes);
  if (nbytes != 0) run(AlltoallOperation(_layout, limits(), send, recv, nbytes));
}

void CollectiveEngine::reduce(const void* send, void* recv, std::size_t nelem,
                              const Reduction& reduction, int root) {
  check_root(_layout, root, _id);
  combine(send, recv, nelem, reduction, root);
}

void CollectiveEngine::allreduce(const void* send, void* recv, std::size_t nelem,
                                 const Reduction& reduction) {
  combine(send, recv, nelem, reduction, ReduceOperation::all_units);
}

void CollectiveEngine::combine(const void* send, void* recv, std::size_t nelem,
                               const Reduction& reduction, int to_unit) {
  const std::size_t nbytes = nelem * reduction.element_bytes();
  check_buffer(send, nbytes, "sendbuf");
  if (to_unit != ReduceOperation::all_units && to_unit != _layout.my_id) {
    recv = nullptr;
  } else {
    check_buffer(recv, nbytes, "recvbuf");
  }
  const ActiveCollective active(*this, "a reduction in team {}", core::OperationKind::collective,
                                nbytes);
  if (nbytes == 0) return;  // no elements, or a type of the application without bytes
  const bool ordered = is_ordered(_layout, reduction);
  if (ReduceOperation::elements_per_chunk(_layout, limits(), reduction, ordered) == 0) {
    reduce_gathered(static_cast<const char*>(send), static_cast<char*>(recv), nelem, reduction);
  } else {
    run(ReduceOperation(_layout, limits(), send, recv, nelem, reduction, to_unit, ordered));
  }
}

/// A reduction of elements that are too large for the memory of the team: each unit gathers the
/// contributions to as few elements as possible and combines them in the order of the units.
void CollectiveEngine::reduce_gathered(const char* send, char* recv, std::size_t nelem,
                                       const Reduction& reduction) {
  const std::size_t size = reduction.element_bytes();
  const auto nunits = static_cast<std::size_t>(_layout.size());
  std::vector<char> all(reduction.granularity() * size * nunits);
  for (std::size_t first = 0; first < nelem; first += reduction.granularity()) {
    const std::size_t count = std::min(reduction.granularity(), nelem - first);
    const std::size_t nbytes = count * size;
    run(AllgatherOperation(_layout, limits(), send + first * size, all.data(), nbytes));
    char* const total = all.data() + nbytes * (nunits - 1);
    for (std::size_t unit = nunits - 1; unit-- > 0;)
      reduction(all.data() + nbytes * unit, total, count);
    if (recv != nullptr) std::memcpy(recv + first * size, total, nbytes);
  }
}

/// After the barrier the other units have read all data, but may not have returned from waiting on
/// the leader's words, so each reports that it has.
void CollectiveEngine::leave() {
  barrier();
  const auto others = static_cast<std::uint32_t>(_layout.node_size() - 1);
  // The number of arrivals after as many rounds, see synchronize_node and wait_for_leader.
  const std::uint32_t before = _round * (on_one_node() ? others + 1 : others);
  if (!_layout.leads_node()) {
    // Sequentially consistent, as in wait_for_leader(). Release: the leader may free the memory after the last access.
    const std::uint32_t arrived =
        _control.arrived.value.fetch_add(1, std::memory_order_seq_cst) + 1;
    if (arrived == before + others) _control.arrived.wake();
    return;
  }
  exec::Engine::instance().wait_shared(
      _control.arrived, [=](std::uint32_t value) { return value == before + others; });
}

/// \param function  names the call for the watchdog, and without its namespace for the timeline
template <class Body>
void TeamCollectives::run(const char* function, std::size_t nbytes, Body&& body) {
  constexpr std::size_t prefix = std::string_view("dash::dart::").size();
  const exec::Activity activity(exec::Activity::Kind::call, function);
  const core::TraceSpan span(core::TraceKind::collective, function + prefix, nbytes);
  if (_engine == nullptr)
    throw_error(DART_ERR_INVAL, "the team has no units, or has been destroyed");
  body(*_engine);
}

void TeamCollectives::barrier() {
  run("dash::dart::barrier", 0, [](CollectiveEngine& engine) { engine.barrier_of_program(); });
}

void TeamCollectives::bcast(void* buffer, std::size_t nbytes, int root) {
  run("dash::dart::bcast", nbytes,
      [=](CollectiveEngine& engine) { engine.bcast(buffer, nbytes, root); });
}

void TeamCollectives::allgather(const void* send, void* recv, std::size_t nbytes) {
  run("dash::dart::allgather", nbytes,
      [=](CollectiveEngine& engine) { engine.allgather(send, recv, nbytes); });
}

void TeamCollectives::alltoall(const void* send, void* recv, std::size_t nbytes) {
  run("dash::dart::alltoall", nbytes,
      [=](CollectiveEngine& engine) { engine.alltoall(send, recv, nbytes); });
}

void TeamCollectives::allreduce(const void* send, void* recv, std::size_t nelem,
                                dart_datatype_t type, dart_operation_t op) {
  check_pairs(nelem, op);
  const Reduction reduction = predefined_reduction(op, type);
  run("dash::dart::allreduce", nelem * reduction.element_bytes(),
      [&](CollectiveEngine& engine) { engine.allreduce(send, recv, nelem, reduction); });
}

}  // namespace dash::dart
