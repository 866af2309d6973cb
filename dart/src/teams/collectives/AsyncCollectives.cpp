#include "teams/collectives/AsyncCollectives.h"

#include <mutex>
#include <utility>

#include "api/Runtime.h"
#include "teams/Team.h"
#include "dash/Exception.h"
#include "dash/async/Watch.h"
#include "dash/core/Clock.h"
#include "dash/core/OtherProcesses.h"
#include "dash/core/Settings.h"
#include "dash/core/Trace.h"
#include "dash/dart/Collective.h"

namespace dash::dart {

namespace {

/// Beyond, who starts a collective may leave it to the thread at once.
constexpr std::size_t few_bytes = std::size_t{64} << 10;
constexpr std::uint64_t between_notes_ns = 1'000'000;

}  // namespace

AsyncCollectives& AsyncCollectives::instance() noexcept {
  static AsyncCollectives* const collectives = new AsyncCollectives();
  return *collectives;
}

/// \pre the lock is held
bool AsyncCollectives::advance(CollectiveQueue::Over& over) {
  bool did = false;
  bool depend = false;
  core::after_other_processes();
  std::erase_if(_queues, [&](CollectiveQueue* queue) {
    did |= queue->advance(over);
    depend = depend || queue->others_depend();
    queue->in_list = !queue->empty();
    return queue->empty();
  });
  core::before_other_processes();
  if (_queues.empty()) _followed = false;
  _active.store(_queues.size(), std::memory_order_seq_cst);
  _thread_wanted.store(depend || _followed, std::memory_order_seq_cst);
  return did;
}

void AsyncCollectives::complete(CollectiveQueue::Over& over) noexcept {
  for (std::unique_ptr<PendingCollective>& collective : over) {
    const exec::StatePtr<exec::State> done = std::move(collective->done);
    const bool mismatch = collective->mismatch;
    if (core::tracing()) [[unlikely]]
      core::trace_flight_end(core::TraceKind::collective, collective->name(), collective.get());
    collective.reset();
    if (!mismatch) {
      done->complete();
      continue;
    }
    done->fail(std::make_exception_ptr(exception::InvalidArgument(different_collectives)));
  }
}

void AsyncCollectives::start(Team& team, std::unique_ptr<PendingCollective> collective) {
  CollectiveQueue::Over over;
  bool did = false;
  bool wake_thread = false;
  const std::size_t nbytes = collective->nbytes();
  if (core::tracing()) [[unlikely]]
    core::trace_flight_begin(core::TraceKind::collective, collective->name(), collective.get(),
                             nbytes);
  {
    const std::lock_guard lock(_lock);
    CollectiveQueue& queue = team.queue();
    queue.push(std::move(collective));
    if (!std::exchange(queue.in_list, true)) _queues.push_back(&queue);
    did = advance(over);
    wake_thread = _thread_wanted.load(std::memory_order_relaxed);
  }
  complete(over);
  if (did) wake_sleepers();
  if (wake_thread) leave_to_thread(team, nbytes > few_bytes);
}

/// Who sleeps does so on words that have changed their meaning, and is not among their sleepers any
/// more.
void AsyncCollectives::wake_sleepers() noexcept {
  exec::Engine::instance().completed();
}

/// Between nodes the thread looks by itself now and then, and is told once in a while that it
/// should do so often: who starts a small one mostly waits for it soon, and polls.
void AsyncCollectives::leave_to_thread(const Team& team, bool large) noexcept {
  exec::Engine& engine = exec::Engine::instance();
  if (team.layout().nnodes() == 1) return engine.notify();
  if (large) return engine.take_over();
  const std::uint64_t now = core::now_ns();
  if (now < _told_until.load(std::memory_order_relaxed)) return;
  _told_until.store(now + between_notes_ns, std::memory_order_relaxed);
  engine.notify();
}

void AsyncCollectives::finish(Team& team) {
  const exec::Purpose purpose("the non-blocking collectives of team {}", team.id());
  exec::Engine::instance().wait_until([&] {
    const std::lock_guard lock(_lock);
    return team.queue().empty();
  });
}

void AsyncCollectives::want_thread() noexcept {
  {
    const std::lock_guard lock(_lock);
    if (_queues.empty()) return;
    _followed = true;
    _thread_wanted.store(true, std::memory_order_seq_cst);
  }
  exec::Engine::instance().notify();
}

bool AsyncCollectives::poll() noexcept {
  if (_active.load(std::memory_order_acquire) == 0) return false;
  bool did = false;
  bool thread_wanted = false;
  CollectiveQueue::Over over;
  _lock.look([&] {
    did |= advance(over);
    thread_wanted = _thread_wanted.load(std::memory_order_relaxed);
  });
  complete(over);
  if (!did) return false;
  wake_sleepers();
  if (thread_wanted && !exec::on_progress_thread())
    _thread_is_behind.store(true, std::memory_order_seq_cst);
  return true;
}

bool AsyncCollectives::thread_is_behind() noexcept {
  return _thread_is_behind.load(std::memory_order_relaxed) &&
         _thread_is_behind.exchange(false, std::memory_order_seq_cst) && thread_watches();
}

exec::Demand AsyncCollectives::demand() const noexcept {
  const bool wanted = _thread_wanted.load(std::memory_order_seq_cst);
  return wanted && !(thread_may_poll() && exec::Engine::instance().has_thread())
             ? exec::Demand::waiting
             : exec::Demand::none;
}

exec::PollSource::Words AsyncCollectives::words_to_sleep_on(
    std::span<core::FutexWord> words) noexcept {
  Words all;
  const std::lock_guard lock(_lock);
  for (CollectiveQueue* const queue : _queues) {
    const Words some = queue->words_to_sleep_on(words.subspan(all.count));
    all.count += some.count;
    all.complete = all.complete && some.complete;
    all.found = all.found || some.found;
  }
  return all;
}

void watch_collectives() noexcept {
  AsyncCollectives::instance().want_thread();
}

namespace {

/// \param label  for who watches
void start(Done done, const exec::Label& label, Team& team,
           std::unique_ptr<PendingCollective> collective, exec::Operation gate = {}) {
  *done.label = label;
  collective->done = std::move(done.state);
  collective->gate = std::move(gate);
  AsyncCollectives::instance().start(team, std::move(collective));
}

void check_buffer(const void* buffer, std::size_t nbytes, const char* name) {
  if (buffer == nullptr && nbytes != 0) {
    throw_error(DART_ERR_INVAL, "{} is null, for {} bytes", name, nbytes);
  }
}

void check_root(const Team& team, int root) {
  if (root < 0 || root >= team.size()) {
    throw_error(DART_ERR_INVAL, "root {} is not in team {}, which has units 0 to {}", root,
                team.id(), team.size() - 1);
  }
}

/// Of what leaders exchange without a slot.
constexpr std::size_t direct_piece = std::size_t{512} << 10;
/// MPI counts in int.
constexpr std::size_t largest_message = std::size_t{1} << 30;

/// Whether each node has one unit, who then exchanges the buffers of the user.
bool is_direct(const Team& team) noexcept {
  return team.layout().nnodes() > 1 && team.layout().largest_node == 1;
}

std::unique_ptr<PendingCollective> pending_reduce(Team& team, const void* send, void* recv,
                                                  std::size_t nelem, dart_datatype_t type,
                                                  dart_operation_t op, int to_unit) {
  const std::size_t nbytes = Runtime::get().bytes_of(nelem, type);
  if (op >= DART_OP_LAST) {
    throw_error(DART_ERR_INVAL,
                "operation {} is one of dart_op_create, which only blocking collectives call", op);
  }
  if (op == DART_OP_MINMAX && nelem % 2 != 0) {
    throw_error(DART_ERR_INVAL, "DART_OP_MINMAX works on pairs, but nelem is {}", nelem);
  }
  check_buffer(send, nbytes, "send");
  if (to_unit == PendingReduce::all_units || to_unit == team.my_id())
    check_buffer(recv, nbytes, "recv");
  const Reduction reduction = find_reduction(op, type);
  const TeamBlock& block = team.queue().block();
  const bool ordered =
      team.layout().nnodes() > 1 && core::settings().reduce_order == core::ReduceOrder::ascending;
  std::size_t room = std::min(block.slot_contribution_bytes, block.slot_result_bytes);
  if (ordered)
    room = std::min(room, block.slot_result_bytes / static_cast<std::size_t>(team.size()));
  const bool direct = is_direct(team) && !ordered;
  if (direct) room = direct_piece;
  const std::size_t whole = reduction.element_bytes() * reduction.granularity();
  auto pending = std::make_unique<PendingReduce>(send, recv, nelem, reduction, to_unit, ordered,
                                                 PiecePlan{room / whole * whole, direct});
  pending->agree_on(static_cast<std::uint64_t>(op));
  pending->agree_on(static_cast<std::uint64_t>(type));
  return pending;
}

}  // namespace

void start_barrier(Done done, dart_team_t team, bool completes_transfers) {
  translated([&] {
    Runtime& runtime = Runtime::get();
    Team& members = runtime.team(team);
    start(std::move(done), {"a barrier_async of team {}", {team}}, members,
          std::make_unique<PendingBarrier>(),
          completes_transfers ? runtime.pending_operations().settled() : exec::Operation());
  });
}

void start_bcast(Done done, void* buffer, std::size_t nbytes, int root, dart_team_t team) {
  translated([&] {
    Team& members = Runtime::get().team(team);
    check_buffer(buffer, nbytes, "buffer");
    check_root(members, root);
    const TeamBlock& block = members.queue().block();
    const bool direct = is_direct(members);
    const std::size_t room =
        direct ? direct_piece : std::min(block.slot_contribution_bytes, block.slot_result_bytes);
    const exec::Label label{"a bcast_async in team {} from unit {}, of {} bytes",
                            {team, root, static_cast<long>(nbytes)}};
    start(std::move(done), label, members,
          std::make_unique<PendingBcast>(buffer, nbytes, root, PiecePlan{room, direct}));
  });
}

void start_allgather(Done done, const void* send, void* recv, std::size_t nbytes,
                     dart_team_t team) {
  translated([&] {
    Team& members = Runtime::get().team(team);
    const auto nunits = static_cast<std::size_t>(members.size());
    std::size_t all = 0;
    if (__builtin_mul_overflow(nbytes, nunits, &all)) {
      throw_error(DART_ERR_INVAL, "{} bytes of each of {} units exceed the address space", nbytes,
                  nunits);
    }
    check_buffer(recv, nbytes, "recv");
    const TeamBlock& block = members.queue().block();
    const std::size_t room =
        members.layout().nnodes() == 1
            ? block.slot_contribution_bytes
            : std::min(block.slot_contribution_bytes, block.slot_result_bytes / nunits);
    const bool direct = is_direct(members) && nbytes <= largest_message;
    const exec::Label label{"an allgather_async in team {}, of {} bytes of each unit",
                            {team, static_cast<long>(nbytes)}};
    start(std::move(done), label, members,
          std::make_unique<PendingAllgather>(send, recv, nbytes,
                                             PiecePlan{direct ? nbytes : room, direct}));
  });
}

void start_allreduce(Done done, const void* send, void* recv, std::size_t nelem,
                     dart_datatype_t type, dart_operation_t op, dart_team_t team) {
  translated([&] {
    Team& members = Runtime::get().team(team);
    const exec::Label label{"an allreduce_async in team {}, of {} elements",
                            {team, static_cast<long>(nelem)}};
    start(std::move(done), label, members,
          pending_reduce(members, send, recv, nelem, type, op, PendingReduce::all_units));
  });
}

void start_reduce(Done done, const void* send, void* recv, std::size_t nelem, dart_datatype_t type,
                  dart_operation_t op, int root, dart_team_t team) {
  translated([&] {
    Team& members = Runtime::get().team(team);
    check_root(members, root);
    const bool is_root = members.my_id() == root;
    const exec::Label label{"a reduce_async in team {} to unit {}, of {} elements",
                            {team, root, static_cast<long>(nelem)}};
    start(std::move(done), label, members,
          pending_reduce(members, send, is_root ? recv : nullptr, nelem, type, op, root));
  });
}

}  // namespace dash::dart
