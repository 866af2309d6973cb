#include "Domain.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory_resource>
#include <utility>

#include "tasks/GlobalMemoryRange.h"
#include "dash/Exception.h"
#include "dash/Init.h"
#include "dash/Team.h"
#include "dash/async/Watch.h"
#include "dash/core/Log.h"
#include "dash/dart/Access.h"
#include "dash/dart/if/dart.h"
#include "dash/internal/work/Collective.h"
#include "dash/internal/element/ElementAccess.h"
#include "dash/internal/transfer/Transfer.h"

namespace dash::tasks::internal {

namespace {

std::uint64_t address_of(const void* object) {
  return reinterpret_cast<std::uint64_t>(object);
}

bool alone() {
  return !dash::is_initialized() || dash::size() == 1;
}

std::string text_of(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const std::exception& known) {
    return known.what();
  } catch (...) {
    return "an exception that is no std::exception";
  }
}

}  // namespace

/// A task of another unit in the graph of the owner of what it uses.
class Domain::StandIn final : public exec::GraphNode {
 public:
  StandIn(Domain& domain, int unit, std::uint64_t task) noexcept
      : _domain(domain), _unit(unit), _task(task) {}

 private:
  void ready() noexcept override {
    const std::uint64_t flags = _domain._graph.cancelled() ? Note::cancelled : 0;
    _domain._channel->send(_unit, {_task | flags, address_of(this)});
  }

  Domain& _domain;
  int _unit;
  std::uint64_t _task;
};

class Domain::Postman final : public exec::Job {
 public:
  explicit Postman(Domain& domain) noexcept : Job(Priority::high), _domain(domain) {
    exec::expect_job();
  }
  void run() noexcept override {
    Channel& channel = *_domain._channel;
    while (true) {
      // Between nodes nobody rings, so the one who looks does it for whoever sleeps on the bell.
      const exec::Activity activity(exec::Activity::Kind::service, "notes of other units' tasks");
      exec::Engine::instance().wait_shared(channel.bell(), [&](std::uint32_t) {
        const bool arrived = channel.arrived();
        if (arrived) channel.bell().wake();
        return arrived || _domain._dismissed.load(std::memory_order_acquire);
      });
      if (!channel.arrived()) break;
      channel.take_all([&](int source, const Note& note) { _domain.take(source, note); });
    }
    _domain._postman_here.store(false, std::memory_order_release);
    exec::Engine::instance().completed();
    delete this;
  }

 private:
  Domain& _domain;
};

Domain& Domain::instance() {
  // Never destroyed, as the engine.
  static Domain* const domain = new Domain();
  return *domain;
}

/// Adds a use to those of memory that no other unit can name, or to the others.
template <class PlainUses>
void Domain::sort_use(Task& task, const Dependency& dependency, PlainUses& plain,
                      std::unique_ptr<GlobalUses>& global) {
  const auto& [mode, address, gptr, nbytes] = dependency;
  if (nbytes == 0) return;
  if (address != nullptr && !(dash::is_initialized() && dart::is_own_memory(address))) {
    plain.push_back({exec::MemoryRange::of(address, nbytes), mode});
    return;
  }
  const GlobalMemoryRange place =
      address != nullptr ? GlobalMemoryRange::of(address, nbytes) : GlobalMemoryRange::of(gptr, nbytes);
  if (mode != exec::Access::in && _copies.any()) _copies.is_written(place);
  if (alone()) {
    plain.push_back({place.range, mode});
    return;
  }
  if (!global) global = std::make_unique<GlobalUses>();
  if (place.is_own()) {
    global->own.push_back({place.range, mode});
  } else {
    global->remote.push_back({place.owner, {gptr, nbytes, address_of(&task), mode}});
  }
}

