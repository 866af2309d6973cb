#include "tasks/TaskDomain.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory_resource>
#include <utility>

#include "dash/Exception.h"
#include "dash/Team.h"
#include "dash/async/Watch.h"
#include "dash/core/Log.h"
#include "dash/dart/Access.h"
#include "dash/dart/Collective.h"
#include "dash/dart/if/dart.h"
#include "dash/internal/element/ElementAccess.h"
#include "dash/internal/team/Collective.h"
#include "dash/internal/transfer/Transfer.h"
#include "tasks/GlobalMemoryRange.h"

namespace dash::tasks::internal {

namespace {

std::uint64_t address_of(const void* object) {
  return reinterpret_cast<std::uint64_t>(object);
}

bool is_single_unit() {
  return Team::All().size() <= 1;
}

std::string text_of(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const std::exception& known) {
    return known.what();
  } catch (...) {
    return "an exception that is not a std::exception";
  }
}

}  // namespace

/// Represents a task of another unit in the graph of the owner of the memory that the task uses.
class TaskDomain::ProxyNode final : public exec::GraphNode {
 public:
  ProxyNode(TaskDomain& domain, int unit, std::uint64_t task) noexcept
      : _domain(domain), _unit(unit), _task(task) {}

 private:
  void ready() noexcept override {
    const std::uint64_t flags = _domain._graph.cancelled() ? TaskMessage::cancelled : 0;
    _domain._channel->send(_unit, {_task | flags, address_of(this)});
  }

  TaskDomain& _domain;
  int _unit;
  std::uint64_t _task;
};

/// The job that handles messages from other units.
class TaskDomain::Receiver final : public exec::Job {
 public:
  explicit Receiver(TaskDomain& domain) noexcept : Job(Priority::high), _domain(domain) {
    exec::announce_job();
  }
  void run() noexcept override {
    Channel& channel = *_domain._channel;
    while (true) {
      // A unit of another node cannot wake the threads that sleep on the signal. The thread that
      // detects its message wakes them.
      const exec::Activity activity(exec::Activity::Kind::service,
                                    "messages about tasks of other units");
      exec::Engine::instance().wait_shared(channel.message_signal(), [&](std::uint32_t) {
        const bool arrived = channel.has_messages();
        if (arrived) channel.message_signal().wake();
        return arrived || _domain._stop_requested.load(std::memory_order_acquire);
      });
      if (!channel.has_messages()) break;
      channel.receive_all(
          [&](int source, const TaskMessage& message) { _domain.handle(source, message); });
    }
    _domain._receiver_active.store(false, std::memory_order_release);
    exec::Engine::instance().completed();
    delete this;
  }

 private:
  TaskDomain& _domain;
};

TaskDomain& TaskDomain::instance() {
  // Never destroyed, like the engine.
  static TaskDomain* const domain = new TaskDomain();
  return *domain;
}

/// Adds a use to \p plain, if no other unit can access the memory, otherwise to \p global.
template <class PlainUses>
void TaskDomain::classify_use(Task& task, const Dependency& dependency, PlainUses& plain,
                              std::unique_ptr<GlobalUses>& global) {
  const auto& [mode, address, gptr, nbytes] = dependency;
  if (nbytes == 0) return;
  if (address != nullptr && !(dart_initialized() && dart::is_own_memory(address))) {
    plain.push_back({exec::MemoryRange::of(address, nbytes), mode});
    return;
  }
  const GlobalMemoryRange range = address != nullptr ? GlobalMemoryRange::of(address, nbytes)
                                                     : GlobalMemoryRange::of(gptr, nbytes);
  if (mode != exec::Access::in && _copies.is_active()) _copies.record_write(range);
  if (is_single_unit()) {
    plain.push_back({range.range, mode});
    return;
  }
  if (!global) global = std::make_unique<GlobalUses>();
  if (range.is_own()) {
    global->own.push_back({range.range, mode});
  } else {
    global->remote.push_back({range.owner, {gptr, nbytes, address_of(&task), mode}});
  }
}

