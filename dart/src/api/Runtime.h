#pragma once

#include "memory/Allocators.h"
#include "base/DataType.h"
#include "memory/GlobalMemory.h"
#include "locality/Locality.h"
#include "locks/Lock.h"
#include "transfer/PendingOperations.h"
#include "network/rma/RmaDriver.h"
#include "launch/Session.h"
#include "diagnostics/StatisticsReport.h"
#include "memory/SymmetricHeap.h"
#include "teams/TeamRegistry.h"
#include "diagnostics/Timeline.h"
#include "two_sided/TwoSided.h"
#include "diagnostics/Watchdog.h"
#include "dash/async/FunctionRef.h"
#include "dash/async/Operation.h"

namespace dash::dart {

/// Ends all processes of the job, after a line that says why and some time for it to get through.
[[noreturn]] void abort_job(int code, const char* why) noexcept;

/// All that exists between dart_init and dart_exit.
class Runtime {
 public:
  /// What any unit asks for, all do.
  struct Observation {
    bool statistics = false;
    unsigned watchdog_s = 0;  // the longest of all
  };

  /// Collective over all units.
  Runtime(Session& session, const Observation& observation);
  ~Runtime();
  Runtime(const Runtime&) = delete;
  Runtime& operator=(const Runtime&) = delete;

  /// The living runtime.
  /// \throws Error (DART_ERR_NOTINIT) outside of init and exit
  static Runtime& get();
  static Runtime* find() noexcept;
  /// \throws Error unless `id` is the id of a live team
  Team& team(dart_team_t id);
  /// The team of a pointer's segment.
  Team& team_of(const Segment& segment) { return team(segment.team()); }
  /// Ends a team and its segments. \collective over the team
  void destroy(Team& team);

  Session& session() noexcept { return _session; }
  /// The process that started it, unlike one that was forked from it.
  pid_t process() const noexcept { return _process; }
  TeamRegistry& teams() noexcept { return _teams; }
  Team& all() noexcept { return _teams.all(); }
  GlobalMemory& memory() noexcept { return _memory; }
  Allocators& allocators() noexcept { return _allocators; }
  RmaDriver& driver() noexcept { return _driver; }
  PendingOperations& pending_operations() noexcept { return _pending_operations; }
  TwoSided& two_sided() noexcept { return _two_sided; }
  DataTypes& types() noexcept { return _types; }
  Locks& locks() noexcept { return _locks; }
  const Watchdog& watchdog() const noexcept { return _watchdog; }
  Locality& locality() noexcept { return _locality; }

  /// Bytes of elements of a contiguous type, basic or custom.
  /// \throws Error for other types, or if the product does not fit
  std::size_t bytes_of(std::size_t nelem, dart_datatype_t type) const;

  /// Ends it on this unit, without the others: MPI is being finalised under us.
  static void abandon() noexcept;

  /// On all processes, or those of a communicator of the application's.
  static void start(int* argc, char*** argv);
  static void start(MPI_Comm communicator);
  static void stop();

 private:
  static void start(exec::FunctionRef<Session&()> acquire);
  void start_progress();
  void drain();

  Session& _session;
  pid_t _process;
  StatisticsReport _statistics;  // before the first segment
  RmaDriver _driver;
  SymmetricHeap _heap;
  TeamRegistry _teams;
  GlobalMemory _memory;
  PendingOperations _pending_operations{_driver};
  TwoSided _two_sided;
  Allocators _allocators;
  DataTypes _types;
  Locks _locks;
  Locality _locality;
  Timeline _timeline;
  Watchdog _watchdog;
  bool _bound = false;  // the main thread, to the unit's share
};

}  // namespace dash::dart
