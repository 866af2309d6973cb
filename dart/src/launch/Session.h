#pragma once

#include <mpi.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/DelegationQueue.h"
#include "dash/async/Engine.h"
#include "dash/core/NumaDomain.h"
#include "dash/core/Settings.h"
#include "dash/core/Topology.h"
#include "launch/Heap.h"
#include "launch/HeapWindow.h"
#include "launch/HostPage.h"
#include "launch/MpiLifetime.h"
#include "launch/ProcessRoles.h"
#include "launch/ProgressCommand.h"
#include "launch/UnitHardware.h"

namespace dash::dart {

/// Placement of the units. A node is a shared-memory domain as MPI reports it, or a part of it
/// (DART_NODE_UNITS); a host is a machine.
struct Layout {
  int unit = 0;
  int nunits = 1;
  int node = 0;
  int nnodes = 1;
  int nhosts = 1;
  std::vector<std::int32_t> node_of;  // node of each unit; nodes are numbered by their first units
  std::vector<std::int32_t> host_of;  // host of each unit, numbered likewise
  std::vector<std::int32_t> slots;    // slot of each unit of the caller's node, -1 for others
  std::vector<std::int32_t> node_units;  // global ids of the units of the caller's node, by slot

  int largest_node = 1;  // number of units of the largest node

  int slot() const noexcept { return slots[static_cast<std::size_t>(unit)]; }
};

/// Layout of a heap: fixed areas at its beginning, then the pool, then the symmetric part. Offsets in
/// bytes.
///
/// The first window covers the registered part of the pool, which is its end, and the first slab,
/// which is the beginning of the symmetric part. Without slabs, these are the whole pool and the
/// whole symmetric part.
struct HeapPlan {
  static constexpr std::uint64_t host_load = 64 * 1024;
  static constexpr std::uint64_t delegation = 72 * 1024;  // DelegationQueue
  static constexpr std::uint64_t mailbox = 96 * 1024;     // Mailbox of TwoSided
  static constexpr std::uint64_t mailbox_bytes = 4096;
  static constexpr std::uint64_t task_mailbox = mailbox + mailbox_bytes;  // TaskMailbox
  static constexpr std::uint64_t received = 112 * 1024;  // number of active messages about the heap
  static constexpr std::uint64_t team_block = 128 * 1024;  // shared state of the team of all units
  static constexpr std::uint64_t smallest_heap = 16 * 1024 * 1024;
  static constexpr std::uint64_t first_window = 64 * 1024 * 1024;     // of a heap with slabs
  static constexpr std::uint64_t registered_pool = 16 * 1024 * 1024;  // likewise

  /// The word of a heap that counts the messages about it.
  static std::atomic<std::uint64_t>* received_word(char* heap) noexcept {
    return reinterpret_cast<std::atomic<std::uint64_t>*>(heap + received);
  }

  static DelegationQueue* delegation_queue(char* heap) noexcept {
    return reinterpret_cast<DelegationQueue*>(heap + delegation);
  }
  static_assert(host_load + sizeof(HostPage) <= delegation &&
                delegation + sizeof(DelegationQueue) <= mailbox);

  std::uint64_t pool_begin = 0;  // dart_memalloc
  std::uint64_t registered_pool_begin = 0;
  std::uint64_t pool_end = 0;  // = beginning of the symmetric part
  std::uint64_t first_slab_end = 0;
  std::uint64_t heap_end = 0;
  bool has_slabs = false;
};

/// The resources of a group of processes: communicators, the heap and its window, the topology. If the
/// application owns MPI, a session survives dart_exit and ends in MPI_Finalize; otherwise it ends in
/// dart_exit.
///
/// Construction is collective over the group and blocks inside MPI, since MPI offers no other way to create
/// communicators and windows.
class Session {
 public:
  /// The active session of all processes, or a new one. Initializes MPI unless the application has.
  /// \param settings_error  why the settings of this process are invalid, or ""
  static Session& acquire(int* argc, char*** argv, const std::string& settings_error);
  /// The active session of the processes of a communicator, or a new one.
  /// \throws exception::RuntimeError unless MPI is initialized and this is an intracommunicator
  static Session& acquire(MPI_Comm communicator, const std::string& settings_error);
  /// Ends a session. \collective over the group of the session
  static void discard(Session& session);
  /// Ends all sessions and finalizes MPI if this library initialized it.
  static void release_if_owned(const MpiLifetime& life);
  /// Sets the function to call when the application finalizes MPI while a session is in use.
  static void on_mpi_end(void (*hook)()) noexcept;

  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  const MpiLifetime& mpi() const noexcept { return _mpi; }
  /// Whether MPI provides MPI_THREAD_MULTIPLE.
  bool has_thread_multiple() const noexcept { return _mpi.has_thread_multiple; }
  const Layout& layout() const noexcept { return _layout; }
  /// The value of DART_NODE_UNITS that determined the nodes.
  int node_units() const noexcept { return _roles.node_units; }
  /// The value of DART_HEAP_REGISTER that determined the windows.
  core::HeapRegister heap_register() const noexcept { return _heap_register; }
  Heap& heap() noexcept { return *_heap; }
  const HeapPlan& plan() const noexcept { return _plan; }
  /// The units and progress processes, with a private communicator for active messages.
  const Processes& processes() const noexcept { return _roles.processes; }
  /// Whether this process serves units instead of being one. Then only roles() and processes() are
  /// defined.
  bool is_progress_process() const noexcept { return _roles.is_progress_process; }
  const ProcessRoles& roles() const noexcept { return _roles; }
  /// Private communicator of all units.
  MPI_Comm world() const noexcept { return _world; }
  /// Private communicator of all units, for dart_send and dart_recv with the tags of the application.
  MPI_Comm two_sided() const noexcept { return _two_sided; }
  /// Private communicator of all units, for the collectives of teams between the leaders of nodes.
  MPI_Comm collective() const noexcept { return _collective; }
  /// The window over the registered pool and the first slab, which lives as long as the session; null if
  /// all units are on one node, or if MPI could not create it.
  /// \threads thread-safe
  const HeapWindow* first_window() const noexcept { return _first_window; }
  /// The windows over the heaps, in the order of their creation.
  /// \threads only for collectives of all units
  const std::vector<std::unique_ptr<HeapWindow>>& windows() const noexcept { return _windows; }
  /// Creates a window over a range of zeroed memory, and pins the range.
  /// \returns null on all units if MPI cannot create it  \collective  \blocks inside MPI
  const HeapWindow* add_window(std::uint64_t begin, std::uint64_t end);
  /// Frees a window, then returns its pages to the system.
  /// \pre no transfer to its memory is in flight  \collective  \blocks inside MPI
  void remove_window(const HeapWindow* window);
  exec::HostLoad& host_load() noexcept { return _host_page->load; }
  /// The words of all units, in memory that all of them share (PeerWakeUp). Empty unless there are several
  /// nodes on one host, with not more units than there are words.
  std::vector<WakeWord*> wake_words();
  /// For each unit the start of its heap in this process, and the word that counts the messages about it;
  /// null except for this unit.
  std::vector<char*> own_heap() const;
  std::vector<std::atomic<std::uint64_t>*> own_received() const;
  /// How this unit delegates transfers to its progress process. \pre the heaps are mapped
  Delegation delegation() const noexcept;
  /// Whether this is the first unit that a progress process serves.
  bool commands_progress_process() const noexcept;
  /// The progress process counts its work from the first call to the second one.
  /// \pre commands_progress_process()  \blocks inside MPI
  /// @{
  void start_server_statistics() const {
    start_statistics_of(processes(), processes().server(_layout.unit));
  }
  core::Statistics server_statistics() const {
    return statistics_of(processes(), processes().server(_layout.unit));
  }
  /// @}
  /// Shared by the units of the host.
  WatchdogFlag& watchdog_flag() noexcept { return _host_page->watchdog_flag; }

