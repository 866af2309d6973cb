// Simulates MPI on a network that registers memory, which pins the memory of each window, up to a
// limit, and the buffers of each transfer. This library is preloaded into a program (LD_PRELOAD)
// and aborts the program if
// - the windows of a process exceed DASH_TEST_REGISTRATION_LIMIT bytes in total, or
// - the program returns memory of a live window, or of the local buffer of a transfer in flight, to
//   the system, or unmaps it, or maps other memory over it, or
// - the program frees the buffer of a transfer in flight.
// With DASH_TEST_REGISTRATION_REPORT, unit 0 prints the largest total at the end. With
// DASH_TEST_FAILING_WINDOW=N, the creation of the N-th window fails on unit 1, and with
// DASH_TEST_FAILING_GROUP=N the N-th call of MPI_Comm_create_group; with DASH_TEST_ABANDON=1 in
// addition, the call fails before unit 1 takes part, so that the other units wait for unit 1. With
// DASH_TEST_OTHER_BASE=N, the N-th query of the base of a window returns another address on unit 1.
//
// Windows whose memory MPI allocates are not examined. Of the transfers, those with a request are:
// a transfer is in flight until a function of MPI completes its request.

#include <dlfcn.h>
#include <fcntl.h>
#include <malloc.h>
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
#include <unordered_map>
#include <vector>

namespace {

struct Registration {
  MPI_Win window;
  std::uintptr_t begin;
  std::uintptr_t end;
};

struct Buffer {
  std::uintptr_t begin;
  std::uintptr_t end;
};

/// The live windows and transfers of the process. Never destroyed: other libraries unmap memory at
/// exit.
struct Registrations {
  std::mutex mutex;  // guards the members
  std::vector<Registration> live;
  /// Requests that MPI completes at once may have the same handle.
  std::unordered_multimap<MPI_Request, Buffer> in_flight;
  std::unordered_map<MPI_Request, Buffer> persistent;  // of MPI_Send_init and MPI_Recv_init
  unsigned long transfers = 0;
  std::uint64_t nbytes = 0;
  std::uint64_t largest_nbytes = 0;
  std::size_t max_windows = 0;
  unsigned long created = 0;
};
Registrations& registrations() {
  static auto* const all = new Registrations();
  return *all;
}

/// Holds the mutex. In the meantime, free() of the calling thread checks nothing: it belongs to this library.
class Lock {
 public:
  Lock() : _lock(registrations().mutex) { is_held = true; }
  ~Lock() { is_held = false; }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

  static inline thread_local bool is_held = false;

 private:
  std::lock_guard<std::mutex> _lock;
};

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

/// Fails if [address, address + nbytes) overlaps the buffer of a transfer. \pre the mutex is held
void check_not_in_flight(const char* function, const void* address, std::size_t nbytes) {
  const auto begin = reinterpret_cast<std::uintptr_t>(address);
  for (const auto& [request, buffer] : registrations().in_flight) {
    if (begin < buffer.end && buffer.begin < begin + nbytes) {
      fail("%s of [%p, +%zu) overlaps the buffer [%p, +%zu) of a transfer in flight", function,
           address, nbytes, reinterpret_cast<void*>(buffer.begin), buffer.end - buffer.begin);
    }
  }
}

/// Fails if [address, address + nbytes) overlaps a live window or the buffer of a transfer.
void check_not_registered(const char* function, const void* address, std::size_t nbytes) {
  const auto begin = reinterpret_cast<std::uintptr_t>(address);
  const Lock lock;
  for (const Registration& each : registrations().live) {
    if (begin < each.end && each.begin < begin + nbytes) {
      fail("%s of [%p, +%zu) overlaps the live window [%p, +%zu)", function, address, nbytes,
           reinterpret_cast<void*>(each.begin), each.end - each.begin);
    }
  }
  check_not_in_flight(function, address, nbytes);
}

void check_before_free(const char* function, void* memory) {
  if (memory == nullptr || Lock::is_held) return;
  const Lock lock;
  if (!registrations().in_flight.empty())
    check_not_in_flight(function, memory, ::malloc_usable_size(memory));
}

Buffer buffer_of(const void* begin_of_data, int count, MPI_Datatype type) {
  MPI_Aint lower_bound = 0;
  MPI_Aint extent = 0;
  PMPI_Type_get_extent(type, &lower_bound, &extent);
  const auto begin =
      reinterpret_cast<std::uintptr_t>(begin_of_data) + static_cast<std::uintptr_t>(lower_bound);
  return {begin, begin + static_cast<std::uintptr_t>(extent) * static_cast<std::uintptr_t>(count)};
}

/// Records the buffer of a transfer that MPI has started. Returns the code of MPI.
int start_transfer(int code, const void* buffer, int count, MPI_Datatype type,
                   MPI_Request request) {
  if (code != MPI_SUCCESS || count == 0 || request == MPI_REQUEST_NULL) return code;
  const Buffer range = buffer_of(buffer, count, type);
  const Lock lock;
  registrations().in_flight.insert({request, range});
  ++registrations().transfers;
  return code;
}

/// Records the buffer of a persistent request. Returns the code of MPI.
int make_persistent(int code, const void* buffer, int count, MPI_Datatype type,
                    MPI_Request request) {
  const Buffer range = buffer_of(buffer, count, type);
  const Lock lock;
  if (code == MPI_SUCCESS) registrations().persistent[request] = range;
  return code;
}

/// The handles in an array of requests before MPI completes some of them.
class Requests {
 public:
  Requests(const MPI_Request* requests, int count) : _requests(requests, requests + count) {}

