#include "launch/MpiLifetime.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string_view>
#include <system_error>
#include <thread>

#include "base/MpiCheck.h"
#include "dash/core/Log.h"
#include "dash/core/Settings.h"

namespace dash::dart {

namespace {

/// A call of MPI_Finalize that has been given up; nothing of MPI may be touched any more.
std::atomic<bool> finalize_hangs{false};

/// MPICH dies in MPI_Init when it finds no room there, with a text that does not say so.
void check_shared_memory_room() {
  constexpr std::uint64_t needed = 16 * 1024 * 1024;
  struct statvfs info {};
  if (::statvfs("/dev/shm", &info) != 0) return;
  const std::uint64_t room = static_cast<std::uint64_t>(info.f_bavail) * info.f_frsize;
  if (room < needed) {
    throw_error(DART_ERR_NOMEM, "/dev/shm has {} bytes left, MPI needs at least {}", room, needed);
  }
}

void check_not_finalized() {
  int finalized = 0;
  MPI_Finalized(&finalized);
  if (finalized == 0 && !finalize_hangs.load(std::memory_order_relaxed)) return;
  throw_error(DART_ERR_OTHER,
              "MPI has been finalized and cannot be started again in this process; to initialise "
              "this library several times, initialise MPI in the application");
}

/// The descriptor on which hydra (PMI 1) is told things, once it has been taken from MPI; else -1.
std::atomic<int> launcher{-1};

/// Takes the launcher's descriptor from an MPI_Finalize that has been given up. It may get on when
/// other units leave, and what it would say then would be wrong: it talks to a wall from here on.
void cut_off_launcher() noexcept {
  const char* const text = std::getenv("PMI_FD");
  std::array<int, 2> wall{};
  if (text == nullptr || ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, wall.data()) != 0) {
    return;
  }
  const int descriptor = std::atoi(text);
  launcher.store(::fcntl(descriptor, F_DUPFD_CLOEXEC, 0), std::memory_order_relaxed);
  ::dup2(wall[0], descriptor);
  // wall[1] stays open: who reads from the wall waits.
}

/// Tells hydra that this process ends as it should. It takes the end of a process that has not said
/// so for a crash and kills the others.
///
/// The word comes from a child that outlives this process, for two reasons. Hydra fails if nobody is
/// there to be answered. And other units may still be in MPI_Finalize, and get through it because this
/// one leaves: until they, too, have returned or given up, hydra must find all processes in place.
void take_leave_of_launcher() noexcept {
  constexpr int parent_timeout_ms = 5000;
  constexpr int others_ms = 1500;
  constexpr int answer_timeout_ms = 500;
  const int descriptor = launcher.load(std::memory_order_relaxed);
  std::array<int, 2> life{};
  if (descriptor < 0 || ::pipe2(life.data(), O_CLOEXEC) != 0) return;
  if (::fork() != 0) return;
  // Only what is safe after a fork of a process with threads.
  ::close(life[1]);
  struct pollfd parent_gone {
    life[0], POLLIN, 0
  };
  ::poll(&parent_gone, 1, parent_timeout_ms);
  ::poll(nullptr, 0, others_ms);
  constexpr std::string_view word = "cmd=finalize\n";
  if (::write(descriptor, word.data(), word.size()) > 0) {
    struct pollfd answer {
      descriptor, POLLIN, 0
    };
    ::poll(&answer, 1, answer_timeout_ms);
  }
  ::_exit(EXIT_SUCCESS);
}

/// At exit: destructors of the libraries below must not run under a thread that is inside them.
void leave_hanging_mpi(int status, void*) noexcept {
  if (!finalize_hangs.load(std::memory_order_relaxed)) return;
  std::fflush(nullptr);
  take_leave_of_launcher();
  ::_exit(status);
}

/// Whether nodes can only be joined by TCP, as far as that can be told before MPI starts.
bool joined_by_tcp() {
  const auto set = [](const char* name) {
    const char* const text = std::getenv(name);
    return text != nullptr && *text != '\0' && std::string_view(text) != "0";
  };
  if (set("UCX_TLS")) {
    const std::string_view transports = std::getenv("UCX_TLS");
    return transports == "tcp" || transports == "tcp,self" || transports == "self,tcp";
  }
  // Nodes of one host share memory.
  if (set("MPIR_CVAR_NOLOCAL") || set("MPIR_CVAR_ODD_EVEN_CLIQUES")) return false;
  std::error_code error;
  const std::filesystem::directory_iterator devices("/sys/class/infiniband", error);
  return error || devices == std::filesystem::directory_iterator();
}

/// Settings of what lies below, unless the user has set them.
void prepare_mpi() {
  // MPI_Testsome would look at the network in every eighth call only.
  ::setenv("MPIR_CVAR_REQUEST_POLL_FREQ", "1", 0);
  // Through TCP, asking the receiver first costs more than a copy at its side: a message of 32 KiB
  // and its answer take 13 us instead of 43 (docs/decisions/006-small-puts.md).
  if (joined_by_tcp()) ::setenv("UCX_RNDV_THRESH", "512k", 0);
}

/// What the thread that finalises and the one that waits for it share; whoever is last frees it.
struct Finalization {
  std::mutex mutex;  // guards `done`
  std::condition_variable changed;
  bool done = false;
};

}  // namespace

