#include "Session.h"

#include <sys/statvfs.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <new>
#include <set>
#include <string>

#include "MpiCheck.h"
#include "TeamBlock.h"
#include "dash/core/Log.h"
#include "dash/core/Memory.h"
#include "dash/core/Settings.h"

namespace dash::dart {

namespace {

std::unique_ptr<Session>& living_session() {
  // Never destroyed with the process, where others may be in no state to free windows with us.
  static auto* const session = new std::unique_ptr<Session>();
  return *session;
}

/// What went wrong on one unit goes wrong on all, before anybody waits for it.
void agree(MPI_Comm world, const std::string& error) {
  int failed = error.empty() ? 0 : 1;
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, world), "MPI_Allreduce");
  if (!error.empty()) throw Error(DART_ERR_NOMEM, error);
  if (failed != 0) throw_error(DART_ERR_NOMEM, "another unit could not map its global memory");
}

/// Runs a local step that may fail, and agrees on its outcome.
template <class Step>
void together(MPI_Comm world, Step&& step) {
  std::string error;
  try {
    step();
  } catch (const std::exception& failure) {
    error = failure.what();
  }
  agree(world, error);
}

void (*mpi_end_hook)() = nullptr;

/// Runs at the begin of MPI_Finalize, while MPI still works: frees what we made of it.
int end_with_mpi(MPI_Comm, int, void*, void*) {
  if (mpi_end_hook != nullptr) mpi_end_hook();
  living_session().reset();
  return MPI_SUCCESS;
}

void end_session_with_mpi() {
  int key = MPI_KEYVAL_INVALID;
  check_mpi(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, end_with_mpi, &key, nullptr),
            "MPI_Comm_create_keyval");
  check_mpi(MPI_Comm_set_attr(MPI_COMM_SELF, key, nullptr), "MPI_Comm_set_attr");
  check_mpi(MPI_Comm_free_keyval(&key), "MPI_Comm_free_keyval");
}

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

/// \returns the thread level
int init_mpi(int* argc, char*** argv) {
  check_shared_memory_room();
  // MPI_Testsome would look at the network in every eighth call only.
  ::setenv("MPIR_CVAR_REQUEST_POLL_FREQ", "1", 0);
  int level = MPI_THREAD_SINGLE;
  check_mpi(MPI_Init_thread(argc, argv, MPI_THREAD_MULTIPLE, &level), "MPI_Init_thread");
  return level;
}

/// A launcher of another MPI starts processes that each believe to be alone.
void warn_if_wrong_launcher(int nunits) {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}) {
    const char* text = std::getenv(name);
    if (text == nullptr || std::atoi(text) <= nunits) continue;
    core::log(
        core::LogLevel::warn,
        fmt::format("started as one of {} processes ({}), but MPI knows of {}: was the program "
                    "started by the mpiexec of another MPI? This library uses MPICH's",
                    text, name, nunits));
  }
}

}  // namespace

/// What every unit tells all others at init.
struct Session::UnitInfo {
  std::array<char, 64> machine{};
  HeapOffer offer;
  std::uint64_t heap_bytes = 0;
  core::CpuSet allowed;
};

Session& Session::acquire(int* argc, char*** argv) {
  std::unique_ptr<Session>& living = living_session();
  if (living) return *living;
  int initialized = 0;
  int finalized = 0;
  int level = MPI_THREAD_SINGLE;
  MPI_Initialized(&initialized);
  MPI_Finalized(&finalized);
  if (finalized != 0) {
    throw_error(DART_ERR_OTHER,
                "MPI has been finalized and cannot be started again in this process; to initialise "
                "this library several times, initialise MPI in the application");
  }
  const bool owns = initialized == 0;
  if (owns) {
    level = init_mpi(argc, argv);
  } else {
    check_mpi(MPI_Query_thread(&level), "MPI_Query_thread");
  }
  try {
    living.reset(new Session(owns, level == MPI_THREAD_MULTIPLE));
  } catch (...) {
    if (owns) MPI_Finalize();
    throw;
  }
  end_session_with_mpi();
  return *living;
}

void Session::release_if_owned() {
  std::unique_ptr<Session>& living = living_session();
  if (!living || !living->owns_mpi()) return;
  MPI_Finalize();  // ends the session by way of end_with_mpi
}

void Session::on_mpi_end(void (*hook)()) noexcept {
  mpi_end_hook = hook;
}

