#include "launch/Session.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <map>
#include <new>
#include <set>
#include <string>

#include "base/MpiCheck.h"
#include "dash/core/Log.h"
#include "dash/core/Memory.h"
#include "dash/core/Settings.h"
#include "dash/dart/MpiLibrary.h"
#include "launch/BootstrapCollectives.h"
#include "launch/ProcessorReservation.h"
#include "launch/TeamBlock.h"

namespace dash::dart {

namespace {

/// Address space for the heaps of a node by default: half of what common 64-bit processors give a process.
constexpr std::uint64_t address_space = std::uint64_t{1} << 46;

/// The sessions of this process: one for each group of processes on which the library was started.
std::vector<std::unique_ptr<Session>>& active_sessions() {
  // Never destroyed: at process exit the other members may not be able to take part in freeing windows.
  static auto* const sessions = new std::vector<std::unique_ptr<Session>>();
  return *sessions;
}

/// Makes a failure of one unit a failure of all, so that no unit waits for one that has failed.
void agree_on_failure(MPI_Comm world, const std::string& error) {
  int failed = error.empty() ? 0 : 1;
  allreduce(&failed, 1, MPI_INT, MPI_MAX, world);
  if (!error.empty()) throw_error_text(DART_ERR_NOMEM, error);
  if (failed != 0) throw_error(DART_ERR_NOMEM, "another unit could not map its global memory");
}

/// Runs a local step that may fail; throws on all units if it fails on one.
template <class Step>
void run_on_all(MPI_Comm world, Step&& step) {
  std::string error;
  try {
    step();
  } catch (const std::exception& failure) {
    error = failure.what();
  }
  agree_on_failure(world, error);
}

void (*mpi_end_hook)() = nullptr;

/// Called at the beginning of MPI_Finalize, while MPI is still usable: frees the communicators and windows of
/// all sessions.
void end_sessions() {
  if (mpi_end_hook != nullptr) mpi_end_hook();
  // Freeing is collective. All members of the sessions created them in the same order, so freeing them in
  // the reverse order cannot deadlock. A unit may have become a progress process of a later session: it frees the
  // earlier ones when that one has ended.
  for (auto session = active_sessions().rbegin(); session != active_sessions().rend(); ++session)
    session->reset();
  active_sessions().clear();
}

/// Warns if another MPI's launcher started the program, or srun without a connection for MPI: each process is then a
/// program of one unit.
void warn_if_wrong_launcher(int nprocesses) {
  const auto warn_if_more = [nprocesses](const char* name, const char* cause) {
    const char* const text = std::getenv(name);
    if (text == nullptr || std::atoi(text) <= nprocesses) return;
    core::log(core::LogLevel::warn,
              fmt::format("started as one of {} processes ({}), but MPI knows {}: was the program "
                          "started by {}? This library uses {}",
                          text, name, nprocesses, cause, mpi_library()));
  };
  bool has_launcher = false;
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}) {
    warn_if_more(name, "the mpiexec of another MPI");
    has_launcher = has_launcher || std::getenv(name) != nullptr;
  }
  if (!has_launcher && is_task_of_srun())
    warn_if_more("SLURM_STEP_NUM_TASKS", "srun without the --mpi option that this MPI needs");
}

}  // namespace

/// Data that every unit sends to all others at initialization.
struct Session::UnitInfo {
  std::array<char, 64> machine{};
  HeapDescriptor heap;
  std::uint64_t heap_bytes = 0;
  core::CpuSet allowed;
};

Session& Session::acquire(int* argc, char*** argv, const std::string& settings_error) {
  return acquire(MpiLifetime::start(argc, argv), MPI_COMM_WORLD, settings_error);
}

Session& Session::acquire(MPI_Comm communicator, const std::string& settings_error) {
  const MpiLifetime life = MpiLifetime::of_application();
  int is_intercommunicator = 0;
  if (communicator != MPI_COMM_NULL) {
    check_mpi(MPI_Comm_test_inter(communicator, &is_intercommunicator), "MPI_Comm_test_inter");
  }
  if (communicator == MPI_COMM_NULL || is_intercommunicator != 0) {
    throw_error(DART_ERR_INVAL,
                "the communicator is {}; expected an intracommunicator of the caller",
                is_intercommunicator != 0 ? "an intercommunicator" : "MPI_COMM_NULL");
  }
  return acquire(life, communicator, settings_error);
}