/// Defers a task that uses global memory until the phase ends and the owners of the memory have
/// granted access.
void TaskDomain::defer(Task& task, std::span<const exec::MemoryUse> plain,
                       std::unique_ptr<GlobalUses> global) {
  std::vector<int> owners;
  for (const auto& [owner, use] : global->remote)
    owners.push_back(owner);
  std::sort(owners.begin(), owners.end());
  owners.erase(std::unique(owners.begin(), owners.end()), owners.end());
  // One lock covers both insertions, so that two tasks have the same order in plain and in global
  // memory.
  const std::lock_guard lock(_mutex);
  _graph.enter(task, plain);
  _deferred.push_back(&task);
  exec::TaskGraph::expect(task, static_cast<std::uint32_t>(1 + owners.size()));
  task._global = global.release();
}

void TaskDomain::start(Task& task, std::span<const Dependency> dependencies) {
  _graph.add(task);
  std::array<std::byte, 512> buffer;  // enough for most tasks
  std::pmr::monotonic_buffer_resource memory(buffer.data(), buffer.size());
  std::pmr::vector<exec::MemoryUse> plain(&memory);
  std::unique_ptr<GlobalUses> global;
  std::exception_ptr error;
  try {
    plain.reserve(dependencies.size());
    for (const Dependency& dependency : dependencies)
      classify_use(task, dependency, plain, global);
    if (global && exec::in_job()) {
      throw exception::RuntimeError(
          "a task creates a task that uses global memory, so the order of the two among all tasks "
          "would not be defined; create it outside of tasks");
    }
    if (global) {
      defer(task, plain, std::move(global));
    } else {
      _graph.enter(task, plain);
    }
  } catch (...) {
    error = std::current_exception();
  }
  // The graph may already contain the task. A disabled task does nothing when it runs.
  if (error != nullptr) task.disable();
  exec::TaskGraph::commit(task);
  if (error != nullptr) std::rethrow_exception(error);
}

Dependency TaskDomain::start_copy(const CopyIn& copy) {
  const Dependency on_buffer{exec::Access::in, copy.buffer, DART_GPTR_NULL, copy.nbytes};
  if (copy.source.empty()) return on_buffer;
  if (_copies.is_reusable(copy, _graph)) return on_buffer;
  const auto copy_now = [blocks = copy.source, to = copy.buffer] {
    dash::internal::Transfer transfer(dash::internal::caller_id_of(blocks.front().gptr),
                                      dash::internal::Transfer::Mode::blocking);
    char* target = static_cast<char*>(to);
    for (const Dependency& block : blocks) {
      transfer.get(target, block.gptr, block.nbytes);
      target += block.nbytes;
    }
    transfer.finish().wait();
  };
  Dependencies uses = copy.source;
  uses.push_back(on_buffer);
  uses.back().mode = exec::Access::out;
  auto* const task = new FunctionTask<decltype(copy_now)>(priority::high, copy_now);
  task->retain();  // while this function needs it
  try {
    const std::uint64_t writes_before = _copies.begin_copy();
    start(*task, uses);
    _copies.add(copy, writes_before, *task);
  } catch (...) {
    task->release();
    throw;
  }
  task->release();
  return on_buffer;
}

/// Completes the task's transfers to the units it writes to, because others read the data as soon
/// as they are notified that the task is done. Does not wait for transfers to other units: those
/// units might not make progress.
void TaskDomain::complete_writes(const GlobalUses& uses) {
  const dart_gptr_t* last = nullptr;
  for (const auto& [owner, use] : uses.remote) {
    if (use.mode == exec::Access::in) continue;
    const bool same =
        last != nullptr && last->segid == use.gptr.segid && last->unitid == use.gptr.unitid;
    last = &use.gptr;
    if (!same) dash::internal::check(dart_flush(use.gptr), "completion of a task's transfers");
  }
}

void TaskDomain::report_completion(Task& task) noexcept {
  const std::unique_ptr<GlobalUses> uses(std::exchange(task._global, nullptr));
  if (!uses) return;
  try {
    complete_writes(*uses);
  } catch (...) {
    _graph.cancel(std::current_exception());
  }
  const std::uint64_t flags = TaskMessage::done | (_graph.cancelled() ? TaskMessage::cancelled : 0);
  for (const GlobalUses::Grant& grant : uses->grants)
    _channel->send(grant.owner, {grant.reference | flags, 0});
}