/// Lets a task that uses global memory wait for the end of the phase, and for the owners.
void Domain::hold(Task& task, std::span<const exec::MemoryUse> plain,
                  std::unique_ptr<GlobalUses> global) {
  std::vector<int> owners;
  for (const auto& [owner, use] : global->remote)
    owners.push_back(owner);
  std::sort(owners.begin(), owners.end());
  owners.erase(std::unique(owners.begin(), owners.end()), owners.end());
  // In one step, so that the order of two tasks is one and the same in plain and in global memory.
  const std::lock_guard lock(_mutex);
  _graph.enter(task, plain);
  _held.push_back(&task);
  exec::TaskGraph::expect(task, static_cast<std::uint32_t>(1 + owners.size()));
  task._global = global.release();
}

void Domain::start(Task& task, std::span<const Dependency> dependencies) {
  _graph.add(task);
  std::array<std::byte, 512> room;  // enough for most tasks
  std::pmr::monotonic_buffer_resource memory(room.data(), room.size());
  std::pmr::vector<exec::MemoryUse> plain(&memory);
  std::unique_ptr<GlobalUses> global;
  std::exception_ptr error;
  try {
    plain.reserve(dependencies.size());
    for (const Dependency& dependency : dependencies)
      sort_use(task, dependency, plain, global);
    if (global && exec::in_job()) {
      throw exception::RuntimeError(
          "a task makes a task that uses global memory: its place in the order of all tasks would "
          "be a matter of chance; make it outside of tasks");
    }
    if (global) {
      hold(task, plain, std::move(global));
    } else {
      _graph.enter(task, plain);
    }
  } catch (...) {
    error = std::current_exception();
  }
  // It has its place, perhaps, and does nothing there.
  if (error != nullptr) task.disable();
  exec::TaskGraph::commit(task);
  if (error != nullptr) std::rethrow_exception(error);
}

Dependency Domain::start_copy(const CopyIn& copy) {
  const Dependency on_buffer{exec::Access::in, copy.buffer, DART_GPTR_NULL, copy.nbytes};
  if (copy.source.empty()) return on_buffer;
  if (_copies.has(copy, _graph)) return on_buffer;
  const auto copy_now = [runs = copy.source, to = copy.buffer] {
    dash::internal::Transfer transfer(dash::internal::caller_id_of(runs.front().gptr),
                                      dash::internal::Transfer::Mode::blocking);
    char* place = static_cast<char*>(to);
    for (const Dependency& run : runs) {
      transfer.get(place, run.gptr, run.nbytes);
      place += run.nbytes;
    }
    transfer.finish().wait();
  };
  Dependencies uses = copy.source;
  uses.push_back(on_buffer);
  uses.back().mode = exec::Access::out;
  auto* const task = new FunctionTask<decltype(copy_now)>(priority::high, copy_now);
  task->retain();  // while this function needs it
  try {
    const std::uint64_t begun = _copies.begin();
    start(*task, uses);
    _copies.add(copy, begun, *task);
  } catch (...) {
    task->release();
    throw;
  }
  task->release();
  return on_buffer;
}

/// Others read what a task has written when they are told that it is done. What is on its way to
/// units that it does not write to is not waited for: they might be silent.
void Domain::complete_writes(const GlobalUses& uses) {
  const dart_gptr_t* last = nullptr;
  for (const auto& [owner, use] : uses.remote) {
    if (use.mode == exec::Access::in) continue;
    const bool same =
        last != nullptr && last->segid == use.gptr.segid && last->unitid == use.gptr.unitid;
    last = &use.gptr;
    if (!same) dash::internal::check(dart_flush(use.gptr), "the end of a task's transfers");
  }
}

void Domain::finishes(Task& task) noexcept {
  const std::unique_ptr<GlobalUses> uses(std::exchange(task._global, nullptr));
  if (!uses) return;
  try {
    complete_writes(*uses);
  } catch (...) {
    _graph.cancel(std::current_exception());
  }
  const std::uint64_t flags = Note::done | (_graph.cancelled() ? Note::cancelled : 0);
  for (const GlobalUses::Grant& grant : uses->grants)
    _channel->send(grant.owner, {grant.reference | flags, 0});
}

