#pragma once

#include <atomic>

#include "GlobalMemory.h"
#include "Outstanding.h"
#include "RmaDriver.h"
#include "Session.h"
#include "Team.h"
#include "dash/async/Operation.h"

namespace dash::dart {

/// All that exists between dart_init and dart_exit.
class Runtime {
 public:
  /// Collective over all units.
  explicit Runtime(Session& session);
  ~Runtime();
  Runtime(const Runtime&) = delete;
  Runtime& operator=(const Runtime&) = delete;

  /// The living runtime.
  /// \throws Error (DART_ERR_NOTINIT) outside of init and exit
  static Runtime& get();
  static Runtime* find() noexcept;
  /// \throws Error unless `id` is the id of a live team
  Team& team(dart_team_t id);

  Session& session() noexcept { return _session; }
  Team& all() noexcept { return _all; }
  GlobalMemory& memory() noexcept { return _memory; }
  RmaDriver& driver() noexcept { return _driver; }
  Outstanding& outstanding() noexcept { return _outstanding; }

  /// Ends it on this unit, without the others: MPI is being finalised under us.
  static void abandon() noexcept;

  static void start(int* argc, char*** argv);
  static void stop();

 private:
  void start_progress();
  void drain();

  Session& _session;
  RmaDriver _driver;
  Team _all;
  GlobalMemory _memory;
  Outstanding _outstanding;
  bool _bound = false;  // the main thread, to the unit's share
};

}  // namespace dash::dart