Session::Session(Empty, bool owns_mpi, bool multiple) noexcept
    : _owns_mpi(owns_mpi), _multiple(multiple) {}

// Delegates, so that the destructor runs if anything below fails.
Session::Session(bool owns_mpi, bool multiple) : Session(Empty(), owns_mpi, multiple) {
  check_mpi(MPI_Comm_dup(MPI_COMM_WORLD, &_world), "MPI_Comm_dup");
  check_mpi(MPI_Comm_set_errhandler(_world, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  check_mpi(MPI_Comm_rank(_world, &_layout.unit), "MPI_Comm_rank");
  check_mpi(MPI_Comm_size(_world, &_layout.nunits), "MPI_Comm_size");
  core::set_log_unit(_layout.unit, _layout.nunits);
  warn_if_wrong_launcher(_layout.nunits);

  check_mpi(MPI_Comm_dup(_world, &_two_sided), "MPI_Comm_dup");
  check_mpi(MPI_Comm_dup(_world, &_collective), "MPI_Comm_dup");

  MPI_Comm node = MPI_COMM_NULL;
  check_mpi(MPI_Comm_split_type(_world, MPI_COMM_TYPE_SHARED, _layout.unit, MPI_INFO_NULL, &node),
            "MPI_Comm_split_type");
  find_nodes(node);
  check_mpi(MPI_Comm_free(&node), "MPI_Comm_free");

  const core::Topology topology = core::Topology::load();
  _allowed = topology.allowed();
  make_heap(topology);
  const std::vector<UnitInfo> units = exchange_info(topology);
  std::vector<HeapOffer> offers;
  for (const std::int32_t unit : _layout.node_units) {
    offers.push_back(units[static_cast<std::size_t>(unit)].offer);
  }
  together(_world, [&] {
    _heap->map(offers, _layout.slot());
    share_host(units, topology);
  });
  make_window();
  // Nobody may leave, and perhaps end, before all have opened its heap.
  check_mpi(MPI_Barrier(_world), "MPI_Barrier");
}

Session::~Session() {
  if (_window != MPI_WIN_NULL) {
    MPI_Win_unlock_all(_window);
    MPI_Win_free(&_window);
  }
  if (_host_page != nullptr) unmap_page(_host_page);
  if (_collective != MPI_COMM_NULL) MPI_Comm_free(&_collective);
  if (_two_sided != MPI_COMM_NULL) MPI_Comm_free(&_two_sided);
  if (_world != MPI_COMM_NULL) MPI_Comm_free(&_world);
}

void Session::find_nodes(MPI_Comm node) {
  int slots = 0;
  check_mpi(MPI_Comm_size(node, &slots), "MPI_Comm_size");
  _layout.node_units.resize(static_cast<std::size_t>(slots));
  const std::int32_t unit = _layout.unit;
  check_mpi(MPI_Allgather(&unit, 1, MPI_INT32_T, _layout.node_units.data(), 1, MPI_INT32_T, node),
            "MPI_Allgather");
  _layout.slots.assign(static_cast<std::size_t>(_layout.nunits), -1);
  for (std::size_t slot = 0; slot < _layout.node_units.size(); ++slot) {
    _layout.slots[static_cast<std::size_t>(_layout.node_units[slot])] =
        static_cast<std::int32_t>(slot);
  }
  // The node's first unit names it; then names become numbers.
  std::vector<std::int32_t> first(static_cast<std::size_t>(_layout.nunits));
  check_mpi(MPI_Allgather(_layout.node_units.data(), 1, MPI_INT32_T, first.data(), 1, MPI_INT32_T,
                          _world),
            "MPI_Allgather");
  const std::set<std::int32_t> names(first.begin(), first.end());
  _layout.nnodes = static_cast<int>(names.size());
  for (const std::int32_t name : first) {
    _layout.node_of.push_back(
        static_cast<std::int32_t>(std::distance(names.begin(), names.find(name))));
  }
  for (int each = 0; each < _layout.nnodes; ++each) {
    const auto size = std::count(_layout.node_of.begin(), _layout.node_of.end(), each);
    _layout.largest_node = std::max(_layout.largest_node, static_cast<int>(size));
  }
  _layout.node = _layout.node_of[static_cast<std::size_t>(_layout.unit)];
}

void Session::make_heap(const core::Topology& topology) {
  std::uint64_t nbytes = core::settings().heap_size;
  if (nbytes == 0) nbytes = std::bit_ceil(std::max<std::uint64_t>(topology.memory_bytes(), 1));
  nbytes = std::max(nbytes, HeapPlan::smallest_heap);
  // The same on all units, so that one stride serves all nodes.
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, &nbytes, 1, MPI_UINT64_T, MPI_MIN, _world),
            "MPI_Allreduce");
  nbytes -= nbytes % core::page_size();
  together(_world, [&] { _heap = std::make_unique<Heap>(nbytes); });
  _plan.heap_end = nbytes;
  _plan.pool_begin =
      HeapPlan::team_block + TeamBlock::of_all(_layout.nunits, _layout.largest_node).total_bytes();
  const std::uint64_t pool = (nbytes - _plan.pool_begin) / 4;
  _plan.pool_end = _plan.pool_begin + pool - pool % core::page_size();
}