void Domain::take(int source, const Note& note) {
  const std::uint64_t subject = note.subject & ~Note::flags;
  // The unit that failed says why.
  if ((note.subject & Note::cancelled) != 0) _graph.cancel(nullptr);
  if ((note.subject & Note::done) != 0) {
    auto& stand_in = *reinterpret_cast<StandIn*>(subject);
    _graph.finish(stand_in);
    stand_in.release();
    return;
  }
  Task& task = *reinterpret_cast<Task*>(subject);
  {
    const std::lock_guard lock(task._global->lock);
    task._global->grants.push_back({source, note.reference});
  }
  exec::TaskGraph::meet(task);
}

void Domain::open() {
  if (!_channel) {
    _channel = std::make_unique<Channel>();
    _graph.ring_when_finished(&_channel->bell());
  }
  if (_postman_here.exchange(true, std::memory_order_acq_rel)) return;
  _dismissed.store(false, std::memory_order_relaxed);
  exec::submit_job(*new Postman(*this));
}

/// Tells each owner what the held tasks use of its memory. \returns what the others use of this
/// unit's, by units \throws exception::RuntimeError on all units if one lacks the memory
std::vector<Domain::Uses> Domain::exchange(const std::vector<Task*>& held) {
  struct Offer {
    dart_gptr_t uses;
    std::uint64_t count;
  };
  const std::size_t units = dash::size();
  std::vector<Uses> mine(units);
  std::size_t total = 0;
  for (const Task* task : held) {
    for (const auto& [owner, use] : task->_global->remote)
      mine[static_cast<std::size_t>(owner)].push_back(use);
    total += task->_global->remote.size();
  }
  dart_gptr_t staging = DART_GPTR_NULL;
  const bool is_short = total != 0 && dart_memalloc(total * sizeof(GlobalUses::Remote),
                                                    DART_TYPE_BYTE, &staging) != DART_OK;
  // Who lacks the memory says so to all, which wait for its offers.
  constexpr std::uint64_t no_memory = ~std::uint64_t{0};
  std::vector<Offer> offers(units);
  std::size_t offset = 0;
  for (std::size_t unit = 0; unit < units; ++unit) {
    const std::size_t nbytes = mine[unit].size() * sizeof(GlobalUses::Remote);
    offers[unit] = {staging, is_short ? no_memory : mine[unit].size()};
    if (is_short || nbytes == 0) continue;
    offers[unit].uses.addr_or_offs.offset += offset;
    std::memcpy(dash::internal::local_address(offers[unit].uses), mine[unit].data(), nbytes);
    offset += nbytes;
  }
  std::vector<Offer> offered(units);
  dash::internal::check(
      dart_alltoall(offers.data(), offered.data(), sizeof(Offer), DART_TYPE_BYTE, DART_TEAM_ALL),
      "the exchange at the end of a phase");
  // All have read what was offered before, since they are here.
  if (!DART_GPTR_ISNULL(_staging)) dart_memfree(_staging);
  _staging = staging;
  for (std::size_t unit = 0; unit < units; ++unit) {
    if (offered[unit].count != no_memory) continue;
    DASH_THROW(exception::RuntimeError,
               "the end of a phase: unit " << unit << " has no memory for what its tasks use");
  }
  std::vector<Uses> uses(units);
  std::vector<exec::Operation> gets;
  for (std::size_t unit = 0; unit < units; ++unit) {
    if (offered[unit].count == 0) continue;
    uses[unit].resize(offered[unit].count);
    gets.push_back(dart::get_async(uses[unit].data(), offered[unit].uses,
                                   uses[unit].size() * sizeof(GlobalUses::Remote)));
  }
  for (exec::Operation& get : gets)
    get.wait();
  return uses;
}

void Domain::enter_own(const std::vector<Task*>& held) {
  for (Task* const task : held)
    _graph.enter(*task, task->_global->own);
}

