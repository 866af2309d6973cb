#include "api/Runtime.h"

#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/MpiCheck.h"
#include "base/Types.h"
#include "dash/async/Executor.h"
#include "dash/core/Log.h"
#include "dash/core/Settings.h"
#include "dash/core/Trace.h"
#include "dash/core/Tuning.h"
#include "dash/dart/Atomic.h"
#include "dash/dart/MpiLibrary.h"
#include "dash/dart/if/dart_initialization.h"
#include "launch/BootstrapCollectives.h"
#include "launch/CrashReport.h"
#include "progress_processes/ProgressProcess.h"
#include "teams/collectives/AsyncCollectives.h"
#include "transfer/SignalWatch.h"
#include "transfer/StreamSource.h"
#include "transfer/TransferCalibration.h"

namespace dash::dart {

namespace {

std::unique_ptr<Runtime>& live_runtime() {
  // Never destroyed at the end of the process: that would free memory that a running thread uses.
  static auto* const runtime = new std::unique_ptr<Runtime>();
  return *runtime;
}

/// Aborts the job if a unit exits without dart_exit, because all others would wait for it. A forked
/// child, which is not part of the job, may exit.
void at_process_exit() {
  const Runtime* const runtime = live_runtime().get();
  if (runtime == nullptr || ::getpid() != runtime->process()) return;
  abort_job(DART_EXIT_ABORT, "exits without dart_exit (dash::finalize); the job ends");
}

/// Spin time of a waiting caller where each unit has a processor: about the 15 to 30 us that a
/// wake-up costs.
constexpr std::uint64_t caller_spin_ns = 50'000;
/// Spin time of the progress thread after its last copy, so that it is awake for a following copy.
constexpr std::uint64_t thread_spin_ns = 200'000;

/// Agrees on diagnostics. An invalid setting of one unit is an error on all units, before any unit
/// waits for another.
Runtime::Diagnostics agree_on_settings(Session& session, const std::string& error) {
  int largest[] = {error.empty() ? 0 : 1, core::settings().statistics ? 1 : 0,
                   static_cast<int>(core::settings().watchdog_s)};
  allreduce(largest, std::size(largest), MPI_INT, MPI_MAX, session.world());
  // The next start makes a session with other settings, if this is possible: MPI is initialized once, and
  // progress processes exit with their session.
  if (largest[0] != 0 && !session.mpi().owns_mpi && !session.processes().has_progress_processes)
    Session::discard(session);
  if (!error.empty()) throw exception::InvalidArgument(error);
  if (largest[0] != 0) throw_error(DART_ERR_INVAL, "another unit has an invalid setting");
  return {largest[1] != 0, static_cast<unsigned>(largest[2])};
}

/// Sets the unit of the log before MPI is initialized, so that one unit warns for all. Later sessions keep the unit of
/// the first one: with progress processes, it is not the rank.
void take_rank_from_launcher() {
  if (core::log_unit() >= 0) return;
  // Variables of launchers of MPICH and of Open MPI.
  constexpr const char* names[][2] = {{"PMI_RANK", "PMI_SIZE"},
                                      {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"}};
  for (const auto& [rank_name, size_name] : names) {
    const char* const rank = std::getenv(rank_name);
    const char* const size = std::getenv(size_name);
    if (rank == nullptr || size == nullptr) continue;
    core::set_log_unit(std::atoi(rank), std::atoi(size));
    return;
  }
}

int requested_progress_processes() {
  const core::Settings& settings = core::settings();
  return settings.progress == core::ProgressMode::ranks ? static_cast<int>(settings.progress_ranks)
                                                        : 0;
}

std::string setting_error(const Session& session) {
  const int progress_processes = session.roles().progress_processes_per_node;
  if (requested_progress_processes() != progress_processes) {
    return fmt::format(
        "DART_PROGRESS and DART_PROGRESS_RANKS request {} progress processes per node, but the "
        "first dart_init has made {}; set the same values in each call",
        requested_progress_processes(), progress_processes);
  }
  if (core::settings().progress == core::ProgressMode::thread && !session.has_thread_multiple()) {
    return session.mpi().owns_mpi
               ? "DART_PROGRESS=thread needs MPI_THREAD_MULTIPLE, but this MPI does not support "
                 "it; use DART_PROGRESS=auto"
               : "DART_PROGRESS=thread needs MPI_THREAD_MULTIPLE, but the application initialized "
                 "MPI with less; use DART_PROGRESS=auto, or MPI_Init_thread(..., "
                 "MPI_THREAD_MULTIPLE, ...)";
  }
  if (static_cast<int>(core::settings().node_units) != session.node_units()) {
    return fmt::format(
        "DART_NODE_UNITS is {} on unit {}, but the nodes were divided with {}; set the same value "
        "for all units before the first dart_init",
        core::settings().node_units, session.layout().unit, session.node_units());
  }
  const core::HeapRegister heap_register = core::settings().heap_register;
  if (heap_register != session.heap_register()) {
    // In the order of the values.
    constexpr std::array<const char*, 3> names{"auto", "slabs", "whole"};
    return fmt::format(
        "DART_HEAP_REGISTER is {} on unit {}, but the heaps are registered with {}; set the same "
        "value for all units before the first dart_init",
        names[static_cast<std::size_t>(heap_register)], session.layout().unit,
        names[static_cast<std::size_t>(session.heap_register())]);
  }
  return {};
}

/// How often units that wait poll MPI for the application.
std::uint64_t application_poll_ns(const Session& session) {
  switch (core::settings().application_mpi) {
    case core::ApplicationMpi::yes:
      return NetworkConfig::often_ns;
    case core::ApplicationMpi::no:
      return NetworkConfig::never_ns;
    case core::ApplicationMpi::automatic:
      break;
  }
  return session.mpi().owns_mpi ? NetworkConfig::rarely_ns : NetworkConfig::often_ns;
}

/// Whether the progress thread may call MPI. With progress processes it need not, and their units may have an MPI
/// without MPI_THREAD_MULTIPLE.
bool thread_may_call_mpi(const Session& session) {
  return session.has_thread_multiple() && !session.processes().has_progress_processes;
}

/// The name of a progress process in messages.
std::string name_of_progress_process(const std::vector<std::int32_t>& units) {
  if (units.size() == 1) return fmt::format("progress process of unit {}", units[0]);
  if (units.back() - units.front() + 1 == std::ssize(units))
    return fmt::format("progress process of units {} to {}", units.front(), units.back());
  std::string list;
  for (const std::int32_t unit : units)
    list += (list.empty() ? "" : ", ") + std::to_string(unit);
  return fmt::format("progress process of units {}", list);
}

/// Serves the units of this node until these have ended the session, then exits. \blocks until then
/// \throws Error if the units could not start the session
[[noreturn]] void serve_units(Session& session) {
  static const std::string name = name_of_progress_process(session.roles().served_units);
  core::set_log_name(name.c_str());
  if (core::settings().signals == core::SignalMode::automatic) install_crash_report(name);
  const MpiLifetime mpi = session.mpi();
  bool is_complete = false;
  try {
    is_complete = ProgressProcess(session).run();
    remove_crash_report();
    Session::discard(session);
    if (mpi.owns_mpi) {
      finalize_mpi(mpi);
    } else if (is_complete) {
      // Without a timeout, since other processes of the application may arrive later.
      MPI_Finalize();
    }
  } catch (const std::exception& error) {
    core::log(core::LogLevel::error, fmt::format("a progress process failed: {}", error.what()));
    abort_mpi(MPI_COMM_WORLD, DART_EXIT_ABORT);
  }
  if (!is_complete)
    throw_error(DART_ERR_NOMEM, "the units that this progress process serves could not start");
  std::exit(EXIT_SUCCESS);
}

}  // namespace

Runtime* Runtime::find() noexcept {
  return live_runtime().get();
}

Runtime& Runtime::get() {
  Runtime* const runtime = live_runtime().get();
  if (runtime == nullptr) throw_error(DART_ERR_NOTINIT, "not between dart_init and dart_exit");
  return *runtime;
}

Team& Runtime::team(dart_team_t id) {
  Team* const team = _teams.find(id);
  if (team == nullptr) throw_error(DART_ERR_INVAL, "{} is not the id of a live team", id);
  return *team;
}

std::size_t Runtime::bytes_of(std::size_t nelem, dart_datatype_t type) const {
  if (is_basic_type(type)) return size_in_bytes(nelem, type);
  const std::size_t size = _types.element_bytes(type);
  std::size_t total = 0;
  if (__builtin_mul_overflow(nelem, size, &total)) {
    throw_error(DART_ERR_INVAL, "{} elements of {} bytes exceed the address space", nelem, size);
  }
  return total;
}

void Runtime::destroy(Team& team) {
  if (team.id() == DART_TEAM_ALL) {
    throw_error(DART_ERR_INVAL, "the team of all units ends with dart_exit, not before");
  }
  for (const std::int16_t segid : team.segments())
    _pending_operations.flush(segid, PendingOperations::any_unit);
  AsyncCollectives::instance().finish(team);
  team.barrier();
  _memory.clear(team);
  _allocators.forget(team.id());
  _locks.forget(team.id());
  _locality.forget(team.id(), true);
  _teams.destroy(team);
}

void Runtime::start(int* argc, char*** argv) {
  take_rank_from_launcher();
  start([&](const std::string& settings_error) -> Session& {
    return Session::acquire(argc, argv, settings_error);
  });
}

void Runtime::start(MPI_Comm communicator) {
  start([&](const std::string& settings_error) -> Session& {
    return Session::acquire(communicator, settings_error);
  });
}

void Runtime::start(exec::FunctionRef<Session&(const std::string&)> acquire) {
  if (live_runtime() != nullptr) throw_error(DART_ERR_OTHER, "already initialized");
  std::string error;
  try {
    core::load_settings(core::tuned_machine(mpi_library()));
  } catch (const exception::InvalidArgument& invalid) {
    error = invalid.what();
  }
  Session& session = acquire(error);
  if (session.is_progress_process()) serve_units(session);
  if (error.empty()) error = setting_error(session);
  const Diagnostics diagnostics = agree_on_settings(session, error);
  Session::on_mpi_end(&Runtime::abandon);
  live_runtime() = std::make_unique<Runtime>(session, diagnostics);
  static const int registered = std::atexit(at_process_exit);
  static_cast<void>(registered);
}

Runtime::Runtime(Session& session, const Diagnostics& diagnostics)
    : _session(session),
      _process(::getpid()),
      _statistics(diagnostics.statistics),
      _driver({session.processes(), session.layout().nunits, session.layout().nnodes,
               thread_may_call_mpi(session), session.oversubscribed(), application_poll_ns(session),
               session.own_heap(), session.own_received(), session.layout().unit,
               session.wake_words(), session.delegation()}),
      _heap(session, _driver),
      _teams(session, _driver, _heap),
      _memory(session, _driver, _heap, _teams.all()),
      _two_sided(session, _driver, _memory),
      _task_messages(session, _driver, _memory),
      _stream_config{session.world(), _two_sided.largest_tag(), session.oversubscribed()},
      _locks(_memory),
      _locality(session.hardware()),
      _watchdog(session, _driver, diagnostics.watchdog_s) {
  if (core::settings().signals == core::SignalMode::automatic) {
    install_crash_report(
        fmt::format("unit {} of {}", session.layout().unit, session.layout().nunits));
  }
  start_progress();
  try {
    _driver.set_protocols(choose_transfer_protocols(_session, _driver, _memory, all()));
    _timeline.agree_on_zero(session, all());
    _watchdog.start();
    _statistics.begin(_session);
  } catch (...) {
    stop_progress();  // the progress thread polls the members
    throw;
  }
}

void Runtime::start_progress() {
  const core::Settings& settings = core::settings();
  const bool oversubscribed = _session.oversubscribed();
  _is_bound = settings.bind == core::BindMode::automatic && !oversubscribed;
  if (_is_bound) core::bind_this_thread(_session.share());
  // Jobs may call MPI, so the workers run jobs only if MPI was initialized with
  // MPI_THREAD_MULTIPLE.
  const int processors = _session.share().count();
  exec::set_executor_workers(processors > 0 && !oversubscribed ? processors : 1,
                             _session.has_thread_multiple());
  exec::Engine::Options options;
  options.mode = settings.progress == core::ProgressMode::ranks ? core::ProgressMode::automatic
                                                                : settings.progress;
  if (settings.spin_us >= 0) {
    options.caller_spin_ns = static_cast<std::uint64_t>(settings.spin_us) * 1000;
  } else {
    options.caller_spin_ns = oversubscribed ? 0 : caller_spin_ns;
    options.caller_yields = oversubscribed;
  }
  options.units_share_processors = oversubscribed;
  options.thread_spin_ns = thread_spin_ns;
  options.service_interval_ns = static_cast<std::uint64_t>(settings.poll_interval_us) * 1000;
  options.thread_processors =
      _session.share().count() >= 2 && !oversubscribed ? _session.share() : _session.unreserved();
  if (_is_bound) options.num_own_processors = _session.share().count();
  if (options.num_own_processors == 1) options.main_processors = _session.share();
  options.domains = _session.domains();
  options.host_load = &_session.host_load();
  options.waiting_callers =
      &TaskMessages::mailbox_of_slot(_session, _session.layout().slot()).waiting_callers;
  exec::Engine& engine = exec::Engine::instance();
  engine.add_source(_driver.poller());
  engine.add_source(SignalWatch::instance());
  engine.add_source(StreamSource::instance());
  StreamSource::instance().set_thread_may_poll(thread_may_call_mpi(_session));
  _global_copies.set_thread_may_poll(thread_may_call_mpi(_session));
  engine.add_source(_global_copies);
  AsyncCollectives::instance().set_thread_may_poll(thread_may_call_mpi(_session) ||
                                                   _session.layout().nnodes == 1);
  engine.add_source(AsyncCollectives::instance());
  engine.add_source(_task_messages);
  engine.start(options);
  callers_serve_other_nodes = _session.layout().nnodes > 1 &&
                              !_session.processes().has_progress_processes &&
                              !(engine.has_thread() && thread_may_call_mpi(_session));
}

bool callers_serve_other_nodes = false;

void serve_other_nodes(const void* element) noexcept {
  constinit thread_local const void* last = nullptr;
  constinit thread_local unsigned repetitions = 0;
  if (element != std::exchange(last, element)) repetitions = 0;
  if (++repetitions % 16 != 0) return;
  exec::Engine::instance().serve(Runtime::get().session().has_thread_multiple());
}

void abort_job(int code, const char* reason) noexcept {
  // MPI_Abort runs the exit handlers. Relaxed: only one exchange returns false, and it publishes no
  // data.
  static std::atomic<bool> aborting{false};
  const Runtime* const runtime = live_runtime().get();
  if (runtime != nullptr && ::getpid() != runtime->process()) std::_Exit(code);
  int initialized = 0;
  int finalized = 0;
  MPI_Initialized(&initialized);
  MPI_Finalized(&finalized);
  if (aborting.exchange(true, std::memory_order_relaxed) || initialized == 0 || finalized != 0)
    std::_Exit(code);
  core::log(core::LogLevel::error, fmt::format("unit {} {}", core::log_unit(), reason));
  abort_mpi(MPI_COMM_WORLD, code);
}

Runtime::~Runtime() {
  stop_progress();
}

void Runtime::stop_progress() noexcept {
  remove_crash_report();
  callers_serve_other_nodes = false;
  exec::stop_executor();
  exec::Engine& engine = exec::Engine::instance();
  engine.stop();
  engine.remove_source(_task_messages);
  engine.remove_source(AsyncCollectives::instance());
  engine.remove_source(_global_copies);
  engine.remove_source(StreamSource::instance());
  engine.remove_source(SignalWatch::instance());
  SignalWatch::instance().fail_all("the runtime ended before the signal reached the value");
  engine.remove_source(_driver.poller());
  if (_is_bound) core::bind_this_thread(_session.allowed());
}

void Runtime::stop() {
  Runtime& runtime = get();
  runtime._statistics.end(runtime._session);
  runtime.drain();
  runtime._timeline.write(runtime.all());
  runtime._statistics.print(runtime._session, runtime.all());
  const MpiLifetime mpi = runtime._session.mpi();
  live_runtime().reset();
  Session::release_if_owned(mpi);
}

void Runtime::abandon() noexcept {
  if (live_runtime() == nullptr) return;
  core::log(core::LogLevel::warn, "MPI is being finalized before dart_exit");
  live_runtime().reset();
}

/// Completes all operations of this unit, and handles all messages to it.
void Runtime::drain() {
  const core::TraceSpan span(core::TraceKind::call, "dart_exit");
  exec::finish_jobs();
  _teams.for_each([](Team& team) { AsyncCollectives::instance().finish(team); });
  _pending_operations.settled().wait();  // a failed operation does not keep the other units waiting
  exec::Engine& engine = exec::Engine::instance();
  engine.wait_until([this] { return _driver.in_flight() == 0; });
  // On one node, too, messages about registered memory may be in flight.
  _driver.begin_node_messages();
  _watchdog.stop_sending();
  std::vector<std::uint64_t> messages = _driver.sent();
  all().allreduce(messages.data(), messages.data(), messages.size(), DART_TYPE_ULONGLONG,
                  DART_OP_SUM);
  const std::uint64_t expected = messages[static_cast<std::size_t>(all().my_id())];
  engine.wait_until([this, expected] { return _driver.received() >= expected; });
  // The remaining teams are destroyed in the order of their ids, which is the same on all units.
  all().barrier();
  _teams.for_each([this](Team& team) {
    if (team.id() != DART_TEAM_ALL) destroy(team);
  });
  _memory.clear(all());
  all().collectives().queue().reset_after_mismatch();
  // After this barrier a unit may stop making progress: all units have received their messages.
  all().barrier();
  engine.wait_until([this] { return _driver.in_flight() == 0; });
}

}  // namespace dash::dart
