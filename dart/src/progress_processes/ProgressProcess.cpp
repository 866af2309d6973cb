#include "progress_processes/ProgressProcess.h"

#include <sched.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <exception>
#include <iterator>
#include <span>
#include <thread>
#include <vector>

#include "base/Error.h"
#include "base/MpiCheck.h"
#include "base/MpiWindow.h"
#include "dash/core/Clock.h"
#include "dash/core/Futex.h"
#include "dash/core/OtherProcesses.h"
#include "dash/core/Settings.h"
#include "dash/core/Spin.h"
#include "dash/core/Statistics.h"
#include "dash/core/Topology.h"
#include "launch/HeapWindow.h"
#include "launch/HostPage.h"
#include "launch/ServedHeaps.h"
#include "network/NetworkFailure.h"
#include "network/rma/RmaDriver.h"

namespace dash::dart {

namespace {

/// Idle polls without a pause, and then the time of idle polls with one, before the process sleeps between
/// polls.
constexpr int dense_polls = 200;
constexpr std::uint64_t pauses_ns = 1'000'000;
/// A call of sched_yield() that takes longer has run a thread that computes. Other processes that poll yield earlier.
constexpr std::uint64_t other_thread_ns = 200'000;
constexpr std::int64_t shortest_sleep_ns = 50'000;
constexpr std::int64_t longest_sleep_ns = 1'000'000;
/// The same on the only node of a job: only commands arrive, which are rare.
constexpr std::int64_t longest_sleep_on_only_node_ns = 10'000'000;
/// Polls between two checks for messages that only a mistake of the program sends here.
constexpr unsigned polls_between_checks = 1000;

}  // namespace

/// What happens between polls that find nothing. A process with its own processor continues to poll, if there are other
/// nodes. Others poll while they may soon find something, as long as no other thread needs the processor, and otherwise
/// sleep, for longer and longer times.
class ProgressProcess::IdleWait {
 public:
  /// Before the process is placed.
  IdleWait() noexcept : _polls_all_the_time(false), _longest_sleep_ns(longest_sleep_ns) {}
  explicit IdleWait(const ProgressPlacement& placement) noexcept
      : _polls_all_the_time(placement.shares_processors == 0 && placement.nnodes > 1),
        _longest_sleep_ns(placement.nnodes > 1 ? longest_sleep_ns : longest_sleep_on_only_node_ns) {
  }

  void reset() noexcept {
    _polls = 0;
    _sleep_ns = shortest_sleep_ns;
  }
  /// \param process  the caller
  void wait(ProgressProcess& process) {
    if (_polls_all_the_time) return core::cpu_relax();
    if (_polls < dense_polls) {
      if (++_polls < dense_polls) return core::cpu_relax();
      _idle_since = core::now_ns();
    }
    const std::uint64_t now = core::now_ns();
    const bool is_busy = is_moving_data(process._service.get());
    if (is_busy || now - _idle_since < pauses_ns) {
      ::sched_yield();
      if (core::now_ns() - now < other_thread_ns) return;
    }
    if (is_busy) _sleep_ns = shortest_sleep_ns;
    sleep(process);
  }

 private:
  static bool is_moving_data(Service* service) noexcept;
  void sleep(ProgressProcess& process);

  const bool _polls_all_the_time;
  const std::int64_t _longest_sleep_ns;
  int _polls = 0;
  std::uint64_t _idle_since = 0;
  std::int64_t _sleep_ns = shortest_sleep_ns;
};

namespace {

/// A transfer that a unit has delegated. Its completion is reported to the unit.
class DelegatedRequest final : public Request {
 public:
  DelegatedRequest(DelegationQueue& queue, std::uint64_t token) noexcept
      : _queue(queue), _token(token) {}

 private:
  void finish() noexcept override {
    core::before_other_processes();
    _queue.complete(_token);
  }

  DelegationQueue& _queue;
  const std::uint64_t _token;
};

}  // namespace

/// The heaps of the served units, and the network subsystem on their behalf.
struct ProgressProcess::Service {
  /// A unit that this process serves.
  struct Served {
    std::size_t unit;  // global id
    char* heap;
    DelegationQueue* queue;
    std::uint32_t started = 0;  // number of delegated transfers
  };

  Service(const Session& session, std::span<const HeapDescriptor> descriptors, std::uint64_t nbytes,
          const ProgressPlacement& placement)
      : heaps(descriptors, nbytes),
        served(served_units(session)),
        host_page(placement.host_page.pid == 0 ? nullptr : map(placement.host_page)),
        driver(config(session, placement)) {}
  ~Service() {
    if (host_page != nullptr) unmap_page(host_page);
  }
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;