void Domain::enter_others(int unit, const Uses& uses) {
  std::vector<exec::MemoryUse> of_task;
  for (std::size_t i = 0; i < uses.size();) {
    const std::uint64_t task = uses[i].task;
    of_task.clear();
    for (; i < uses.size() && uses[i].task == task; ++i) {
      void* const address = dash::internal::local_address(uses[i].gptr);
      of_task.push_back({exec::MemoryRange::of(address, uses[i].nbytes), uses[i].mode});
    }
    auto* const stand_in = new StandIn(*this, unit, task);
    _graph.add(*stand_in);
    _graph.enter(*stand_in, of_task);
    exec::TaskGraph::commit(*stand_in);
  }
}

void Domain::end_phase() {
  if (exec::in_job()) {
    throw exception::RuntimeError("a task ends a phase, which all units do outside of their tasks");
  }
  if (!alone()) {
    open();
    std::vector<Task*> held;
    {
      const std::lock_guard lock(_mutex);
      held.swap(_held);
    }
    std::vector<Uses> others;
    try {
      others = exchange(held);
    } catch (...) {
      // They wait for the end of the next one.
      const std::lock_guard lock(_mutex);
      _held.insert(_held.begin(), held.begin(), held.end());
      throw;
    }
    const auto me = static_cast<std::size_t>(dash::myid().id);
    for (std::size_t unit = 0; unit < others.size(); ++unit) {
      if (unit == me) {
        enter_own(held);
      } else {
        enter_others(static_cast<int>(unit), others[unit]);
      }
    }
    for (Task* const task : held)
      exec::TaskGraph::meet(*task);
  }
  _copies.forget();
  _phase.fetch_add(1, std::memory_order_relaxed);
}

void Domain::dismiss_postman() {
  _dismissed.store(true, std::memory_order_release);
  _channel->ring();
  exec::Engine::instance().wait_until(
      [this] { return !_postman_here.load(std::memory_order_acquire); });
}

void Domain::wait() {
  if (exec::in_job()) {
    throw exception::RuntimeError(
        "a task waits until all tasks have finished, itself included; it can wait for futures");
  }
  end_phase();
  if (alone()) return _graph.wait();
  {
    const exec::Purpose purpose("all tasks of this unit, in tasks::wait()");
    exec::Engine::instance().wait_shared(
        _channel->bell(), [this](std::uint32_t) { return _graph.unfinished() == 0; });
  }
  const std::exception_ptr error = _graph.error();
  const std::string text = error == nullptr ? "" : text_of(error);
  std::exception_ptr agreed;
  try {
    dash::internal::agree(Team::All(), "tasks::wait", error == nullptr ? nullptr : text.c_str());
  } catch (...) {
    agreed = std::current_exception();
  }
  // All tasks of all units are done: no note is on its way.
  dismiss_postman();
  _graph.reset();
  if (error != nullptr) std::rethrow_exception(error);
  if (agreed != nullptr) std::rethrow_exception(agreed);
}

void Domain::finish() {
  int left = _graph.unfinished() != 0 ? 1 : 0;
  dash::internal::check(dart_allreduce(&left, &left, 1, DART_TYPE_INT, DART_OP_MAX, DART_TEAM_ALL),
                        "the end of the tasks");
  if (left != 0) {
    try {
      wait();
    } catch (const std::exception& error) {
      core::log(core::LogLevel::error,
                std::string("a task that nobody waited for: ") + error.what());
    }
  }
  _copies.forget();
  _phase.store(0, std::memory_order_relaxed);
  if (!DART_GPTR_ISNULL(_staging)) dart_memfree(std::exchange(_staging, DART_GPTR_NULL));
  if (_postman_here.load(std::memory_order_acquire)) dismiss_postman();
  _graph.ring_when_finished(nullptr);
  _channel.reset();
}

}  // namespace dash::tasks::internal
