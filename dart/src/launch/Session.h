#pragma once

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "launch/WatchdogFlag.h"
#include "launch/Heap.h"
#include "launch/MpiLifetime.h"
#include "launch/UnitHardware.h"
#include "dash/async/Engine.h"
#include "dash/core/NumaDomain.h"
#include "dash/core/Topology.h"

namespace dash::dart {

/// Where the units are. A node is a shared-memory domain as MPI reports it, a host a machine.
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

  int largest_node = 1;  // its number of units

  int slot() const noexcept { return slots[static_cast<std::size_t>(unit)]; }
};

/// What the begin of each heap is used for; the rest is for allocations.
struct HeapPlan {
  static constexpr std::uint64_t host_load = 64 * 1024;
  static constexpr std::uint64_t mailbox = 96 * 1024;  // of messages between two units
  static constexpr std::uint64_t mailbox_bytes = 4096;
  static constexpr std::uint64_t team_block = 128 * 1024;  // of the team of all units
  static constexpr std::uint64_t smallest_heap = 16 * 1024 * 1024;

  std::uint64_t pool_begin = 0;  // dart_memalloc
  std::uint64_t pool_end = 0;    // = begin of the symmetric part
  std::uint64_t heap_end = 0;
};

/// Everything that exists once for a group of processes: our communicators, the heap and its window,
/// the topology. With MPI owned by the application it survives dart_exit and ends with MPI; with our
/// own it ends in dart_exit.
///
/// Making one is collective over the group and blocks inside MPI, as there is no other way to make
/// communicators and windows.
class Session {
 public:
  /// The living session of all processes, or a new one, MPI being initialised if nobody has.
  static Session& acquire(int* argc, char*** argv);
  /// The living session of the communicator's processes, or a new one.
  /// \throws Error unless MPI is initialised and this is a communicator of one group
  static Session& acquire(MPI_Comm communicator);
  /// Ends all sessions and MPI if MPI is ours.
  static void release_if_owned(const MpiLifetime& life);
  /// Called when MPI ends under a session in use; set by the runtime.
  static void on_mpi_end(void (*hook)()) noexcept;

  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  const MpiLifetime& mpi() const noexcept { return _mpi; }
  /// MPI_THREAD_MULTIPLE was given.
  bool multiple() const noexcept { return _mpi.multiple; }
  const Layout& layout() const noexcept { return _layout; }
  Heap& heap() noexcept { return *_heap; }
  const HeapPlan& plan() const noexcept { return _plan; }
  /// All units, ours alone: active messages.
  MPI_Comm world() const noexcept { return _world; }
  /// All units, ours alone: dart_send and dart_recv, with the user's tags.
  MPI_Comm two_sided() const noexcept { return _two_sided; }
  /// All units, ours alone: the collectives of teams, between the leaders of nodes.
  MPI_Comm collective() const noexcept { return _collective; }
  /// Over the heaps; MPI_WIN_NULL if all units are on one node.
  MPI_Win window() const noexcept { return _window; }
  exec::HostLoad& host_load() noexcept { return _host_page->load; }
  /// Shared by the units of the host.
  WatchdogFlag& alarm() noexcept { return _host_page->alarm; }

  const core::CpuSet& share() const noexcept { return _share; }
  /// The NUMA domains of the share.
  const std::vector<core::NumaDomain>& domains() const noexcept { return _domains; }
  /// The processors that the units of the host have, all together.
  const core::CpuSet& host_processors() const noexcept { return _host_processors; }
  /// The main thread's processors before it was bound.
  const core::CpuSet& allowed() const noexcept { return _allowed; }
  int host_units() const noexcept { return _host_units; }
  /// Of every unit.
  const std::vector<UnitHardware>& hardware() const noexcept { return _hardware; }
  /// More units than processors of the host.
  bool oversubscribed() const noexcept { return _host_units > _host_processors.count(); }

 private:
  struct UnitInfo;
  struct Empty {};
  Session(Empty, const MpiLifetime& life) noexcept;
  Session(const MpiLifetime& life, MPI_Comm communicator);
  static Session& acquire(const MpiLifetime& life, MPI_Comm communicator);

  std::vector<UnitInfo> exchange_info(const core::Topology& topology);
  void find_nodes(MPI_Comm node);
  void make_heap(const core::Topology& topology);
  void share_host(const std::vector<UnitInfo>& units, const core::Topology& topology);
  void exchange_hardware(const core::Topology& topology);
  void make_window();

  MpiLifetime _mpi;
  Layout _layout;
  HeapPlan _plan;
  std::unique_ptr<Heap> _heap;
  MPI_Comm _world = MPI_COMM_NULL;
  MPI_Comm _two_sided = MPI_COMM_NULL;
  MPI_Comm _collective = MPI_COMM_NULL;
  MPI_Win _window = MPI_WIN_NULL;
  HostPage* _host_page = nullptr;
  core::CpuSet _share;
  std::vector<core::NumaDomain> _domains;
  core::CpuSet _host_processors;
  core::CpuSet _allowed;
  core::CpuSet _home;
  int _host_units = 1;
  std::vector<UnitHardware> _hardware;
};

}  // namespace dash::dart
