#pragma once

#include <mpi.h>

#include <cstdint>
#include <map>
#include <memory>

#include "base/DelegationQueue.h"
#include "launch/ProgressCommand.h"
#include "launch/Session.h"

namespace dash::dart {

/// The work of a progress process (DART_PROGRESS=ranks): it maps the heaps of some units of its node,
/// exposes them in windows of MPI, handles the messages about them, and advances the transfers that
/// these units delegate to it, until they end the session.
/// \threads only the thread that has initialized MPI
class ProgressProcess {
 public:
  explicit ProgressProcess(Session& session);
  ~ProgressProcess();
  ProgressProcess(const ProgressProcess&) = delete;
  ProgressProcess& operator=(const ProgressProcess&) = delete;

  /// Returns when the units have ended the session. \returns false if they could not start it
  bool run();

 private:
  /// Exists while the heaps are mapped.
  struct Service;
  class IdleWait;

  void pause_unless(bool has_found_work);
  bool serve();
  bool start_delegated_transfers();
  void start(DelegationQueue& queue, const DelegationQueue::Transfer& transfer, char* heap);
  bool poll_commands();
  void reject_application_messages() const;
  void serve_until_all_arrive();
  void execute(const ProgressCommand& command, int source);
  void map_heaps(const ProgressCommand& command, int source);

  Session& _session;
  std::unique_ptr<IdleWait> _idle;
  std::unique_ptr<Service> _service;
  std::map<std::uint64_t, MPI_Win> _windows;  // by the beginning of their range
  core::CpuSet _unbound;  // processors of this process before it was bound; empty: it is not
  std::uint64_t _counted_processor_ns = 0;  // processor time at the beginning of the count
  bool _is_on_only_node = false;
  bool _has_ended = false;
  bool _has_failed = false;
};

}  // namespace dash::dart
