#include "progress_processes/ProgressProcess.h"

#include <sched.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <exception>
#include <optional>
#include <span>
#include <thread>
#include <vector>

#include "base/MpiCheck.h"
#include "base/MpiWindow.h"
#include "dash/core/Clock.h"
#include "dash/core/OtherProcesses.h"
#include "dash/core/Spin.h"
#include "dash/core/Topology.h"
#include "launch/HeapWindow.h"
#include "launch/ServedHeaps.h"
#include "network/messages/ActiveMessageHandlers.h"
#include "network/messages/Messenger.h"
#include "network/messages/PeerWakeUp.h"
#include "network/rma/RequestTable.h"

namespace dash::dart {

namespace {

/// Idle polls without a pause, and then the time of idle polls with one, before the process sleeps between
/// polls.
constexpr int dense_polls = 200;
constexpr std::uint64_t pauses_ns = 1'000'000;
constexpr std::chrono::microseconds shortest_sleep(50);
constexpr std::chrono::microseconds longest_sleep(1000);

}  // namespace

/// What happens between polls that find nothing. A process that shares its processor with units releases it:
/// it yields for a millisecond, then it sleeps, for longer and longer times.
class ProgressProcess::IdleWait {
 public:
  explicit IdleWait(bool has_own_processor) noexcept : _has_own_processor(has_own_processor) {}

  void reset() noexcept {
    _polls = 0;
    _sleep = shortest_sleep;
  }
  void wait() {
    if (++_polls < dense_polls) return core::cpu_relax();
    if (_polls == dense_polls) _idle_since = core::now_ns();
    if (_has_own_processor) return core::cpu_relax();
    if (core::now_ns() - _idle_since < pauses_ns) {
      ::sched_yield();
      return;
    }
    std::this_thread::sleep_for(_sleep);
    _sleep = std::min(2 * _sleep, longest_sleep);
  }

 private:
  const bool _has_own_processor;
  int _polls = 0;
  std::uint64_t _idle_since = 0;
  std::chrono::microseconds _sleep = shortest_sleep;
};

struct ProgressProcess::Service {
  Service(const Session& session, std::span<const HeapDescriptor> descriptors, std::uint64_t nbytes)
      : heaps(descriptors, nbytes),
        heap_of(session.processes().rank_of.size(), nullptr),
        received_of(heap_of.size(), nullptr),
        wake_up({}, 0) {
    for (std::size_t index = 0; index < descriptors.size(); ++index) {
      const auto unit = static_cast<std::size_t>(session.roles().served_units[index]);
      heap_of[unit] = heaps.heap(index);
      received_of[unit] = HeapPlan::received_word(heap_of[unit]);
    }
    messenger.emplace(session.processes(), received_of, table, wake_up);
    handlers.emplace(*messenger, heap_of);
  }

  ServedHeaps heaps;
  // By global id of a unit; null for units that this process does not serve.
  std::vector<char*> heap_of;
  std::vector<std::atomic<std::uint64_t>*> received_of;
  RequestTable table;
  PeerWakeUp wake_up;
  std::optional<Messenger> messenger;
  std::optional<ActiveMessageHandlers> handlers;
};

ProgressProcess::ProgressProcess(Session& session)
    : _session(session),
      _idle(std::make_unique<IdleWait>(session.roles().host_processes <=
                                       core::Topology::load().all_processors().count())) {}

ProgressProcess::~ProgressProcess() = default;

bool ProgressProcess::run() {
  while (!_has_ended) {
    if (poll_commands() || poll_messages()) {
      _idle->reset();
    } else {
      _idle->wait();
    }
  }
  return !_has_failed;
}

/// \returns whether it has found something to do
bool ProgressProcess::poll_messages() {
  if (_service == nullptr) return false;
  FinishedParts finished;
  core::after_other_processes();
  const auto arrived = _service->messenger->handle_arrived(finished);
  if (finished.empty()) _service->table.test(finished);
  core::before_other_processes();
  for (Request* const request : finished)
    request->part_finished();
  _service->table.count_finished(finished.size());
  return arrived != Messenger::Arrived::nothing || !finished.empty();
}

/// The counterpart of Session::begin_collective.
void ProgressProcess::handle_messages_until_all_arrive() {
  MPI_Request barrier = MPI_REQUEST_NULL;
  check_mpi(MPI_Ibarrier(_session.processes().communicator, &barrier), "MPI_Ibarrier");
  for (int have_arrived = 0; have_arrived == 0;) {
    if (poll_messages()) {
      _idle->reset();
    } else {
      _idle->wait();
    }
    check_mpi(MPI_Test(&barrier, &have_arrived, MPI_STATUS_IGNORE), "MPI_Test");
  }
}

bool ProgressProcess::poll_commands() {
  int has_arrived = 0;
  MPI_Status status;
  const MPI_Comm all = _session.processes().communicator;
  check_mpi(MPI_Iprobe(MPI_ANY_SOURCE, ProgressCommand::tag, all, &has_arrived, &status),
            "MPI_Iprobe");
  if (has_arrived == 0) return false;
  ProgressCommand command;
  check_mpi(MPI_Recv(&command, sizeof command, MPI_BYTE, status.MPI_SOURCE, ProgressCommand::tag,
                     all, MPI_STATUS_IGNORE),
            "MPI_Recv");
  execute(command, status.MPI_SOURCE);
  return true;
}

void ProgressProcess::execute(const ProgressCommand& command, int source) {
  switch (command.kind) {
    case ProgressCommand::Kind::map_heaps:
      return map_heaps(command, source);
    case ProgressCommand::Kind::add_window: {
      handle_messages_until_all_arrive();
      char* const memory = _service->heaps.map_range(command.begin, command.end);
      const std::uint64_t nbytes =
          (command.end - command.begin) * _session.roles().served_units.size();
      const MPI_Win window = create_window(_session.processes(), memory, nbytes);
      if (window != MPI_WIN_NULL) _windows.emplace(command.begin, window);
      return;
    }
    case ProgressCommand::Kind::remove_window: {
      handle_messages_until_all_arrive();
      const auto window = _windows.find(command.begin);
      free_window(window->second);
      _windows.erase(window);
      _service->heaps.unmap_range(command.begin);
      return;
    }
    case ProgressCommand::Kind::fail:
      _has_failed = true;
      [[fallthrough]];
    case ProgressCommand::Kind::end:
      _service.reset();
      _has_ended = true;
      return;
  }
}

void ProgressProcess::map_heaps(const ProgressCommand& command, int source) {
  const MPI_Comm all = _session.processes().communicator;
  std::vector<HeapDescriptor> heaps(command.count);
  check_mpi(MPI_Recv(heaps.data(), static_cast<int>(heaps.size() * sizeof(HeapDescriptor)),
                     MPI_BYTE, source, ProgressCommand::tag, all, MPI_STATUS_IGNORE),
            "MPI_Recv");
  std::array<char, ProgressCommand::reply_bytes> error{};
  try {
    _service = std::make_unique<Service>(_session, heaps, command.end);
  } catch (const std::exception& failure) {
    std::strncpy(error.data(), failure.what(), error.size() - 1);
  }
  check_mpi(MPI_Send(error.data(), static_cast<int>(error.size()), MPI_BYTE, source,
                     ProgressCommand::tag, all),
            "MPI_Send");
}

}  // namespace dash::dart