MpiLifetime MpiLifetime::of_application() {
  int initialized = 0;
  MPI_Initialized(&initialized);
  if (initialized == 0) throw_error(DART_ERR_OTHER, "the application has not initialised MPI");
  check_not_finalized();
  int level = MPI_THREAD_SINGLE;
  check_mpi(MPI_Query_thread(&level), "MPI_Query_thread");
  return {false, level == MPI_THREAD_MULTIPLE};
}

MpiLifetime MpiLifetime::start(int* argc, char*** argv) {
  int initialized = 0;
  MPI_Initialized(&initialized);
  check_not_finalized();
  if (initialized != 0) return of_application();
  check_shared_memory_room();
  prepare_mpi();
  int level = MPI_THREAD_SINGLE;
  check_mpi(MPI_Init_thread(argc, argv, MPI_THREAD_MULTIPLE, &level), "MPI_Init_thread");
  return {true, level == MPI_THREAD_MULTIPLE};
}

void run_when_mpi_ends(void (*hook)()) {
  static void (*registered)() = nullptr;
  if (registered != nullptr) return;
  int key = MPI_KEYVAL_INVALID;
  const auto call_hook = [](MPI_Comm, int, void*, void*) {
    registered();
    return MPI_SUCCESS;
  };
  check_mpi(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, call_hook, &key, nullptr),
            "MPI_Comm_create_keyval");
  check_mpi(MPI_Comm_set_attr(MPI_COMM_SELF, key, nullptr), "MPI_Comm_set_attr");
  check_mpi(MPI_Comm_free_keyval(&key), "MPI_Comm_free_keyval");
  registered = hook;
}

void finalize_mpi(const MpiLifetime& life) {
  const std::chrono::seconds timeout(core::settings().finalize_timeout_s);
  if (timeout.count() == 0 || !life.multiple) {
    MPI_Finalize();
    return;
  }
  static const int registered = ::on_exit(leave_hanging_mpi, nullptr);
  static_cast<void>(registered);
  const auto shared = std::make_shared<Finalization>();
  std::thread thread([shared] {
    MPI_Finalize();
    std::lock_guard lock(shared->mutex);
    shared->done = true;
    shared->changed.notify_one();
  });
  std::unique_lock lock(shared->mutex);
  if (shared->changed.wait_for(lock, timeout, [&] { return shared->done; })) {
    lock.unlock();
    thread.join();
    return;
  }
  lock.unlock();
  thread.detach();
  finalize_hangs.store(true, std::memory_order_relaxed);
  cut_off_launcher();
  core::log(core::LogLevel::warn,
            fmt::format("MPI_Finalize has not returned in {} s (DART_FINALIZE_TIMEOUT_S); MPICH "
                        "before 4.2 hangs there over TCP. All communication is complete, and the "
                        "program goes on without it",
                        timeout.count()));
}

}  // namespace dash::dart
