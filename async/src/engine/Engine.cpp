#include "dash/async/Engine.h"

#include "copy/BytesCopy.h"
#include "engine/EngineImpl.h"
#include "dash/core/OtherProcesses.h"

namespace dash::exec {

namespace {

/// Sleep of a worker that polls for jobs that wait.
constexpr std::int64_t worker_nap = 50 * microsecond;

constinit thread_local int polls_entered = 0;

}  // namespace

bool on_progress_thread() noexcept {
  return is_progress_thread;
}

InPoll::InPoll() noexcept {
  ++polls_entered;
}
InPoll::~InPoll() {
  --polls_entered;
}
bool InPoll::active() noexcept {
  return polls_entered != 0;
}

Engine::Engine() : _impl(std::make_unique<Impl>()) {}
Engine::~Engine() = default;

Engine& Engine::instance() {
  // Never destroyed: threads of the application may still complete states at exit.
  static Engine* const engine = new Engine();
  return *engine;
}

void Engine::start(const Options& options) {
  _impl->options = options;
  _impl->load = options.host_load != nullptr ? options.host_load : &_impl->own_load;
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
  _impl->options = {};
}

bool Engine::has_thread() const noexcept {
  return _impl->thread_runs.load(std::memory_order_relaxed);
}

void Engine::add_source(PollSource& source) {
  _impl->sources.push_back(&source);
  if (auto* const looking = dynamic_cast<PolledSource*>(&source))
    _impl->looking.push_back(looking);
}

void Engine::remove_source(PollSource& source) noexcept {
  std::erase(_impl->sources, &source);
  std::erase(_impl->looking, &source);
}

Operation Engine::copy_async(void* dest, const void* src, std::size_t nbytes) {
  return copy_async(*new BytesCopy(dest, src, nbytes));
}

Operation Engine::copy_async(CopyJob& job) {
  Operation operation(StatePtr<State>::share(&job));
  _impl->copies.submit(job);
  // A thread that dozes, beside callers who copy for themselves, looks soon enough.
  if (!_impl->dozes()) notify();
  return operation;
}

void Engine::notify() noexcept {
  _impl->work.notify_all();
}
void Engine::take_over() noexcept {
  // However it sleeps: it may have found nothing in flight a moment ago.
  _impl->end_doze();
}
bool Engine::progress() noexcept {
  const bool did = _impl->progress();
  if (did) _impl->wake_if_behind();
  if (_impl->jobs.yield()) return did;
  const bool others_run_jobs = _impl->jobs.workers() > 1;
  if (others_run_jobs || !_impl->may_run_jobs()) return did;
  const bool ran = _impl->jobs.run_some(1, [] { return true; });
  if (_impl->jobs.watches()) notify();
  return ran || did;
}
bool Engine::progress_as_worker() noexcept {
  const bool did = _impl->progress();
  if (did) _impl->wake_if_behind();
  return did;
}
bool Engine::needs_callers() const noexcept {
  return _impl->caller_must_poll();
}
bool Engine::has_continuations() const noexcept {
  return !_impl->ready.empty();
}
void Engine::nap() noexcept {
  const auto key = _impl->completions.prepare();
  if (_impl->jobs.has_work() || !_impl->ready.empty()) {
    _impl->completions.cancel();
  } else {
    core::count(core::Counter::caller_sleeps);
    _impl->completions.wait(key, worker_nap);
  }
}
void Engine::wait_until(FunctionRef<bool()> done) {
  wait_until(done, never);
}
bool Engine::wait_until(FunctionRef<bool()> done, std::uint64_t deadline_ns) {
  core::before_other_processes();
  const bool is_done = _impl->wait_until(done, deadline_ns);
  core::after_other_processes();
  return is_done;
}
void Engine::wait_shared(SharedWord& word, FunctionRef<bool(std::uint32_t)> done) {
  core::before_other_processes();
  _impl->wait_shared(word, done);
  core::after_other_processes();
}

void Engine::completed() noexcept {
  _impl->completions.notify_all();
}

void Engine::closed() noexcept {
  _impl->completions.notify_registered();
}

void Engine::post(Continuation& continuation) noexcept {
  _impl->post(continuation);
}

}  // namespace dash::exec