std::vector<Session::UnitInfo> Session::exchange_info(const core::Topology& topology) {
  UnitInfo mine;
  const std::string machine = topology.machine_id();
  std::memcpy(mine.machine.data(), machine.data(),
              std::min(machine.size(), mine.machine.size() - 1));
  mine.offer = _heap->offer();
  mine.allowed = topology.allowed();
  std::vector<UnitInfo> all(static_cast<std::size_t>(_layout.nunits));
  static_assert(std::is_trivially_copyable_v<UnitInfo>);
  check_mpi(MPI_Allgather(&mine, sizeof mine, MPI_BYTE, all.data(), sizeof mine, MPI_BYTE, _world),
            "MPI_Allgather");
  return all;
}

void Session::share_host(const std::vector<UnitInfo>& units, const core::Topology& topology) {
  const auto unit = static_cast<std::size_t>(_layout.unit);
  const UnitInfo& mine = units[unit];
  std::set<std::string> machines;
  // The share is cut among the units of the host that may use the same processors.
  int same_mask = 0;
  int my_index = 0;
  const UnitInfo* first_of_host = nullptr;
  _host_units = 0;
  for (std::size_t other = 0; other < units.size(); ++other) {
    machines.insert(units[other].machine.data());
    if (units[other].machine != mine.machine) continue;
    if (first_of_host == nullptr) first_of_host = &units[other];
    ++_host_units;
    _host_processors = _host_processors | units[other].allowed;
    if (!(units[other].allowed == mine.allowed)) continue;
    if (other < unit) ++my_index;
    ++same_mask;
  }
  _layout.nhosts = static_cast<int>(machines.size());
  _share = core::processor_share(topology, mine.allowed, my_index, same_mask);

  _host_page = map_page_of(first_of_host->offer, HeapPlan::host_load);
  if (_host_page == nullptr) {
    // Another container on the same machine: it counts for itself.
    _host_page = map_page_of(mine.offer, HeapPlan::host_load);
  }
  if (_host_page == nullptr) throw_error(DART_ERR_OTHER, "cannot map the page shared by a host");
  _host_load = static_cast<async::HostLoad*>(_host_page);
  _host_load->processors = static_cast<std::int32_t>(_host_processors.count());
}

void Session::make_window() {
  if (_layout.nnodes == 1) return;
  MPI_Info info = MPI_INFO_NULL;
  check_mpi(MPI_Info_create(&info), "MPI_Info_create");
  check_mpi(MPI_Info_set(info, "same_size", "true"), "MPI_Info_set");
  check_mpi(MPI_Info_set(info, "same_disp_unit", "true"), "MPI_Info_set");
  const int code = MPI_Win_create(_heap->own(), static_cast<MPI_Aint>(_heap->nbytes()), 1, info,
                                  _world, &_window);
  MPI_Info_free(&info);
  check_mpi(code, "MPI_Win_create");
  // UCX takes another base if the memory lies in that of a living window (MPICH pull request 6140).
  void* base = nullptr;
  int found = 0;
  MPI_Win_get_attr(_window, MPI_WIN_BASE, static_cast<void*>(&base), &found);
  if (found != 0 && base != _heap->own()) {
    throw_error(DART_ERR_OTHER, "MPI made the window of the heap at {} instead of {}", base,
                static_cast<const void*>(_heap->own()));
  }
  check_mpi(MPI_Win_set_errhandler(_window, MPI_ERRORS_RETURN), "MPI_Win_set_errhandler");
  check_mpi(MPI_Win_lock_all(MPI_MODE_NOCHECK, _window), "MPI_Win_lock_all");
}

}  // namespace dash::dart
