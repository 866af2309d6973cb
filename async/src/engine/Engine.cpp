#include "dash/async/Engine.h"

#include "copy/BytesCopy.h"
#include "dash/core/OtherProcesses.h"
#include "engine/EngineImpl.h"

namespace dash::exec {

namespace {

/// Sleep of a worker that polls for suspended jobs.
constexpr std::int64_t worker_sleep_ns = 50 * microsecond;

}  // namespace

Engine::Engine() : _impl(std::make_unique<Impl>()) {}
Engine::~Engine() = default;

Engine& Engine::instance() {
  // Never destroyed: threads of the application may still complete states at exit.
  static Engine* const engine = new Engine();
  return *engine;
}

ProgressService& progress_service() noexcept {
  return *Engine::instance()._impl;
}

Scheduler& Scheduler::instance() noexcept {
  return Engine::instance()._impl->jobs;
}

void Engine::start(const Options& options) {
  _impl->options = options;
  _impl->load = options.host_load != nullptr ? options.host_load : &_impl->own_load;
  _impl->waiting_callers =
      options.waiting_callers != nullptr ? options.waiting_callers : &_impl->own_waiting_callers;
  _impl->load->awake.fetch_add(1, std::memory_order_relaxed);
  _impl->load->occupy(options.main_processors);
  is_main_thread = true;
  _impl->copies.set_domains(options.domains);
  if (options.mode == core::ProgressMode::poll) return;
  _impl->stop_thread.store(false, std::memory_order_relaxed);
  _impl->thread_runs.store(true, std::memory_order_relaxed);
  _impl->thread = std::thread([this] { _impl->run_thread(); });
}

void Engine::stop() noexcept {
  if (_impl->thread.joinable()) {
    _impl->stop_thread.store(true, std::memory_order_seq_cst);
    _impl->work.notify_all();
    _impl->thread.join();
    _impl->thread_runs.store(false, std::memory_order_relaxed);
  }
  while (_impl->run_continuations()) {
  }
  is_main_thread = false;
  _impl->load->vacate(_impl->options.main_processors);
  _impl->load->awake.fetch_sub(1, std::memory_order_relaxed);
  _impl->load = &_impl->own_load;
  _impl->waiting_callers = &_impl->own_waiting_callers;
  _impl->options = {};
}

bool Engine::has_thread() const noexcept {
  return _impl->thread_runs.load(std::memory_order_relaxed);
}

void Engine::add_source(PollSource& source) {
  _impl->sources.push_back(&source);
  if (auto* const fast = dynamic_cast<FastPollSource*>(&source))
    _impl->fast_sources.push_back(fast);
}

void Engine::remove_source(PollSource& source) noexcept {
  std::erase(_impl->sources, &source);
  std::erase(_impl->fast_sources, &source);
}

Operation Engine::copy_async(void* dest, const void* src, std::size_t nbytes) {
  return copy_async(*new BytesCopy(dest, src, nbytes));
}

Operation Engine::copy_async(CopyJob& job) {
  Operation operation(StatePtr<State>::share(&job));
  _impl->copies.submit(job);
  notify_soon();  // a thread that has backed off, since callers do the copying, checks the queue soon enough
  return operation;
}

void Engine::notify() noexcept {
  _impl->notify_thread();
}
void Engine::notify_soon() noexcept {
  if (!_impl->is_backed_off()) notify();
}
void Engine::wake_callers() noexcept {
  _impl->wake_callers();
}
void Engine::wake_progress_thread() noexcept {
  // Where units share processors, the thread would take the processor from other units that compute.
  if (_impl->options.units_share_processors) return notify_soon();
  // Notify in any case: the thread may sleep because it has just found nothing in flight.
  _impl->end_back_off();
}
bool Engine::progress() noexcept {
  return _impl->progress();
}
bool Engine::progress_without_jobs() noexcept {
  return _impl->progress_without_jobs();
}
void Engine::serve(bool on_any_thread) noexcept {
  if (on_any_thread ? !is_progress_thread : is_main_thread) _impl->poll_sources(false);
}
void Engine::wait_until(FunctionRef<bool()> done) {
  _impl->wait_until(done, no_deadline);
}
bool Engine::wait_until(FunctionRef<bool()> done, std::uint64_t deadline_ns) {
  return _impl->wait_until(done, deadline_ns);
}
void Engine::wait_shared(SharedWord& word, FunctionRef<bool(std::uint32_t)> done) {
  core::before_other_processes();
  _impl->wait_shared(word, done);
  core::after_other_processes();
}
void Engine::completed() noexcept {
  _impl->notify_completion();
}

/// Within a poll, no other function of the application may run, and sources are not polled again.
bool Engine::Impl::progress() noexcept {
  if (PollScope::active()) return false;
  const bool made_progress = progress_without_jobs();
  if (jobs.yield()) return made_progress;
  const bool others_run_jobs = jobs.workers() > 1;
  if (others_run_jobs || !may_run_jobs()) return made_progress;
  const bool ran = jobs.run_some(1, [] { return true; });
  leave_suspended_jobs();
  return ran || made_progress;
}

bool Engine::Impl::progress_without_jobs() noexcept {
  if (PollScope::active()) return false;
  const bool made_progress = poll_once();
  if (made_progress) wake_if_words_changed();
  return made_progress;
}

bool Engine::Impl::callers_must_poll() const noexcept {
  const bool thread_helps = thread_runs.load(std::memory_order_relaxed);
  for (const PollSource* source : sources) {
    if (thread_helps && source->thread_may_poll()) continue;
    if (source->has_demand()) return true;
  }
  return false;
}

void Engine::Impl::sleep_briefly() noexcept {
  const auto key = completions.prepare();
  if (jobs.has_work() || !ready.empty()) {
    completions.cancel();
  } else {
    core::count(core::Counter::caller_sleeps);
    completions.wait(key, worker_sleep_ns);
  }
}

void Engine::Impl::wait_for(State& state) {
  check_may_wait();
  if (jobs.suspend_until(state)) return;
  wait_until([&state] { return state.done(); }, no_deadline);
}

bool Engine::Impl::wait_until(FunctionRef<bool()> done, std::uint64_t deadline_ns) {
  core::before_other_processes();
  const bool is_done = wait_until_done(done, deadline_ns);
  core::after_other_processes();
  return is_done;
}

}  // namespace dash::exec
