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

/// Set when a call of MPI_Finalize was abandoned after its timeout; MPI must not be called any more.
/// Relaxed, like launcher_descriptor below: the program orders later calls of dart_init and exit after dart_exit.
std::atomic<bool> finalize_abandoned{false};

/// Checks the free space of /dev/shm. If it is full, MPICH aborts in MPI_Init with a message that does not
/// mention it.
void check_shared_memory_space() {
  constexpr std::uint64_t needed = 16 * 1024 * 1024;
  struct statvfs info {};
  if (::statvfs("/dev/shm", &info) != 0) return;
  const std::uint64_t available = static_cast<std::uint64_t>(info.f_bavail) * info.f_frsize;
  if (available < needed) {
    throw_error(DART_ERR_NOMEM, "/dev/shm has {} bytes left, MPI needs at least {}", available,
                needed);
  }
}

void check_not_finalized() {
  int finalized = 0;
  MPI_Finalized(&finalized);
  if (finalized == 0 && !finalize_abandoned.load(std::memory_order_relaxed)) return;
  throw_error(DART_ERR_OTHER,
              "MPI has been finalized and cannot be started again in this process; to initialize "
              "this library several times, initialize MPI in the application");
}

/// Descriptor of the connection to the launcher hydra (PMI 1) after it was taken away from MPI; else -1.
std::atomic<int> launcher_descriptor{-1};

/// Takes the connection to the launcher away from an abandoned MPI_Finalize. The call may resume when other
/// units exit and would then send wrong messages to the launcher, so its descriptor is replaced by a socket
/// that no process serves.
void disconnect_mpi_from_launcher() noexcept {
  const char* const text = std::getenv("PMI_FD");
  std::array<int, 2> unserved{};
  if (text == nullptr ||
      ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, unserved.data()) != 0) {
    return;
  }
  const int descriptor = std::atoi(text);
  launcher_descriptor.store(::fcntl(descriptor, F_DUPFD_CLOEXEC, 0), std::memory_order_relaxed);
  ::dup2(unserved[0], descriptor);
  // unserved[1] stays open, so that a read of MPI blocks instead of failing.
}

/// Reports to hydra that this process exits normally. Otherwise hydra takes its exit for a crash and kills
/// the other processes.
///
/// A child that outlives this process sends the message, for two reasons. Hydra fails if it cannot deliver
/// its reply. And the exit of this process may let other units return from MPI_Finalize: hydra must find all
/// processes connected until these have returned or timed out, too.
void report_exit_to_launcher() noexcept {
  constexpr int parent_timeout_ms = 5000;
  constexpr int other_units_ms = 1500;
  constexpr int reply_timeout_ms = 500;
  const int descriptor = launcher_descriptor.load(std::memory_order_relaxed);
  std::array<int, 2> parent_pipe{};
  if (descriptor < 0 || ::pipe2(parent_pipe.data(), O_CLOEXEC) != 0) return;
  if (::fork() != 0) return;
  // The child of a multithreaded process may make async-signal-safe calls only.
  ::close(parent_pipe[1]);
  struct pollfd parent_exit {
    parent_pipe[0], POLLIN, 0
  };
  ::poll(&parent_exit, 1, parent_timeout_ms);
  ::poll(nullptr, 0, other_units_ms);
  constexpr std::string_view message = "cmd=finalize\n";
  if (::write(descriptor, message.data(), message.size()) > 0) {
    struct pollfd reply {
      descriptor, POLLIN, 0
    };
    ::poll(&reply, 1, reply_timeout_ms);
  }
  ::_exit(EXIT_SUCCESS);
}

/// Exit handler: ends the process without running the destructors of MPI's libraries, since the thread of an
/// abandoned MPI_Finalize is still executing in them.
void exit_without_mpi(int status, void*) noexcept {
  if (!finalize_abandoned.load(std::memory_order_relaxed)) return;
  std::fflush(nullptr);
  report_exit_to_launcher();
  ::_exit(status);
}

/// Whether TCP is the only network between nodes, as far as this is known before MPI starts.
bool network_is_tcp() {
  const auto set = [](const char* name) {
    const char* const text = std::getenv(name);
    return text != nullptr && *text != '\0' && std::string_view(text) != "0";
  };
  if (set("UCX_TLS")) {
    const std::string_view transports = std::getenv("UCX_TLS");
    return transports == "tcp" || transports == "tcp,self" || transports == "self,tcp";
  }
  // These variables split one host into several nodes, which share memory.
  if (set("MPIR_CVAR_NOLOCAL") || set("MPIR_CVAR_ODD_EVEN_CLIQUES")) return false;
  std::error_code error;
  const std::filesystem::directory_iterator devices("/sys/class/infiniband", error);
  return error || devices == std::filesystem::directory_iterator();
}

/// Configures MPICH and UCX through variables that the user has not set.
void prepare_mpi() {
  // By default MPI_Testsome polls the network in every eighth call only.
  ::setenv("MPIR_CVAR_REQUEST_POLL_FREQ", "1", 0);
  // Over TCP the handshake of the rendezvous protocol costs more than a copy at the receiver: the eager
  // protocol takes 13 us instead of 43 for a message of 32 KiB and its reply
  // (docs/decisions/006-small-puts.md).
  if (network_is_tcp()) ::setenv("UCX_RNDV_THRESH", "512k", 0);
}

/// State shared by the thread that calls MPI_Finalize and the thread that waits for it; the last one frees
/// it.
struct Finalization {
  std::mutex mutex;  // guards `done`
  std::condition_variable changed;
  bool done = false;
};

}  // namespace

MpiLifetime MpiLifetime::of_application() {
  int initialized = 0;
  MPI_Initialized(&initialized);
  if (initialized == 0) throw_error(DART_ERR_OTHER, "the application has not initialized MPI");
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
  check_shared_memory_space();
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
  if (timeout.count() == 0 || !life.has_thread_multiple) {
    MPI_Finalize();
    return;
  }
  static const int registered = ::on_exit(exit_without_mpi, nullptr);
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
  finalize_abandoned.store(true, std::memory_order_relaxed);
  disconnect_mpi_from_launcher();
  core::log(core::LogLevel::warn,
            fmt::format("MPI_Finalize did not return within {} s (DART_FINALIZE_TIMEOUT_S); MPICH "
                        "before 4.2 hangs there over TCP. All communication is complete, and the "
                        "program continues without it",
                        timeout.count()));
}

}  // namespace dash::dart