  std::vector<Served> served_units(const Session& session) const {
    std::vector<Served> units;
    for (const std::int32_t unit : session.roles().served_units) {
      char* const heap = heaps.heap(units.size());
      units.push_back({static_cast<std::size_t>(unit), heap, HeapPlan::delegation_queue(heap)});
    }
    return units;
  }

  static HostPage* map(const HeapDescriptor& heap) {
    void* const page = map_page_of(heap, HeapPlan::host_load);
    if (page == nullptr)
      throw_error(DART_ERR_OTHER, "a progress process cannot map the page shared by a host");
    return static_cast<HostPage*>(page);
  }

  NetworkConfig config(const Session& session, const ProgressPlacement& placement) const {
    const std::size_t nunits = session.processes().rank_of.size();
    NetworkConfig result{.processes = session.processes(),
                         .nunits = static_cast<int>(nunits),
                         .nnodes = placement.nnodes};
    result.oversubscribed = placement.shares_processors != 0;
    result.sends_attention = false;
    result.application_poll_ns = NetworkConfig::never_ns;
    result.unit = static_cast<int>(served.front().unit);
    for (std::size_t unit = 0; host_page != nullptr && unit < nunits; ++unit)
      result.wake_words.push_back(&host_page->wake_words[unit]);
    result.heaps.assign(nunits, nullptr);
    result.received.assign(nunits, nullptr);
    for (const Served& each : served) {
      result.heaps[each.unit] = each.heap;
      result.received[each.unit] = HeapPlan::received_word(each.heap);
    }
    return result;
  }

  /// The word by which units wake this process: Session::delegation() has the same.
  WakeWord& wake_word() const noexcept {
    const Served& first = served.front();
    return host_page == nullptr ? first.queue->wake_word : host_page->wake_words[first.unit];
  }

  ServedHeaps heaps;
  std::vector<Served> served;
  HostPage* host_page;  // null: it contains no wake words
  RmaDriver driver;
};

/// Whether a transfer of this process or a peer is in flight, or messages have arrived recently.
bool ProgressProcess::IdleWait::is_moving_data(Service* service) noexcept {
  return service != nullptr && service->driver.poller().demand() == exec::Demand::busy;
}

void ProgressProcess::IdleWait::sleep(ProgressProcess& process) {
  if (process._service == nullptr)
    return std::this_thread::sleep_for(std::chrono::nanoseconds(_sleep_ns));
  WakeWord& word = process._service->wake_word();
  const std::uint32_t expected = word.announce_sleep();
  core::count(core::Counter::thread_sleeps);
  // Work that arrived before does not wake this process.
  const bool is_woken = process.serve() || core::futex_wait(word.value, expected, true, _sleep_ns);
  word.stay_awake();
  if (is_woken) return reset();
  _sleep_ns = std::min(2 * _sleep_ns, _longest_sleep_ns);
}

ProgressProcess::ProgressProcess(Session& session)
    : _session(session), _idle(std::make_unique<IdleWait>()) {}

ProgressProcess::~ProgressProcess() = default;

bool ProgressProcess::run() {
  for (unsigned polls = 1; !_has_ended; ++polls) {
    pause_unless(poll_commands() || serve());
    if (_has_ended || _is_on_only_node || polls % polls_between_checks == 0)
      reject_application_messages();
  }
  return !_has_failed;
}

/// A program that takes the ranks in MPI_COMM_WORLD for the numbers of its units sends messages that no process receives.
void ProgressProcess::reject_application_messages() const {
  int has_arrived = 0;
  MPI_Status status;
  check_mpi(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &has_arrived, &status),
            "MPI_Iprobe");
  if (has_arrived == 0) return;
  throw_error(DART_ERR_INVAL,
              "rank {} of MPI_COMM_WORLD has sent a message with tag {} to this process, which is "
              "not a unit and receives none (DART_PROGRESS=ranks); use the communicator of a team "
              "(dart_team_communicator) in place of MPI_COMM_WORLD",
              status.MPI_SOURCE, status.MPI_TAG);
}

void ProgressProcess::pause_unless(bool has_found_work) {
  if (has_found_work) return _idle->reset();
  _idle->wait(*this);
}

/// Starts delegated transfers, and polls the network. \returns whether it has found something to do
bool ProgressProcess::serve() {
  if (_service == nullptr) return false;
  core::count(core::Counter::thread_polls);
  const bool has_started = start_delegated_transfers();
  if (!_service->driver.poller().poll() && !has_started) return false;
  core::count(core::Counter::useful_thread_polls);
  return true;
}

bool ProgressProcess::start_delegated_transfers() {
  bool has_started = false;
  for (Service::Served& unit : _service->served) {
    const auto start_one = [&](const DelegationQueue::Transfer& transfer) {
      core::after_other_processes();
      start(*unit.queue, transfer, unit.heap);
    };
    has_started |= unit.queue->take_added(unit.started, start_one);
  }
  return has_started;
}