Session& Session::acquire(const MpiLifetime& life, MPI_Comm communicator,
                          const std::string& settings_error) {
  for (const std::unique_ptr<Session>& session : active_sessions()) {
    int relation = MPI_UNEQUAL;
    check_mpi(MPI_Comm_compare(communicator, session->processes().communicator, &relation),
              "MPI_Comm_compare");
    if (relation == MPI_IDENT || relation == MPI_CONGRUENT) return *session;
  }
  run_when_mpi_ends(end_sessions);
  try {
    active_sessions().push_back(
        std::unique_ptr<Session>(new Session(life, communicator, settings_error)));
  } catch (...) {
    if (life.owns_mpi) finalize_mpi(life);
    throw;
  }
  return *active_sessions().back();
}

void Session::discard(Session& session) {
  std::erase_if(active_sessions(),
                [&](const std::unique_ptr<Session>& each) { return each.get() == &session; });
}

void Session::release_if_owned(const MpiLifetime& life) {
  if (life.owns_mpi) finalize_mpi(life);  // ends the sessions through end_sessions
}

void Session::on_mpi_end(void (*hook)()) noexcept {
  mpi_end_hook = hook;
}

Session::Session(Empty, const MpiLifetime& life) noexcept : _mpi(life) {}

// Delegates to another constructor, so that the destructor runs if this one throws.
Session::Session(const MpiLifetime& life, MPI_Comm communicator, const std::string& settings_error)
    : Session(Empty(), life) {
  const MPI_Comm all = duplicate(communicator);
  _roles.processes.communicator = all;
  check_mpi(MPI_Comm_set_errhandler(all, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  const core::Settings& settings = core::settings();
  const bool has_ranks = settings.progress == core::ProgressMode::ranks;
  _roles = divide_processes(all, has_ranks ? static_cast<int>(settings.progress_ranks) : 0,
                            static_cast<int>(settings.node_units), settings_error);
  _world = all;
  if (has_ranks) {
    int rank = 0;
    check_mpi(MPI_Comm_rank(all, &rank), "MPI_Comm_rank");
    const int color = is_progress_process() ? MPI_UNDEFINED : 0;
    check_mpi(MPI_Comm_split(all, color, rank, &_world), "MPI_Comm_split");
    if (is_progress_process()) return;
    check_mpi(MPI_Comm_set_errhandler(_world, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  }
  check_mpi(MPI_Comm_rank(_world, &_layout.unit), "MPI_Comm_rank");
  check_mpi(MPI_Comm_size(_world, &_layout.nunits), "MPI_Comm_size");
  core::set_log_unit(_layout.unit, _layout.nunits);
  if (communicator == MPI_COMM_WORLD) warn_if_wrong_launcher(processes().nprocesses());

  _two_sided = duplicate(_world);
  _collective = duplicate(_world);

  // The units agree on one value, so that the session is usable.
  int heap_register = static_cast<int>(settings.heap_register);
  allreduce(&heap_register, 1, MPI_INT, MPI_MAX, _world);
  _heap_register = static_cast<core::HeapRegister>(heap_register);
  MPI_Comm node = node_communicator(_world, _layout.unit, node_units());
  find_nodes(node);
  check_mpi(MPI_Comm_free(&node), "MPI_Comm_free");

  const core::Topology topology = core::Topology::load();
  _allowed = topology.allowed();
  make_heap(topology);
  const std::vector<UnitInfo> units = exchange_info(topology);
  std::vector<HeapDescriptor> heaps;
  for (const std::int32_t unit : _layout.node_units) {
    heaps.push_back(units[static_cast<std::size_t>(unit)].heap);
  }
  run_on_all(_world, [&] {
    // A progress process needs all of the heap.
    _heap->map(heaps, _layout.slot(), has_ranks ? _plan.heap_end : _plan.pool_begin);
    share_host(units, topology);
  });
  if (_layout.nhosts == 1 && _layout.nnodes > 1) {
    int has_wake_words = _has_wake_words ? 1 : 0;
    allreduce(&has_wake_words, 1, MPI_INT, MPI_MIN, _world);
    _has_wake_words = has_wake_words != 0;
  }
  if (has_ranks) {
    _server_placement.nnodes = _layout.nnodes;
    // With wake words, all units are on one host.
    if (_has_wake_words) _server_placement.host_page = units.front().heap;
    run_on_all(_world, [&] {
      if (commands_progress_process()) map_heaps_at_progress_process(heaps);
    });
  }
  exchange_hardware(topology);
  plan_slabs();
  if (pins_whole_heap()) _heap->pin(0, _plan.heap_end);
  if (_layout.nnodes > 1)
    _first_window = add_window(_plan.registered_pool_begin, _plan.first_slab_end);
  // No unit may exit before all units of its node have opened its heap.
  barrier(_world);
  _is_complete = true;
}

Session::~Session() {
  // In the order of their creation, which is the same on all units.
  for (std::unique_ptr<HeapWindow>& window : _windows) {
    const std::uint64_t begin = window->begin();
    const std::uint64_t end = window->end();
    begin_collective(ProgressCommand::Kind::remove_window, begin);
    window.reset();
    _heap->unpin(begin, end);
  }
  if (_heap != nullptr) _heap->unpin(0, _plan.heap_end);
  command(_is_complete ? ProgressCommand::Kind::end : ProgressCommand::Kind::fail);
  if (_host_page != nullptr) unmap_page(_host_page);
  if (_collective != MPI_COMM_NULL) MPI_Comm_free(&_collective);
  if (_two_sided != MPI_COMM_NULL) MPI_Comm_free(&_two_sided);
  MPI_Comm& all = _roles.processes.communicator;
  if (_world != MPI_COMM_NULL && _world != all) MPI_Comm_free(&_world);
  if (all != MPI_COMM_NULL) MPI_Comm_free(&all);
}

bool Session::commands_progress_process() const noexcept {
  return processes().has_progress_processes && !is_progress_process() && _world != MPI_COMM_NULL &&
         processes().index_at_server[static_cast<std::size_t>(_layout.unit)] == 0;
}

/// Sends a command to the progress process, if this unit does that.
void Session::command(ProgressCommand::Kind kind, std::uint64_t begin, std::uint64_t end) {
  if (!commands_progress_process()) return;
  const ProgressCommand command{kind, 0, begin, end};
  MPI_Send(&command, sizeof command, MPI_BYTE, processes().server(_layout.unit),
           ProgressCommand::tag, processes().communicator);
}

/// Begins a collective of all processes. The progress processes answer messages until all units have called this
/// function, since a unit may wait for the answer before.
void Session::begin_collective(ProgressCommand::Kind kind, std::uint64_t begin, std::uint64_t end) {
  if (!processes().has_progress_processes) return;
  command(kind, begin, end);
  barrier(processes().communicator);
}

/// \param heaps  of the node, by slot
void Session::map_heaps_at_progress_process(std::span<const HeapDescriptor> heaps) {
  const int server = processes().server(_layout.unit);
  std::vector<HeapDescriptor> served;
  for (std::size_t slot = 0; slot < heaps.size(); ++slot) {
    if (processes().server(_layout.node_units[slot]) == server) served.push_back(heaps[slot]);
  }
  request_mapping(processes(), server, served, _plan.heap_end, _server_placement);
}

void Session::find_nodes(MPI_Comm node) {
  int slots = 0;
  check_mpi(MPI_Comm_size(node, &slots), "MPI_Comm_size");
  _layout.node_units.resize(static_cast<std::size_t>(slots));
  const std::int32_t unit = _layout.unit;
  allgather(&unit, _layout.node_units.data(), sizeof unit, node);
  _layout.slots.assign(static_cast<std::size_t>(_layout.nunits), -1);
  for (std::size_t slot = 0; slot < _layout.node_units.size(); ++slot) {
    _layout.slots[static_cast<std::size_t>(_layout.node_units[slot])] =
        static_cast<std::int32_t>(slot);
  }
  // A node is identified by its first unit; then these ids are replaced by consecutive numbers.
  std::vector<std::int32_t> first_of_each(static_cast<std::size_t>(_layout.nunits));
  allgather(_layout.node_units.data(), first_of_each.data(), sizeof unit, _world);
  const std::set<std::int32_t> first_units(first_of_each.begin(), first_of_each.end());
  _layout.nnodes = static_cast<int>(first_units.size());
  for (const std::int32_t first_unit : first_of_each) {
    _layout.node_of.push_back(static_cast<std::int32_t>(
        std::distance(first_units.begin(), first_units.find(first_unit))));
  }
  for (int each = 0; each < _layout.nnodes; ++each) {
    const auto size = std::count(_layout.node_of.begin(), _layout.node_of.end(), each);
    _layout.largest_node = std::max(_layout.largest_node, static_cast<int>(size));
  }
  _layout.node = _layout.node_of[static_cast<std::size_t>(_layout.unit)];
}

void Session::make_heap(const core::Topology& topology) {
  std::uint64_t nbytes = core::settings().heap_size;
  if (nbytes == 0) {
    // The heaps of a node have to fit into the address space of a process.
    const auto units = static_cast<std::uint64_t>(_layout.largest_node);
    // A progress process maps each heap twice: also as a part of a window.
    const std::uint64_t mappings = processes().has_progress_processes ? 2 : 1;
    nbytes = std::min(std::bit_ceil(std::max<std::uint64_t>(topology.memory_bytes(), 1)),
                      std::bit_floor(address_space / (units * mappings)));
  }
  nbytes = std::max(nbytes, HeapPlan::smallest_heap);
  // Equal on all units, so that all nodes use the same stride between heaps.
  allreduce(&nbytes, 1, MPI_UINT64_T, MPI_MIN, _world);
  nbytes -= nbytes % core::page_size();
  run_on_all(_world, [&] { _heap = std::make_unique<Heap>(nbytes); });
  _plan.heap_end = nbytes;
  const std::uint64_t page = core::page_size();
  const std::uint64_t team_block =
      TeamBlock::of_all(_layout.nunits, _layout.largest_node).total_bytes();
  _plan.pool_begin = HeapPlan::team_block + (team_block + page - 1) / page * page;
  const std::uint64_t pool = (nbytes - _plan.pool_begin) / 4;
  _plan.pool_end = _plan.pool_begin + pool - pool % page;
}

std::vector<Session::UnitInfo> Session::exchange_info(const core::Topology& topology) {
  UnitInfo mine;
  const std::string machine = topology.machine_id();
  std::memcpy(mine.machine.data(), machine.data(),
              std::min(machine.size(), mine.machine.size() - 1));
  mine.heap = _heap->descriptor();
  mine.allowed = topology.allowed();

  std::vector<UnitInfo> all(static_cast<std::size_t>(_layout.nunits));
  static_assert(std::is_trivially_copyable_v<UnitInfo>);
  allgather(&mine, all.data(), sizeof mine, _world);
  return all;
}

void Session::share_host(const std::vector<UnitInfo>& units, const core::Topology& topology) {
  const auto unit = static_cast<std::size_t>(_layout.unit);
  const UnitInfo& mine = units[unit];
  std::map<std::string, std::int32_t> machines;
  // The units of the host that may use the same processors divide these among them.
  int same_mask = 0;
  int my_index = 0;
  int index_on_host = 0;
  const UnitInfo* first_of_host = nullptr;
  std::vector<std::int32_t> host_units;
  _host_units = 0;
  for (std::size_t other = 0; other < units.size(); ++other) {
    const auto next = static_cast<std::int32_t>(machines.size());
    _layout.host_of.push_back(
        machines.try_emplace(units[other].machine.data(), next).first->second);
    if (units[other].machine != mine.machine) continue;
    if (first_of_host == nullptr) first_of_host = &units[other];
    if (other == unit) index_on_host = _host_units;
    host_units.push_back(static_cast<std::int32_t>(other));
    ++_host_units;
    _host_processors = _host_processors | units[other].allowed;
    if (!(units[other].allowed == mine.allowed)) continue;
    if (other < unit) ++my_index;
    ++same_mask;
  }
  _layout.nhosts = static_cast<int>(machines.size());
  _share = core::processor_share(topology, mine.allowed, my_index, same_mask);
  // The units divide a simulated machine, too, but cannot be bound to its processors.
  _preferred_processors =
      topology.is_this_machine()
          ? core::preferred_processors(topology, mine.allowed, my_index, same_mask)
          : core::preferred_processors(topology, topology.all_processors(), index_on_host,
                                       _host_units);
  if (processes().has_progress_processes) place_server(host_units, topology);
  _domains = core::numa_domains(topology, _share);

  static_assert(sizeof(HostPage) <= 4096);
  // Progress processes that have processors of the host for themselves do not sleep.
  const bool has_sleepers =
      !processes().has_progress_processes || _server_placement.shares_processors != 0;
  _has_wake_words = _layout.nhosts == 1 && _layout.nnodes > 1 && has_sleepers &&
                    static_cast<std::size_t>(_layout.nunits) <= HostPage::max_wake_words;
  _host_page = static_cast<HostPage*>(map_page_of(first_of_host->heap, HeapPlan::host_load));
  if (_host_page == nullptr) {
    // The first unit is in another container of the same machine: this one keeps a page for itself.
    _host_page = static_cast<HostPage*>(map_page_of(mine.heap, HeapPlan::host_load));
    _has_wake_words = false;
  }
  if (_host_page == nullptr) throw_error(DART_ERR_OTHER, "cannot map the page shared by a host");

  _host_page->load.processors = static_cast<std::int32_t>(_host_processors.count());
}

/// Chooses the processors of the progress process that serves this unit.
/// \param host_units  global ids of the units of this host
void Session::place_server(std::span<const std::int32_t> host_units,
                           const core::Topology& topology) {
  const auto& index_of = processes().index_at_server;
  std::size_t nprocesses = host_units.size();
  for (const std::int32_t unit : host_units)
    nprocesses +=
        index_of[static_cast<std::size_t>(unit)] == 0 ? 1 : 0;  // and its progress process
  const core::CpuSet any = _host_processors | _roles.allowed.any;
  _server_placement.shares_processors = any.count() < static_cast<int>(nprocesses) ? 1 : 0;
  // The launcher may have bound the processes to different processors.
  if (_server_placement.shares_processors != 0 || !(_roles.allowed.all == any)) return;
  const ProcessorReservation reserved =
      reserve_processors(processes(), host_units, _layout.unit, topology, any);
  _share = reserved.unit;
  _reserved = reserved.all_servers;
  _host_processors = _host_processors - _reserved;
  if (topology.is_this_machine()) _preferred_processors = _share;
  _server_placement.processors = reserved.server;
}

void Session::exchange_hardware(const core::Topology& topology) {
  UnitHardware mine = describe_unit(topology, _preferred_processors);
  mine.processors = _share;
  mine.node = _layout.node;
  mine.host = _layout.host_of[static_cast<std::size_t>(_layout.unit)];
  _hardware.resize(static_cast<std::size_t>(_layout.nunits));
  static_assert(std::is_trivially_copyable_v<UnitHardware>);
  allgather(&mine, _hardware.data(), sizeof mine, _world);
}

/// Divides the heap into slabs, unless the first window covers all of it.
void Session::plan_slabs() {
  _plan.registered_pool_begin = _plan.pool_begin;
  _plan.first_slab_end = _plan.heap_end;
  const bool by_default = _heap_register == core::HeapRegister::automatic && _layout.nhosts > 1;
  const bool is_requested = _heap_register == core::HeapRegister::slabs;
  _plan.has_slabs = (is_requested || by_default) && _layout.nnodes > 1;
  if (!_plan.has_slabs) return;
  _plan.registered_pool_begin = std::max(
      _plan.pool_begin, _plan.pool_end - std::min(_plan.pool_end, HeapPlan::registered_pool));
  _plan.first_slab_end =
      std::min(_plan.heap_end, _plan.registered_pool_begin + HeapPlan::first_window);
}

/// Whether the pages of the heap are kept when memory is freed. The network may register any page in a process that maps it,
/// a progress process or another unit, and does not learn there that this unit returns the page. Not within a host.
bool Session::pins_whole_heap() const noexcept {
  if (processes().has_progress_processes) return _layout.nhosts > 1;
  return _plan.has_slabs && _layout.node_units.size() > 1;
}

const HeapWindow* Session::add_window(std::uint64_t begin, std::uint64_t end) {
  begin_collective(ProgressCommand::Kind::add_window, begin, end);
  // Within a host, no network registers memory. Then the pages of a heap without slabs can be returned.
  if ((_plan.has_slabs || _layout.nhosts > 1) && !pins_whole_heap()) _heap->pin(begin, end);
  CreatedHeapWindow created = HeapWindow::create(*_heap, processes(), begin, end);
  // If the call has failed on some units only, the others have registered the memory nevertheless.
  if (!created.may_be_registered) _heap->unpin(begin, end);
  if (created.window == nullptr) return nullptr;
  _windows.push_back(std::move(created.window));
  return _windows.back().get();
}

void Session::remove_window(const HeapWindow* window) {
  const std::uint64_t begin = window->begin();
  const std::uint64_t end = window->end();
  begin_collective(ProgressCommand::Kind::remove_window, begin);
  std::erase_if(_windows, [window](const auto& each) { return each.get() == window; });
  if (processes().has_progress_processes && pins_whole_heap())  // which keeps the pages
    return _heap->decommit(begin, end - begin);
  _heap->unpin(begin, end);
  _heap->remove_pages_on_node(begin, end);
}

}  // namespace dash::dart
