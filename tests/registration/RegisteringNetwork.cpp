// Simulates MPI on a network that registers memory, which pins the memory of each window, up to a
// limit. This library is preloaded into a program (LD_PRELOAD) and aborts the program if
// - the windows of a process exceed DASH_TEST_REGISTRATION_LIMIT bytes in total, or
// - the program returns memory of a live window to the system, or unmaps it.
// With DASH_TEST_REGISTRATION_REPORT, unit 0 prints the largest total at the end. With
// DASH_TEST_FAILING_WINDOW=N, the creation of the N-th window fails on unit 1, and with
// DASH_TEST_FAILING_GROUP=N the N-th call of MPI_Comm_create_group; with DASH_TEST_ABANDON=1 in
// addition, the call fails before unit 1 takes part, so that the other units wait for unit 1. With
// DASH_TEST_OTHER_BASE=N, the N-th query of the base of a window returns another address on unit 1.
//
// Windows whose memory MPI allocates are not examined.

#include <dlfcn.h>
#include <fcntl.h>
#include <mpi.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <vector>

namespace {

struct Registration {
  MPI_Win window;
  std::uintptr_t begin;
  std::uintptr_t end;
};

/// The live windows of the process. Never destroyed: other libraries unmap memory at exit.
struct Registrations {
  std::mutex mutex;  // guards the members
  std::vector<Registration> live;
  std::uint64_t nbytes = 0;
  std::uint64_t largest_nbytes = 0;
  std::size_t max_windows = 0;
  unsigned long created = 0;
};
Registrations& registrations() {
  static auto* const all = new Registrations();
  return *all;
}

std::uint64_t number_from(const char* variable, std::uint64_t if_unset) {
  const char* const text = std::getenv(variable);
  return text == nullptr ? if_unset : std::strtoull(text, nullptr, 10);
}

/// Whether a unit on which a collective call fails does not take part in it.
bool is_abandoning() {
  return number_from("DASH_TEST_ABANDON", 0) != 0;
}

[[noreturn]] __attribute__((format(printf, 1, 2))) void fail(const char* format, ...) {
  std::va_list arguments;
  va_start(arguments, format);
  std::fputs("registration: ", stderr);
  std::vfprintf(stderr, format, arguments);
  std::fputc('\n', stderr);
  va_end(arguments);
  std::abort();
}

/// Fails if [address, address + nbytes) overlaps a live window.
void check_not_registered(const char* function, const void* address, std::size_t nbytes) {
  const auto begin = reinterpret_cast<std::uintptr_t>(address);
  Registrations& all = registrations();
  const std::lock_guard lock(all.mutex);
  for (const Registration& each : all.live) {
    if (begin < each.end && each.begin < begin + nbytes) {
      fail("%s of [%p, +%zu) overlaps the live window [%p, +%zu)", function, address, nbytes,
           reinterpret_cast<void*>(each.begin), each.end - each.begin);
    }
  }
}

/// The same for a range of a file, at the addresses where the process has mapped it.
void check_file_not_registered(const char* function, int descriptor, std::uint64_t offset,
                               std::uint64_t end) {
  struct stat info {};
  if (::fstat(descriptor, &info) != 0) return;
  std::FILE* const maps = std::fopen("/proc/self/maps", "re");
  if (maps == nullptr) return;
  char line[4352];
  while (std::fgets(line, sizeof line, maps) != nullptr) {
    unsigned long begin = 0;
    unsigned long last = 0;
    unsigned long at = 0;
    unsigned long inode = 0;
    if (std::sscanf(line, "%lx-%lx %*4s %lx %*s %lu", &begin, &last, &at, &inode) != 4) continue;
    const std::uint64_t from = std::max<std::uint64_t>(offset, at);
    const std::uint64_t to = std::min<std::uint64_t>(end, at + (last - begin));
    if (inode == info.st_ino && from < to)
      check_not_registered(function, reinterpret_cast<void*>(begin + (from - at)), to - from);
  }
  std::fclose(maps);
}

template <class Function>
Function* next(Function*, const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" {

int MPI_Win_create(void* base, MPI_Aint size, int disp_unit, MPI_Info info, MPI_Comm comm,
                   MPI_Win* window) {
  Registrations& all = registrations();
  const auto begin = reinterpret_cast<std::uintptr_t>(base);
  const auto nbytes = static_cast<std::uint64_t>(size);
  unsigned long number = 0;
  {
    const std::lock_guard lock(all.mutex);
    all.nbytes += nbytes;
    all.largest_nbytes = std::max(all.largest_nbytes, all.nbytes);
    number = ++all.created;
    const std::uint64_t limit = number_from("DASH_TEST_REGISTRATION_LIMIT", UINT64_MAX);
    if (all.nbytes > limit) {
      fail("registered bytes exceed the limit: %llu (%llu)",
           static_cast<unsigned long long>(all.nbytes), static_cast<unsigned long long>(limit));
    }
  }
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const bool is_failing = number == number_from("DASH_TEST_FAILING_WINDOW", 0) && rank == 1;
  const bool takes_part = !is_failing || !is_abandoning();
  const int code =
      takes_part ? PMPI_Win_create(base, size, disp_unit, info, comm, window) : MPI_ERR_NO_MEM;
  const std::lock_guard lock(all.mutex);
  if (code != MPI_SUCCESS) {
    all.nbytes -= nbytes;
    return code;
  }
  all.live.push_back({*window, begin, begin + nbytes});
  all.max_windows = std::max(all.max_windows, all.live.size());
  return is_failing ? MPI_ERR_NO_MEM : MPI_SUCCESS;
}

int MPI_Win_get_attr(MPI_Win window, int key, void* value, int* is_set) {
  const int code = PMPI_Win_get_attr(window, key, value, is_set);
  static std::uint64_t number = 0;
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (key == MPI_WIN_BASE && ++number == number_from("DASH_TEST_OTHER_BASE", 0) && rank == 1)
    *static_cast<char**>(value) += 64;
  return code;
}

int MPI_Comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm* created) {
  static std::uint64_t number = 0;
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const bool is_failing = ++number == number_from("DASH_TEST_FAILING_GROUP", 0) && rank == 1;
  if (is_failing && is_abandoning()) return MPI_ERR_NO_MEM;
  const int code = PMPI_Comm_create_group(comm, group, tag, created);
  return is_failing ? MPI_ERR_NO_MEM : code;
}

int MPI_Win_free(MPI_Win* window) {
  Registrations& all = registrations();
  const MPI_Win freed = *window;
  const int code = PMPI_Win_free(window);
  const std::lock_guard lock(all.mutex);
  std::erase_if(all.live, [&](const Registration& each) {
    if (each.window == freed) all.nbytes -= each.end - each.begin;
    return each.window == freed;
  });
  return code;
}

int MPI_Finalize() {
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int code = PMPI_Finalize();
  if (rank == 0 && std::getenv("DASH_TEST_REGISTRATION_REPORT") != nullptr) {
    const Registrations& all = registrations();
    std::printf("registration: at most %.1f MiB in %zu windows\n",
                static_cast<double>(all.largest_nbytes) / (1 << 20), all.max_windows);
    std::fflush(stdout);
  }
  return code;
}

int madvise(void* address, std::size_t nbytes, int advice) noexcept {
  static const auto original = next(&madvise, "madvise");
  if (advice == MADV_DONTNEED || advice == MADV_REMOVE || advice == MADV_FREE)
    check_not_registered("madvise", address, nbytes);
  return original(address, nbytes, advice);
}

int munmap(void* address, std::size_t nbytes) noexcept {
  static const auto original = next(&munmap, "munmap");
  check_not_registered("munmap", address, nbytes);
  return original(address, nbytes);
}

int fallocate(int descriptor, int mode, off_t offset, off_t nbytes) {
  static const auto original = next(&fallocate, "fallocate");
  if ((mode & FALLOC_FL_PUNCH_HOLE) != 0) {
    const auto begin = static_cast<std::uint64_t>(offset);
    check_file_not_registered("fallocate", descriptor, begin,
                              begin + static_cast<std::uint64_t>(nbytes));
  }
  return original(descriptor, mode, offset, nbytes);
}

int ftruncate(int descriptor, off_t nbytes) noexcept {
  static const auto original = next(&ftruncate, "ftruncate");
  check_file_not_registered("ftruncate", descriptor, static_cast<std::uint64_t>(nbytes),
                            UINT64_MAX);
  return original(descriptor, nbytes);
}

}  // extern "C"