/// \param heap  of the unit that has delegated the transfer
void ProgressProcess::start(DelegationQueue& queue, const DelegationQueue::Transfer& transfer,
                            char* heap) {
  // The window with the highest beginning that is not after the location.
  const MPI_Win window = std::prev(_windows.upper_bound(transfer.location))->second;
  const RemoteAddress remote{.unit = transfer.unit,
                             .rank = transfer.rank,
                             .window = window,
                             .displacement = transfer.displacement,
                             .location = transfer.location};
  char* const local = heap + transfer.local_offset;
  const auto request = exec::StatePtr<Request>::adopt(new DelegatedRequest(queue, transfer.token));
  const RequestStart start(*request);
  TransferStarter& starter = _service->driver.starter();
  const bool is_get = transfer.kind == DelegationQueue::Kind::get;
  core::count(is_get ? core::OperationKind::get : core::OperationKind::put,
              TransferProtocols::path_of(transfer.is_two_sided), transfer.nbytes);
  try {
    if (is_get) {
      if (transfer.is_two_sided)
        return starter.get_two_sided(*request, local, remote, transfer.nbytes);
      return starter.get(*request, local, remote, transfer.nbytes);
    }
    if (transfer.is_two_sided)
      return starter.put_two_sided(*request, remote, local, transfer.nbytes);
    starter.put(*request, remote, local, transfer.nbytes);
  } catch (const std::exception& error) {
    // Here, since the end of this scope would complete the transfer.
    abort_after_network_failure(_session.processes().communicator, error);
  }
}

/// The counterpart of Session::begin_collective.
void ProgressProcess::serve_until_all_arrive() {
  MPI_Request barrier = MPI_REQUEST_NULL;
  check_mpi(MPI_Ibarrier(_session.processes().communicator, &barrier), "MPI_Ibarrier");
  for (int have_arrived = 0; have_arrived == 0;) {
    pause_unless(serve());
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
      serve_until_all_arrive();
      char* const memory = _service->heaps.map_range(command.begin, command.end);
      const std::uint64_t unit_nbytes = command.end - command.begin;
      const std::uint64_t nbytes = unit_nbytes * _session.roles().served_units.size();
      const MPI_Win window =
          create_window(_session.processes(), memory, nbytes, unit_nbytes).window;
      if (window == MPI_WIN_NULL) {
        _service->heaps.unmap_range(command.begin);
      } else {
        _windows.emplace(command.begin, window);
      }
      return;
    }
    case ProgressCommand::Kind::remove_window: {
      serve_until_all_arrive();
      const auto window = _windows.find(command.begin);
      free_window(window->second);
      _windows.erase(window);
      _service->heaps.unmap_range(command.begin);
      return;
    }
    case ProgressCommand::Kind::start_statistics:
      core::start_statistics();
      _counted_processor_ns = core::thread_processor_ns();
      check_mpi(MPI_Send(nullptr, 0, MPI_BYTE, source, ProgressCommand::tag,
                         _session.processes().communicator),
                "MPI_Send");
      return;
    case ProgressCommand::Kind::send_statistics: {
      core::count(core::Counter::thread_ns, core::thread_processor_ns() - _counted_processor_ns);
      const core::Statistics numbers = core::statistics();
      core::stop_statistics();
      check_mpi(MPI_Send(&numbers, sizeof numbers, MPI_BYTE, source, ProgressCommand::tag,
                         _session.processes().communicator),
                "MPI_Send");
      return;
    }
    case ProgressCommand::Kind::fail:
      _has_failed = true;
      if (!_unbound.empty()) core::bind_this_thread(_unbound);
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
  ProgressPlacement placement;
  check_mpi(MPI_Recv(&placement, sizeof placement, MPI_BYTE, source, ProgressCommand::tag, all,
                     MPI_STATUS_IGNORE),
            "MPI_Recv");
  _is_on_only_node = placement.nnodes == 1;  // it polls rarely
  _idle = std::make_unique<IdleWait>(placement);
  std::array<char, ProgressCommand::reply_bytes> error{};
  try {
    _service = std::make_unique<Service>(_session, heaps, command.end, placement);
    if (core::settings().bind == core::BindMode::automatic && !placement.processors.empty()) {
      _unbound = core::this_thread_affinity();
      core::bind_this_thread(placement.processors);
    }
  } catch (const std::exception& failure) {
    std::strncpy(error.data(), failure.what(), error.size() - 1);
  }
  check_mpi(MPI_Send(error.data(), static_cast<int>(error.size()), MPI_BYTE, source,
                     ProgressCommand::tag, all),
            "MPI_Send");
}

}  // namespace dash::dart
