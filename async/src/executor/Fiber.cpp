// Stacks that a job can leave, on top of boost::context::fiber (docs/decisions/007-suspending-tasks.md).
//
// A function that runs on a fiber may continue on another thread after it was suspended. Compilers keep
// addresses of thread_local variables across calls, so no code here accesses one both before and after a
// switch on the stack of a fiber. resume() does, but it runs on the stack of a thread.

#include "executor/Fiber.h"

#include <cxxabi.h>
#include <oneapi/tbb/task.h>
#include <sys/mman.h>

#include <boost/context/fiber.hpp>
#include <memory>
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

// Defined if the application uses OpenMP.
extern "C" int omp_get_level(void) __attribute__((weak));

namespace dash::exec {

namespace {

namespace context = boost::context;

thread_local Fiber* current_fiber = nullptr;

/// Per-thread exception state of the C++ runtime (Itanium ABI): the exceptions being handled, and the
/// number of exceptions in flight.
struct Exceptions {
  void* caught = nullptr;
  unsigned int uncaught = 0;

  static Exceptions& of_this_thread() noexcept {
    return *reinterpret_cast<Exceptions*>(abi::__cxa_get_globals());
  }
};

/// Activity of other schedulers on the calling thread.
struct OtherSchedulers {
  const void* tbb = nullptr;
  int omp_level = 0;

  static OtherSchedulers now() noexcept {
    return {tbb::task::current_context(), omp_get_level == nullptr ? 0 : omp_get_level()};
  }
  friend bool operator==(const OtherSchedulers&, const OtherSchedulers&) = default;
};

/// Stack allocator of Boost.Context for a stack that its caller owns.
struct OwnedStack {
  context::stack_context stack;

  context::stack_context allocate() const noexcept { return stack; }
  void deallocate(context::stack_context& /*stack*/) noexcept {}
};

/// A suspended execution. Its destructor does not run: that of boost::context::fiber would unwind the
/// stack, which has already been left for good when a Fiber is destroyed.
union Suspended {
  Suspended() noexcept : fiber() {}
  ~Suspended() {}
  Suspended(const Suspended&) = delete;
  Suspended& operator=(const Suspended&) = delete;