  void complete(int index) const {
    const Lock lock;
    registrations().in_flight.erase(_requests[static_cast<std::size_t>(index)]);
  }
  /// As MPI_Testsome() returns them. `count` is MPI_UNDEFINED if no request was active.
  void complete_some(int count, const int* indices) const {
    if (count == MPI_UNDEFINED) return;
    for (int i = 0; i < count; ++i)
      complete(indices[i]);
  }
  void complete_all() const {
    for (std::size_t i = 0; i < _requests.size(); ++i)
      complete(static_cast<int>(i));
  }

 private:
  std::vector<MPI_Request> _requests;
};

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
    const Lock lock;
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
  const Lock lock;
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
  const Lock lock;
  std::erase_if(all.live, [&](const Registration& each) {
    if (each.window == freed) all.nbytes -= each.end - each.begin;
    return each.window == freed;
  });
  return code;
}

int MPI_Rput(const void* origin, int count, MPI_Datatype type, int target, MPI_Aint displacement,
             int target_count, MPI_Datatype target_type, MPI_Win window, MPI_Request* request) {
  const int code = PMPI_Rput(origin, count, type, target, displacement, target_count, target_type,
                             window, request);
  return start_transfer(code, origin, count, type, *request);
}

int MPI_Rget(void* origin, int count, MPI_Datatype type, int target, MPI_Aint displacement,
             int target_count, MPI_Datatype target_type, MPI_Win window, MPI_Request* request) {
  const int code = PMPI_Rget(origin, count, type, target, displacement, target_count, target_type,
                             window, request);
  return start_transfer(code, origin, count, type, *request);
}

int MPI_Isend(const void* buffer, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm,
              MPI_Request* request) {
  const int code = PMPI_Isend(buffer, count, type, dest, tag, comm, request);
  return start_transfer(code, buffer, count, type, *request);
}

int MPI_Irecv(void* buffer, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
              MPI_Request* request) {
  const int code = PMPI_Irecv(buffer, count, type, source, tag, comm, request);
  return start_transfer(code, buffer, count, type, *request);
}

int MPI_Imrecv(void* buffer, int count, MPI_Datatype type, MPI_Message* message,
               MPI_Request* request) {
  const int code = PMPI_Imrecv(buffer, count, type, message, request);
  return start_transfer(code, buffer, count, type, *request);
}

int MPI_Send_init(const void* buffer, int count, MPI_Datatype type, int dest, int tag,
                  MPI_Comm comm, MPI_Request* request) {
  const int code = PMPI_Send_init(buffer, count, type, dest, tag, comm, request);
  return make_persistent(code, buffer, count, type, *request);
}

