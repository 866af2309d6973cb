#include "api/Boundary.h"
#include "base/MpiCheck.h"
#include "dash/async/Engine.h"
#include "dash/dart/Mpi.h"
#include "dash/dart/Placement.h"
#include "dash/dart/if/dart_config.h"
#include "dash/dart/if/dart_initialization.h"

namespace dart = dash::dart;

namespace {

dart_thread_support_level_t thread_level() {
  return dart::Runtime::get().session().has_thread_multiple() ? DART_THREAD_MULTIPLE
                                                              : DART_THREAD_SINGLE;
}

}  // namespace

extern "C" {

dart_ret_t dart_init(int* argc, char*** argv) noexcept {
  return dart::guarded("dart_init", [&] { dart::Runtime::start(argc, argv); });
}

dart_ret_t dart_init_thread(int* argc, char*** argv,
                            dart_thread_support_level_t* provided) noexcept {
  return dart::guarded("dart_init_thread", [&] {
    if (provided == nullptr) dart::throw_error(DART_ERR_INVAL, "provided is NULL");
    dart::Runtime::start(argc, argv);
    *provided = thread_level();
  });
}

dart_ret_t dart_init_comm(MPI_Comm communicator, dart_thread_support_level_t* provided) noexcept {
  return dart::guarded("dart_init_comm", [&] {
    dart::Runtime::start(communicator);
    if (provided != nullptr) *provided = thread_level();
  });
}

dart_ret_t dart_team_communicator(dart_team_t teamid, MPI_Comm* communicator) noexcept {
  return dart::with_output("dart_team_communicator", communicator, "communicator", MPI_COMM_NULL,
                           [&](dart::Runtime& runtime) {
                             *communicator = runtime.team(teamid).communicator();
                             runtime.driver().poller().poll_for_application();
                           });
}

dart_ret_t dart_exit(void) noexcept {
  return dart::guarded("dart_exit", [] {
    if (!dart_initialized())
      dart::throw_error(DART_ERR_OTHER, "not initialized, or exited already");
    dart::Runtime::stop();
  });
}

bool dart_initialized(void) noexcept {
  return dart::Runtime::find() != nullptr;
}

void dart_abort(int errorcode) noexcept {
  try {
    dart::abort_job(errorcode, fmt::format("aborts the job with code {}", errorcode).c_str());
  } catch (...) {
    dart::abort_job(errorcode, "aborts the job");
  }
}

dart_ret_t dart_progress(void) noexcept {
  return dart::with_runtime("dart_progress",
                            [](dart::Runtime&) { dash::exec::Engine::instance().progress(); });
}

dart_ret_t dart_progress_test(int32_t* advanced) noexcept {
  return dart::with_output("dart_progress_test", advanced, "advanced", 0, [&](dart::Runtime&) {
    *advanced = dash::exec::Engine::instance().progress() ? 1 : 0;
  });
}

void dart_config(dart_config_t** config_out) noexcept {
  static dart_config_t config{1};
  static const bool is_connected = [] {
    dash::core::use_log_switch(&config.log_enabled);
    return true;
  }();
  static_cast<void>(is_connected);
  if (config_out != nullptr) *config_out = &config;
}

}  // extern "C"

namespace dash::dart {

Placement placement() {
  Session& session = Runtime::get().session();
  const Layout& layout = session.layout();
  Placement result;
  result.units = layout.nunits;
  result.nodes = layout.nnodes;
  result.hosts = layout.nhosts;
  result.processors = session.share().count();
  result.oversubscribed = session.oversubscribed();
  result.multithreaded = session.has_thread_multiple();
  if (session.processes().has_progress_processes) {
    result.progress = "progress processes";
  } else if (!exec::Engine::instance().has_thread()) {
    result.progress = "poll";
  } else {
    result.progress = session.has_thread_multiple() ? "thread" : "thread for copies, poll for MPI";
  }
  result.registered_heap = session.first_window() == nullptr ? "nothing"
                           : session.plan().has_slabs        ? "slabs"
                                                             : "whole";
  return result;
}

}  // namespace dash::dart