void TaskDomain::handle(int source, const TaskMessage& message) {
  const std::uint64_t subject = message.subject & ~TaskMessage::flags;
  // Records no error here, because the unit whose task failed reports it.
  if ((message.subject & TaskMessage::cancelled) != 0) _graph.cancel(nullptr);
  if ((message.subject & TaskMessage::done) != 0) {
    auto& proxy = *reinterpret_cast<ProxyNode*>(subject);
    _graph.finish(proxy);
    proxy.release();
    return;
  }
  Task& task = *reinterpret_cast<Task*>(subject);
  {
    const std::lock_guard lock(task._global->lock);
    task._global->grants.push_back({source, message.reference});
  }
  exec::TaskGraph::satisfy(task);
}

void TaskDomain::start_receiver() {
  if (!_channel) {
    _channel = std::make_unique<Channel>();
    _graph.notify_when_finished(&_channel->message_signal());
  }
  if (_receiver_active.exchange(true, std::memory_order_acq_rel)) return;
  _stop_requested.store(false, std::memory_order_relaxed);
  exec::submit_job(*new Receiver(*this));
}

/// Sends each owner the uses of its memory by the deferred tasks.
/// \returns the uses of this unit's memory by the tasks of each unit
/// \throws exception::RuntimeError on all units if one does not have enough memory for the exchange
std::vector<TaskDomain::Uses> TaskDomain::exchange_uses(const std::vector<Task*>& deferred) {
  struct Announcement {
    dart_gptr_t uses;
    std::uint64_t count;
  };
  const std::size_t units = Team::All().size();
  std::vector<Uses> mine(units);
  std::size_t total = 0;
  for (const Task* task : deferred) {
    for (const auto& [owner, use] : task->_global->remote)
      mine[static_cast<std::size_t>(owner)].push_back(use);
    total += task->_global->remote.size();
  }
  dart_gptr_t staging = DART_GPTR_NULL;
  const bool out_of_memory = total != 0 && dart_memalloc(total * sizeof(GlobalUses::Remote),
                                                         DART_TYPE_BYTE, &staging) != DART_OK;
  // A unit without memory announces this to all others, which wait for its announcement.
  constexpr std::uint64_t no_memory = ~std::uint64_t{0};
  std::vector<Announcement> outgoing(units);
  std::size_t offset = 0;
  for (std::size_t unit = 0; unit < units; ++unit) {
    const std::size_t nbytes = mine[unit].size() * sizeof(GlobalUses::Remote);
    outgoing[unit] = {staging, out_of_memory ? no_memory : mine[unit].size()};
    if (out_of_memory || nbytes == 0) continue;
    outgoing[unit].uses.addr_or_offs.offset += offset;
    std::memcpy(dash::internal::local_address(outgoing[unit].uses), mine[unit].data(), nbytes);
    offset += nbytes;
  }
  std::vector<Announcement> incoming(units);
  Team::All().collectives().alltoall(outgoing.data(), incoming.data(), sizeof(Announcement));
  // All units have read the previous uses, since they have entered this exchange.
  if (!DART_GPTR_ISNULL(_staging)) dart_memfree(_staging);
  _staging = staging;
  for (std::size_t unit = 0; unit < units; ++unit) {
    if (incoming[unit].count != no_memory) continue;
    DASH_THROW(exception::RuntimeError,
               "end of a phase: unit " << unit << " has too little memory to publish its uses");
  }
  std::vector<Uses> uses(units);
  std::vector<exec::Operation> gets;
  for (std::size_t unit = 0; unit < units; ++unit) {
    if (incoming[unit].count == 0) continue;
    uses[unit].resize(incoming[unit].count);
    gets.push_back(dart::get_async(uses[unit].data(), incoming[unit].uses,
                                   uses[unit].size() * sizeof(GlobalUses::Remote)));
  }
  for (exec::Operation& get : gets)
    get.wait();
  return uses;
}

void TaskDomain::enter_own(const std::vector<Task*>& deferred) {
  for (Task* const task : deferred)
    _graph.enter(*task, task->_global->own);
}

