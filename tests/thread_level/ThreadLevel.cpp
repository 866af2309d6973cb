// A library for LD_PRELOAD that stands for an MPI with a low level of thread support. It lowers the level that
// MPI_Init_thread provides to DASH_TEST_MPI_LEVEL (single, funneled, serialized). It ends the program, with a message
// and a backtrace, if a thread calls MPI that must not call it at this level.
//
// Real implementations do not report such a call: MPICH without locks corrupts its queues, sometimes.

#include <execinfo.h>
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace {

[[noreturn]] void fail_with_backtrace() {
  std::array<void*, 64> frames{};
  ::backtrace_symbols_fd(frames.data(), ::backtrace(frames.data(), frames.size()), STDERR_FILENO);
  std::abort();
}

const char* name_of(int level) {
  if (level == MPI_THREAD_SINGLE) return "MPI_THREAD_SINGLE";
  if (level == MPI_THREAD_FUNNELED) return "MPI_THREAD_FUNNELED";
  return level == MPI_THREAD_SERIALIZED ? "MPI_THREAD_SERIALIZED" : "MPI_THREAD_MULTIPLE";
}

/// The highest level that MPI_Init_thread provides.
int highest_level() {
  const char* const text = std::getenv("DASH_TEST_MPI_LEVEL");
  const std::string_view level = text == nullptr ? "" : text;
  if (level == "single") return MPI_THREAD_SINGLE;
  if (level == "funneled") return MPI_THREAD_FUNNELED;
  if (level == "serialized") return MPI_THREAD_SERIALIZED;
  std::fprintf(stderr, "DASH_TEST_MPI_LEVEL is \"%s\"; expected single, funneled or serialized\n",
               text == nullptr ? "" : text);
  std::_Exit(EXIT_FAILURE);
}

std::atomic<int> provided_level{MPI_THREAD_MULTIPLE};
std::atomic<pid_t> main_thread{0};     // the thread that initialized MPI
std::atomic<pid_t> calling_thread{0};  // the thread inside MPI, with MPI_THREAD_SERIALIZED
std::atomic<const char*> current_function{nullptr};  // its function
thread_local int depth = 0;  // of nested calls, which MPI makes through callbacks

void record_init(int provided) {
  provided_level.store(provided);
  main_thread.store(::gettid());
}

/// A call of MPI by this thread. Fails if the level does not permit it.
class Call {
 public:
  explicit Call(const char* function) {
    const int level = provided_level.load();
    if (level == MPI_THREAD_MULTIPLE) return;
    if (level == MPI_THREAD_SERIALIZED) {
      enter(function);
    } else if (::gettid() != main_thread.load()) {
      std::fprintf(stderr, "%s: called by thread %d; with %s, only thread %d may call MPI\n",
                   function, ::gettid(), name_of(level), main_thread.load());
      fail_with_backtrace();
    }
  }
  ~Call() {
    if (_has_entered && --depth == 0) calling_thread.store(0);
  }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

 private:
  void enter(const char* function) {
    pid_t other = 0;
    if (depth == 0 && !calling_thread.compare_exchange_strong(other, ::gettid())) {
      const char* const others = current_function.load();
      std::fprintf(stderr, "%s: called by thread %d, with %s, while thread %d is inside %s\n",
                   function, ::gettid(), name_of(MPI_THREAD_SERIALIZED), other,
                   others == nullptr ? "MPI" : others);
      fail_with_backtrace();
    }
    if (depth++ == 0) current_function.store(function);
    _has_entered = true;
  }

  bool _has_entered = false;
};

}  // namespace

// All functions of MPI but those below, and those that any thread may call at any time (wrap_mpi.py).
#include "MpiWrappers.inc"

extern "C" {

int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  const int level = highest_level();
  const int code = PMPI_Init_thread(argc, argv, std::min(required, level), provided);
  if (code != MPI_SUCCESS) return code;
  *provided = std::min(*provided, level);
  record_init(*provided);
  return code;
}

int MPI_Init(int* argc, char*** argv) {
  int provided = MPI_THREAD_SINGLE;
  return MPI_Init_thread(argc, argv, MPI_THREAD_SINGLE, &provided);
}

int MPI_Query_thread(int* provided) {
  const int code = PMPI_Query_thread(provided);
  *provided = std::min(*provided, provided_level.load());
  return code;
}

}  // extern "C"