  /// Processors of the host that this unit uses.
  const core::CpuSet& share() const noexcept { return _share; }
  /// NUMA domains of share().
  const std::vector<core::NumaDomain>& domains() const noexcept { return _domains; }
  /// Processors that the main thread was allowed to use before it was bound.
  const core::CpuSet& allowed() const noexcept { return _allowed; }
  /// Those of allowed() that are not reserved for progress processes.
  core::CpuSet unreserved() const noexcept { return _allowed - _reserved; }
  int host_units() const noexcept { return _host_units; }
  /// Hardware of every unit, by global id.
  const std::vector<UnitHardware>& hardware() const noexcept { return _hardware; }
  /// Whether the host has more units than processors that the units may use, or more processes, with progress
  /// processes.
  bool oversubscribed() const noexcept {
    return _host_units > _host_processors.count() || _server_placement.shares_processors != 0;
  }

 private:
  struct UnitInfo;
  struct Empty {};
  Session(Empty, const MpiLifetime& life) noexcept;
  Session(const MpiLifetime& life, MPI_Comm communicator, const std::string& settings_error);
  static Session& acquire(const MpiLifetime& life, MPI_Comm communicator,
                          const std::string& settings_error);

  std::vector<UnitInfo> exchange_info(const core::Topology& topology);
  void find_nodes(MPI_Comm node);
  void make_heap(const core::Topology& topology);
  void share_host(const std::vector<UnitInfo>& units, const core::Topology& topology);
  void place_server(std::span<const std::int32_t> host_units, const core::Topology& topology);
  void exchange_hardware(const core::Topology& topology);
  void plan_slabs();
  bool pins_whole_heap() const noexcept;
  void map_heaps_at_progress_process(std::span<const HeapDescriptor> heaps);
  void begin_collective(ProgressCommand::Kind kind, std::uint64_t begin, std::uint64_t end = 0);
  void command(ProgressCommand::Kind kind, std::uint64_t begin = 0, std::uint64_t end = 0);

  MpiLifetime _mpi;
  bool _is_complete = false;  // the constructor has ended
  Layout _layout;
  HeapPlan _plan;
  core::HeapRegister _heap_register = core::HeapRegister::automatic;
  std::unique_ptr<Heap> _heap;
  ProcessRoles _roles;
  MPI_Comm _world = MPI_COMM_NULL;  // without progress processes, that of all processes
  MPI_Comm _two_sided = MPI_COMM_NULL;
  MPI_Comm _collective = MPI_COMM_NULL;
  std::vector<std::unique_ptr<HeapWindow>> _windows;  // changed by collectives of all units
  const HeapWindow* _first_window = nullptr;
  HostPage* _host_page = nullptr;
  bool _has_wake_words = false;  // all units share the page of the host
  core::CpuSet _share;
  ProgressPlacement _server_placement;  // of the progress process that serves this unit
  std::vector<core::NumaDomain> _domains;
  core::CpuSet _host_processors;  // that the units of the host may use
  core::CpuSet _allowed;
  core::CpuSet _reserved;  // for progress processes of the host
  core::CpuSet _preferred_processors;
  int _host_units = 1;
  std::vector<UnitHardware> _hardware;
};

}  // namespace dash::dart