void TaskDomain::enter_remote(int unit, const Uses& uses) {
  std::vector<exec::MemoryUse> of_task;
  for (std::size_t i = 0; i < uses.size();) {
    const std::uint64_t task = uses[i].task;
    of_task.clear();
    for (; i < uses.size() && uses[i].task == task; ++i) {
      void* const address = dash::internal::local_address(uses[i].gptr);
      of_task.push_back({exec::MemoryRange::of(address, uses[i].nbytes), uses[i].mode});
    }
    auto* const proxy = new ProxyNode(*this, unit, task);
    _graph.add(*proxy);
    _graph.enter(*proxy, of_task);
    exec::TaskGraph::commit(*proxy);
  }
}

void TaskDomain::end_phase() {
  if (exec::in_job()) {
    throw exception::RuntimeError("tasks::phase() was called in a task; call it outside of tasks");
  }
  if (!is_single_unit()) {
    start_receiver();
    std::vector<Task*> deferred;
    {
      const std::lock_guard lock(_mutex);
      deferred.swap(_deferred);
    }
    std::vector<Uses> others;
    try {
      others = exchange_uses(deferred);
    } catch (...) {
      // Keeps the deferred tasks for the next call of end_phase().
      const std::lock_guard lock(_mutex);
      _deferred.insert(_deferred.begin(), deferred.begin(), deferred.end());
      throw;
    }
    const auto me = static_cast<std::size_t>(Team::GlobalUnitID().id);
    for (std::size_t unit = 0; unit < others.size(); ++unit) {
      if (unit == me) {
        enter_own(deferred);
      } else {
        enter_remote(static_cast<int>(unit), others[unit]);
      }
    }
    for (Task* const task : deferred)
      exec::TaskGraph::satisfy(*task);
  }
  _copies.clear();
  _phase.fetch_add(1, std::memory_order_relaxed);
}

void TaskDomain::stop_receiver() {
  _stop_requested.store(true, std::memory_order_release);
  _channel->notify();
  exec::Engine::instance().wait_until(
      [this] { return !_receiver_active.load(std::memory_order_acquire); });
}

void TaskDomain::wait() {
  if (exec::in_job()) {
    throw exception::RuntimeError(
        "tasks::wait() was called in a task and would wait for it; wait for futures instead");
  }
  end_phase();
  if (is_single_unit()) return _graph.wait();
  {
    const exec::Purpose purpose("all tasks of this unit, in tasks::wait()");
    exec::Engine::instance().wait_shared(
        _channel->message_signal(), [this](std::uint32_t) { return _graph.unfinished() == 0; });
  }
  const std::exception_ptr error = _graph.error();
  const std::string text = error == nullptr ? "" : text_of(error);
  std::exception_ptr agreed;
  try {
    dash::internal::agree(Team::All(), "tasks::wait", error == nullptr ? nullptr : text.c_str());
  } catch (...) {
    agreed = std::current_exception();
  }
  // All tasks of all units are done, so no message is in flight.
  stop_receiver();
  _graph.reset();
  if (error != nullptr) std::rethrow_exception(error);
  if (agreed != nullptr) std::rethrow_exception(agreed);
}

void TaskDomain::finish() {
  int unfinished = _graph.unfinished() != 0 ? 1 : 0;
  Team::All().collectives().allreduce(&unfinished, &unfinished, 1, DART_TYPE_INT, DART_OP_MAX);
  if (unfinished != 0) {
    try {
      wait();
    } catch (const std::exception& error) {
      core::log(
          core::LogLevel::error,
          std::string("a task failed and no unit has called dash::tasks::wait(): ") + error.what());
    }
  }
  if (_receiver_active.load(std::memory_order_acquire)) stop_receiver();
  exec::finish_jobs();
}

void TaskDomain::finalize() {
  _copies.clear();
  _phase.store(0, std::memory_order_relaxed);
  if (!DART_GPTR_ISNULL(_staging)) dart_memfree(std::exchange(_staging, DART_GPTR_NULL));
  _graph.notify_when_finished(nullptr);
  _channel.reset();
}

}  // namespace dash::tasks::internal
