#include "dash/Init.h"

#include <exception>

#include "dash/Exception.h"
#include "dash/Team.h"
#include "dash/async/Engine.h"
#include "dash/dart/Access.h"
#include "dash/dart/Placement.h"
#include "dash/dart/if/dart.h"
#include "dash/rpc/Calls.h"
#include "dash/util/Config.h"
#include "tasks/TaskDomain.h"

namespace dash {

namespace {

// Modified only by init() and finalize(), which must not be concurrent with other calls.
bool started = false;
bool multithreaded = false;

}  // namespace

void init(int* argc, char*** argv) {
  // If the runtime is already running, the application has started it, on processes of its choice.
  if (started || !dart_initialized()) {
    dart_thread_support_level_t level = DART_THREAD_SINGLE;
    if (const auto ret = dart_init_thread(argc, argv, &level); ret != DART_OK) {
      dart::throw_last_error(ret, "dash::init");
    }
  }
  started = true;
  multithreaded = dart::placement().multithreaded;
  util::Config::init();
  Team::initialize();
  internal::accept_calls();
}

void finalize() {
  if (!is_initialized()) return;
  // All tasks and calls have ended before the barrier, since they may access data that those of other units use.
  auto& domain = tasks::internal::TaskDomain::instance();
  internal::finish_calls([&] { domain.finish(); });
  domain.finalize();
  Team::All().barrier();
  std::exception_ptr error;
  try {
    Team::finalize();
  } catch (...) {
    error = std::current_exception();
  }
  started = false;
  multithreaded = false;
  if (const auto ret = dart_exit(); ret != DART_OK) dart::throw_last_error(ret, "dash::finalize");
  if (error) std::rethrow_exception(error);
}

bool is_initialized() noexcept {
  return dart_initialized();
}

bool is_multithreaded() noexcept {
  return multithreaded;
}

global_unit_t myid() noexcept {
  return Team::GlobalUnitID();
}

std::size_t size() noexcept {
  return Team::All().size();
}

void barrier() {
  Team::All().barrier();
}

bool progress() {
  if (!is_initialized()) {
    DASH_THROW(exception::RuntimeError,
               "dash::progress: called before dash::init or after dash::finalize");
  }
  return exec::Engine::instance().progress();
}

void abort(int error_code) {
  dart_abort(error_code);
}

void abort() {
  dart_abort(DART_EXIT_ABORT);
}

}  // namespace dash