  context::fiber fiber;
};

#ifdef DASH_FIBERS_ASAN
/// Instrumented frames are larger.
constexpr std::size_t stack_factor = 4;
#else
constexpr std::size_t stack_factor = 1;
#endif

}  // namespace

/// The stack of a fiber, the suspended executions of both sides, and the state that sanitizers need.
struct Fiber::Context {
  explicit Context(std::size_t usable) noexcept : nbytes(usable + core::page_size()) {
    void* const memory = ::mmap(nullptr, nbytes, PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (memory == MAP_FAILED) return;
    // The lowest page catches a stack overflow.
    if (::mprotect(memory, core::page_size(), PROT_NONE) != 0) {
      ::munmap(memory, nbytes);
      return;
    }
    mapping = static_cast<char*>(memory);
#ifdef DASH_FIBERS_TSAN
    tsan = __tsan_create_fiber(0);
#endif
  }
  ~Context() {
    if (mapping == nullptr) return;
#ifdef DASH_FIBERS_TSAN
    __tsan_destroy_fiber(tsan);
#endif
#ifdef DASH_FIBERS_ASAN
    // The last frames have left poisoned memory, and the addresses may be reused.
    __asan_unpoison_memory_region(bottom(), size());
#endif
    ::munmap(mapping, nbytes);
  }
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  char* bottom() const noexcept {
    return mapping + core::page_size();
  }
  std::size_t size() const noexcept {
    return nbytes - core::page_size();
  }

  /// Prepares the stack to execute body() at the first switch to it. The body does not return.
  template <class Body>
  void set_body(Body body) noexcept {
    OwnedStack owned;
    owned.stack.sp = bottom() + size();
    owned.stack.size = size();
    // The constructor switches to the stack and back.
#ifdef DASH_FIBERS_TSAN
    tsan_thread = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(tsan, 0);
#endif
    fiber.fiber = context::fiber(std::allocator_arg, std::move(owned),
                                 [this, body](context::fiber&& caller) -> context::fiber {
                                   thread.fiber = std::move(caller);
                                   body();
                                   return {};
                                 });
#ifdef DASH_FIBERS_TSAN
    __tsan_switch_to_fiber(tsan_thread, 0);
#endif
  }

  /// Switches from a thread to the fiber. Returns when the fiber switches back.
  void switch_to_fiber() noexcept {
#ifdef DASH_FIBERS_ASAN
    __sanitizer_start_switch_fiber(&thread_frames, bottom(), size());
#endif
#ifdef DASH_FIBERS_TSAN
    tsan_thread = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(tsan, 0);
#endif
    fiber.fiber = std::move(fiber.fiber).resume();
#ifdef DASH_FIBERS_ASAN
    __sanitizer_finish_switch_fiber(thread_frames, nullptr, nullptr);
#endif
  }
  /// The execution of the fiber begins or continues.
  void fiber_continues() noexcept {
#ifdef DASH_FIBERS_ASAN
    __sanitizer_finish_switch_fiber(fiber_frames, &thread_bottom, &thread_size);
#endif
  }
  /// Switches from the fiber to the thread that has resumed it. Returns when a thread resumes the fiber
  /// again; never, if this is the last switch.
  void switch_to_thread([[maybe_unused]] bool is_last = false) noexcept {
#ifdef DASH_FIBERS_ASAN
    __sanitizer_start_switch_fiber(is_last ? nullptr : &fiber_frames, thread_bottom, thread_size);
#endif
#ifdef DASH_FIBERS_TSAN
    __tsan_switch_to_fiber(tsan_thread, 0);
#endif
    thread.fiber = std::move(thread.fiber).resume();
    fiber_continues();
  }

  std::size_t nbytes;
  char* mapping = nullptr;
  Suspended fiber;   // valid while the fiber is suspended
  Suspended thread;  // the thread that has resumed the fiber; valid while the fiber runs
  Exceptions exceptions;
  OtherSchedulers other_schedulers;
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
  fiber->_context.reset(new (std::nothrow) Context(core::settings().task_stack * stack_factor));
  if (!fiber->_context || fiber->_context->mapping == nullptr) {
    fiber->_context.reset();
    delete fiber;
    return nullptr;
  }
  fiber->_context->set_body([fiber] {
    fiber->_context->fiber_continues();
    fiber->run_jobs();
    fiber->_context->switch_to_thread(true);
  });
  return fiber;
}

Fiber::~Fiber() {
  if (!_context) return;
  // Lets run_jobs() return, so that sanitizers release their data of the stack.
  _ending = true;
  resume();
}

[[gnu::noinline]] Fiber* Fiber::current() noexcept {
  return current_fiber;
}

bool Fiber::may_suspend() const noexcept {
  return OtherSchedulers::now() == _context->other_schedulers;
}

[[gnu::noinline]] bool Fiber::resume() noexcept {
  const core::TraceSpan span(core::TraceKind::task, _job != nullptr ? "task" : nullptr);
  const core::FiberTraceScope trace_scope;
  Context& context = *_context;
  Exceptions& exceptions = Exceptions::of_this_thread();
  context.other_schedulers = OtherSchedulers::now();
  std::swap(exceptions, context.exceptions);
  current_fiber = this;
  ComputationScope* const thread_computation = ComputationScope::exchange(_computation);
  Activity* const thread_activity = Activity::exchange(_activity);
  context.switch_to_fiber();
  current_fiber = nullptr;
  _computation = ComputationScope::exchange(thread_computation);
  _activity = Activity::exchange(thread_activity);
  std::swap(exceptions, context.exceptions);
  return _job == nullptr;
}

[[gnu::noinline]] void Fiber::suspend(FunctionRef<bool()> park, bool waits) noexcept {
  const bool traced = waits && core::tracing();
  if (traced) core::trace_flight_begin(core::TraceKind::task, "suspended", this, 0);
  _park = park;
  _context->switch_to_thread();
  if (traced) core::trace_flight_end(core::TraceKind::task, "suspended", this);
}

// Not inlined: a report of the watchdog recognizes by this function where a task begins.
[[gnu::noinline]] void Fiber::run_jobs() noexcept {
  while (!_ending) {
    _job->run();
    core::count(core::Counter::tasks);
    _job = nullptr;
    _context->switch_to_thread();
  }
}

}  // namespace dash::exec
