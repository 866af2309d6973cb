// Stacks that can be left, over Boost.Context's switch; why this one: docs/decisions/007.
//
// A function that runs on a fiber may go on on another thread after it was suspended. Compilers
// keep addresses of thread_local variables over calls, so nothing here reads one on both sides of a
// switch on a fiber's stack: resume() does, on the stack of a thread.

#include "executor/Fiber.h"

#include <cxxabi.h>
#include <oneapi/tbb/task.h>
#include <sys/mman.h>

#include <boost/context/detail/fcontext.hpp>
#include <new>
#include <utility>

#include "dash/core/Memory.h"
#include "dash/core/Settings.h"
#include "dash/core/Statistics.h"
#include "dash/core/Trace.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define DASH_FIBERS_ASAN
#endif
#if __has_feature(thread_sanitizer)
#define DASH_FIBERS_TSAN
#endif
#endif
#ifdef __SANITIZE_ADDRESS__
#define DASH_FIBERS_ASAN
#endif
#ifdef __SANITIZE_THREAD__
#define DASH_FIBERS_TSAN
#endif
#ifdef DASH_FIBERS_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#ifdef DASH_FIBERS_TSAN
#include <sanitizer/tsan_interface.h>
#endif

// Of OpenMP, if the application uses it.
extern "C" int omp_get_level(void) __attribute__((weak));

namespace dash::exec {

namespace {

namespace context = boost::context::detail;

thread_local Fiber* current_fiber = nullptr;

/// What the C++ runtime keeps of a thread's exceptions (Itanium ABI): those being handled, and how
/// many are on their way.
struct Exceptions {
  void* caught = nullptr;
  unsigned int uncaught = 0;

  static Exceptions& of_this_thread() noexcept {
    return *reinterpret_cast<Exceptions*>(abi::__cxa_get_globals());
  }
};

/// What other schedulers are doing on the calling thread.
struct Surroundings {
  const void* tbb = nullptr;
  int omp_level = 0;