int MPI_Recv_init(void* buffer, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
                  MPI_Request* request) {
  const int code = PMPI_Recv_init(buffer, count, type, source, tag, comm, request);
  return make_persistent(code, buffer, count, type, *request);
}

int MPI_Startall(int count, MPI_Request* requests) {
  const int code = PMPI_Startall(count, requests);
  const Lock lock;
  Registrations& all = registrations();
  for (const MPI_Request* each = requests; each != requests + count; ++each) {
    const auto found = all.persistent.find(*each);
    if (found != all.persistent.end()) all.in_flight.insert({*each, found->second});
  }
  all.transfers += static_cast<unsigned long>(count);
  return code;
}

int MPI_Wait(MPI_Request* request, MPI_Status* status) {
  const Requests before(request, 1);
  const int code = PMPI_Wait(request, status);
  before.complete_all();
  return code;
}

int MPI_Waitall(int count, MPI_Request* requests, MPI_Status* statuses) {
  const Requests before(requests, count);
  const int code = PMPI_Waitall(count, requests, statuses);
  before.complete_all();
  return code;
}

int MPI_Test(MPI_Request* request, int* is_complete, MPI_Status* status) {
  const Requests before(request, 1);
  const int code = PMPI_Test(request, is_complete, status);
  if (*is_complete != 0) before.complete_all();
  return code;
}

int MPI_Testall(int count, MPI_Request* requests, int* are_complete, MPI_Status* statuses) {
  const Requests before(requests, count);
  const int code = PMPI_Testall(count, requests, are_complete, statuses);
  if (*are_complete != 0) before.complete_all();
  return code;
}

int MPI_Testsome(int count, MPI_Request* requests, int* completed, int* indices,
                 MPI_Status* statuses) {
  const Requests before(requests, count);
  const int code = PMPI_Testsome(count, requests, completed, indices, statuses);
  before.complete_some(*completed, indices);
  return code;
}

int MPI_Waitany(int count, MPI_Request* requests, int* index, MPI_Status* status) {
  const Requests before(requests, count);
  const int code = PMPI_Waitany(count, requests, index, status);
  if (*index != MPI_UNDEFINED) before.complete(*index);
  return code;
}

int MPI_Testany(int count, MPI_Request* requests, int* index, int* is_complete,
                MPI_Status* status) {
  const Requests before(requests, count);
  const int code = PMPI_Testany(count, requests, index, is_complete, status);
  if (*is_complete != 0 && *index != MPI_UNDEFINED) before.complete(*index);
  return code;
}

int MPI_Waitsome(int count, MPI_Request* requests, int* completed, int* indices,
                 MPI_Status* statuses) {
  const Requests before(requests, count);
  const int code = PMPI_Waitsome(count, requests, completed, indices, statuses);
  before.complete_some(*completed, indices);
  return code;
}

int MPI_Finalize() {
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int code = PMPI_Finalize();
  if (rank == 0 && std::getenv("DASH_TEST_REGISTRATION_REPORT") != nullptr) {
    const Registrations& all = registrations();
    std::printf("registration: at most %.1f MiB in %zu windows, %lu transfers\n",
                static_cast<double>(all.largest_nbytes) / (1 << 20), all.max_windows,
                all.transfers);
    std::fflush(stdout);
  }
  return code;
}

void __libc_free(void* memory);
void* __libc_realloc(void* memory, std::size_t nbytes);

void free(void* memory) noexcept {
  check_before_free("free", memory);
  __libc_free(memory);
}

void* realloc(void* memory, std::size_t nbytes) noexcept {
  check_before_free("realloc", memory);
  return __libc_realloc(memory, nbytes);
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

void* mmap(void* address, std::size_t nbytes, int protection, int flags, int descriptor,
           off_t offset) noexcept {
  static const auto original = next(&mmap, "mmap");
  if ((flags & MAP_FIXED) != 0) check_not_registered("mmap", address, nbytes);
  return original(address, nbytes, protection, flags, descriptor, offset);
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
