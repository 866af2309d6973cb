#pragma once

#include <sys/types.h>

#include <string>

#include "base/DataType.h"
#include "dash/async/FunctionRef.h"
#include "diagnostics/StatisticsReport.h"
#include "diagnostics/Timeline.h"
#include "diagnostics/Watchdog.h"
#include "launch/Session.h"
#include "locality/Locality.h"
#include "locks/Lock.h"
#include "memory/Allocators.h"
#include "memory/GlobalMemory.h"
#include "memory/SymmetricHeap.h"
#include "memory/TeamRegistry.h"
#include "network/rma/RmaDriver.h"
#include "transfer/AtomicOperations.h"
#include "transfer/BlockTransfers.h"
#include "transfer/GlobalCopy.h"
#include "transfer/OneSided.h"
#include "transfer/PendingOperations.h"
#include "transfer/RemoteCalls.h"
#include "transfer/SignalledPuts.h"
#include "transfer/StreamTransfers.h"
#include "transfer/TypedTransfers.h"
#include "two_sided/TaskMessages.h"
#include "two_sided/TwoSided.h"

namespace dash::dart {

/// Ends all processes of the job, after a log message with the reason and some time for the
/// launcher to forward it.
[[noreturn]] void abort_job(int code, const char* reason) noexcept;

/// Owns everything that exists between dart_init and dart_exit.
///
/// Its parts receive what they need through their constructors. Only the functions in this folder
/// use find() and get().
class Runtime {
 public:
  /// Diagnostics that a setting of any unit enables on all units.
  struct Diagnostics {
    bool statistics = false;
    unsigned watchdog_s = 0;  // the longest timeout of all units; 0: no watchdog
  };

  /// Collective over all units.
  Runtime(Session& session, const Diagnostics& diagnostics);
  ~Runtime();
  Runtime(const Runtime&) = delete;
  Runtime& operator=(const Runtime&) = delete;

  /// The live runtime.
  /// \throws Error (DART_ERR_NOTINIT) outside of dart_init and dart_exit
  static Runtime& get();
  /// \returns null outside of dart_init and dart_exit
  static Runtime* find() noexcept;
  /// \throws exception::RuntimeError unless `id` is the id of a live team
  Team& team(dart_team_t id);
  /// The team of a pointer's segment.
  Team& team_of(const Segment& segment) { return team(segment.team()); }
  /// Destroys a team and its segments. \collective over the team
  void destroy(Team& team);

  Session& session() noexcept { return _session; }
  /// The process that started the runtime; a process forked from it is not part of the job.
  pid_t process() const noexcept { return _process; }
  TeamRegistry& teams() noexcept { return _teams; }
  Team& all() noexcept { return _teams.all(); }
  SymmetricHeap& heap() noexcept { return _heap; }
  GlobalMemory& memory() noexcept { return _memory; }
  Allocators& allocators() noexcept { return _allocators; }
  RmaDriver& driver() noexcept { return _driver; }
  PendingOperations& pending_operations() noexcept { return _pending_operations; }
  OneSided& one_sided() noexcept { return _one_sided; }
  TypedTransfers& typed_transfers() noexcept { return _typed_transfers; }
  BlockTransfers& block_transfers() noexcept { return _block_transfers; }
  AtomicOperations& atomics() noexcept { return _atomics; }
  SignalledPuts& signalled_puts() noexcept { return _signalled_puts; }
  RemoteCalls& remote_calls() noexcept { return _remote_calls; }
  GlobalCopies& global_copies() noexcept { return _global_copies; }
  const StreamConfig& stream_config() const noexcept { return _stream_config; }
  TwoSided& two_sided() noexcept { return _two_sided; }
  TaskMessages& task_messages() noexcept { return _task_messages; }
  DataTypes& types() noexcept { return _types; }
  Locks& locks() noexcept { return _locks; }
  const Watchdog& watchdog() const noexcept { return _watchdog; }
  Locality& locality() noexcept { return _locality; }

  /// Bytes of elements of a contiguous type, basic or custom.
  /// \throws exception::RuntimeError for other types, or if the product does not fit
  std::size_t bytes_of(std::size_t nelem, dart_datatype_t type) const;

  /// Destroys the runtime of this unit, without the others, because the application finalizes MPI.
  static void abandon() noexcept;

  /// Starts the runtime on all processes, or on those of a communicator of the application.
  static void start(int* argc, char*** argv);
  static void start(MPI_Comm communicator);
  static void stop();

 private:
  static void start(exec::FunctionRef<Session&(const std::string&)> acquire);
  void start_progress();
  void stop_progress() noexcept;
  void drain();

  Session& _session;
  pid_t _process;
  StatisticsReport _statistics;  // started before the first segment exists
  RmaDriver _driver;
  SymmetricHeap _heap;
  TeamRegistry _teams;
  GlobalMemory _memory;
  PendingOperations _pending_operations{_driver};
  OneSided _one_sided{_memory, _driver, _pending_operations};
  TypedTransfers _typed_transfers{_one_sided};
  BlockTransfers _block_transfers{_typed_transfers};
  AtomicOperations _atomics{_one_sided};
  SignalledPuts _signalled_puts{_one_sided};
  RemoteCalls _remote_calls{_one_sided};
  GlobalCopies _global_copies{_one_sided, _block_transfers};
  TwoSided _two_sided;
  TaskMessages _task_messages;
  StreamConfig _stream_config;
  Allocators _allocators;
  DataTypes _types;
  Locks _locks;
  Locality _locality;
  Timeline _timeline;
  Watchdog _watchdog;
  bool _is_bound = false;  // the main thread, to the processors of the unit
};

}  // namespace dash::dart