  static Surroundings now() noexcept {
    return {tbb::task::current_context(), omp_get_level == nullptr ? 0 : omp_get_level()};
  }
  friend bool operator==(const Surroundings&, const Surroundings&) = default;
};

#ifdef DASH_FIBERS_ASAN
/// Instrumented frames are larger.
constexpr std::size_t stack_factor = 4;
#else
constexpr std::size_t stack_factor = 1;
#endif

}  // namespace

/// What a switch needs: the stack, where it was left and by whom, and what sanitizers want to know.
struct Fiber::Machine {
  explicit Machine(std::size_t usable) noexcept : nbytes(usable + core::page_size()) {
    void* const memory = ::mmap(nullptr, nbytes, PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (memory == MAP_FAILED) return;
    // The lowest page catches an overflow.
    if (::mprotect(memory, core::page_size(), PROT_NONE) != 0) {
      ::munmap(memory, nbytes);
      return;
    }
    mapping = static_cast<char*>(memory);
#ifdef DASH_FIBERS_TSAN
    tsan = __tsan_create_fiber(0);
#endif
  }
  ~Machine() {
    if (mapping == nullptr) return;
#ifdef DASH_FIBERS_TSAN
    __tsan_destroy_fiber(tsan);
#endif
#ifdef DASH_FIBERS_ASAN
    // What the last frames have left; somebody else may get these addresses.
    __asan_unpoison_memory_region(bottom(), size());
#endif
    ::munmap(mapping, nbytes);
  }
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  char* bottom() const noexcept {
    return mapping + core::page_size();
  }
  std::size_t size() const noexcept {
    return nbytes - core::page_size();
  }

  /// The four halves of a switch: a thread goes and is back, a fiber comes and goes.
  /// @{
  void thread_leaves() noexcept {
#ifdef DASH_FIBERS_ASAN
    __sanitizer_start_switch_fiber(&thread_frames, bottom(), size());
#endif
#ifdef DASH_FIBERS_TSAN
    tsan_thread = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(tsan, 0);
#endif
  }
  void thread_is_back() noexcept {
#ifdef DASH_FIBERS_ASAN
    __sanitizer_finish_switch_fiber(thread_frames, nullptr, nullptr);
#endif
  }
  void fiber_runs() noexcept {
#ifdef DASH_FIBERS_ASAN
    __sanitizer_finish_switch_fiber(fiber_frames, &thread_bottom, &thread_size);
#endif
  }
  void fiber_leaves([[maybe_unused]] bool for_ever) noexcept {
#ifdef DASH_FIBERS_ASAN
    __sanitizer_start_switch_fiber(for_ever ? nullptr : &fiber_frames, thread_bottom, thread_size);
#endif
#ifdef DASH_FIBERS_TSAN
    __tsan_switch_to_fiber(tsan_thread, 0);
#endif
  }
  /// @}

  std::size_t nbytes;
  char* mapping = nullptr;
  context::fcontext_t fiber = nullptr;   // where the fiber goes on
  context::fcontext_t thread = nullptr;  // where who resumed it goes on
  Exceptions exceptions;
  Surroundings surroundings;
#ifdef DASH_FIBERS_ASAN
  void* thread_frames = nullptr;
  void* fiber_frames = nullptr;
  const void* thread_bottom = nullptr;
  std::size_t thread_size = 0;
#endif
#ifdef DASH_FIBERS_TSAN
  void* tsan = nullptr;
  void* tsan_thread = nullptr;
#endif
};

Fiber::Fiber() noexcept = default;

Fiber* Fiber::create() noexcept {
  auto* const fiber = new (std::nothrow) Fiber();
  if (fiber == nullptr) return nullptr;
  fiber->_machine.reset(new (std::nothrow) Machine(core::settings().task_stack * stack_factor));
  if (!fiber->_machine || fiber->_machine->mapping == nullptr) {
    fiber->_ending = true;
    fiber->_machine.reset();
    delete fiber;
    return nullptr;
  }
  Machine& machine = *fiber->_machine;
  machine.fiber = context::make_fcontext(machine.bottom() + machine.size(), machine.size(),
                                         [](context::transfer_t from) {
                                           auto* const self = static_cast<Fiber*>(from.data);
                                           self->_machine->thread = from.fctx;
                                           self->_machine->fiber_runs();
                                           self->run_jobs();
                                           self->_machine->fiber_leaves(true);
                                           context::jump_fcontext(self->_machine->thread, nullptr);
                                         });
  return fiber;
}

Fiber::~Fiber() {
  if (!_machine) return;
  // The stack ends by itself, so that what sanitizers keep of it is let go.
  _ending = true;
  resume();
}

[[gnu::noinline]] Fiber* Fiber::current() noexcept {
  return current_fiber;
}

bool Fiber::may_suspend() const noexcept {
  return Surroundings::now() == _machine->surroundings;
}

[[gnu::noinline]] bool Fiber::resume() noexcept {
  const core::TraceSpan span(core::TraceKind::task, _job != nullptr ? "task" : nullptr);
  const core::TraceStretch stretch;
  Machine& machine = *_machine;
  Exceptions& exceptions = Exceptions::of_this_thread();
  machine.surroundings = Surroundings::now();
  std::swap(exceptions, machine.exceptions);
  current_fiber = this;
  Running* const running_outside = Running::exchange(_running);
  Activity* const activity_outside = Activity::exchange(_activity);
  machine.thread_leaves();
  machine.fiber = context::jump_fcontext(machine.fiber, this).fctx;
  machine.thread_is_back();
  current_fiber = nullptr;
  _running = Running::exchange(running_outside);
  _activity = Activity::exchange(activity_outside);
  std::swap(exceptions, machine.exceptions);
  return _job == nullptr;
}

[[gnu::noinline]] void Fiber::suspend(FunctionRef<bool()> park, bool waits) noexcept {
  const bool traced = waits && core::tracing();
  if (traced) core::trace_flight_begin(core::TraceKind::task, "set aside", this, 0);
  Machine& machine = *_machine;
  _park = park;
  machine.fiber_leaves(false);
  machine.thread = context::jump_fcontext(machine.thread, nullptr).fctx;
  machine.fiber_runs();
  if (traced) core::trace_flight_end(core::TraceKind::task, "set aside", this);
}

// Not inlined: the report of a watchdog knows by it where a task begins.
[[gnu::noinline]] void Fiber::run_jobs() noexcept {
  while (!_ending) {
    _job->run();
    core::count(core::Counter::tasks);
    _job = nullptr;
    Machine& machine = *_machine;
    machine.fiber_leaves(false);
    machine.thread = context::jump_fcontext(machine.thread, nullptr).fctx;
    machine.fiber_runs();
  }
}

}  // namespace dash::exec
