#include "transfer/StreamTransfers.h"

#include <algorithm>
#include <mutex>

#include "base/Error.h"
#include "base/MpiCheck.h"
#include "dash/async/Engine.h"
#include "dash/async/Executor.h"
#include "dash/core/Clock.h"
#include "dash/core/Fence.h"
#include "dash/core/OtherProcesses.h"
#include "dash/core/Statistics.h"
#include "dash/core/Trace.h"
#include "dash/dart/Transfer.h"
#include "memory/GlobalMemory.h"
#include "network/messages/Messenger.h"
#include "transfer/StreamSource.h"

namespace dash::dart {

namespace {

/// Tests by a caller that waits before it also polls other sources, and the number of such rounds.
constexpr int polls_per_round = 16;
constexpr int first_rounds = 4;
/// Tests of all started transfers before that: about the time that neighbours in the same step
/// take.
constexpr int polls_of_all_started = 32;

/// MPI sends strided blocks through its own buffers, fragment by fragment, while the receiver
/// empties them. A packed copy, unless it is small, is copied by the system from process to
/// process. Between these sizes MPI's blocks are faster (docs/decisions/015-halo.md).
constexpr std::size_t min_block_nbytes = 256;
constexpr std::size_t min_blocks_nbytes = std::size_t{16} << 10;
constexpr std::size_t max_blocks_nbytes = std::size_t{512} << 10;

std::uint32_t first_tag(const dart_gptr_t& segment) noexcept {
  const auto number = static_cast<std::uint16_t>(segment.segid);
  return Messenger::first_stream_tag + number * max_streams;
}

/// How long a caller polls only the streams: the time of a transfer of this size on a network.
constexpr std::uint64_t dense_poll_ns(std::size_t nbytes) {
  return 20'000 + nbytes / 4;
}

/// Name on the timeline. A receive is in flight from its start on.
const char* name_of(bool is_send) {
  return is_send ? "put" : "receive";
}

/// MPI's type of strided blocks. Requests that are created with it keep it.
class BlocksType {
 public:
  explicit BlocksType(const StridedBytes& data) {
    check_mpi(MPI_Type_contiguous(static_cast<int>(data.block_nbytes), MPI_BYTE, &_type),
              "MPI_Type_contiguous");
    for (const StridedBytes::Level& level : data.levels) {
      MPI_Datatype outer = MPI_DATATYPE_NULL;
      check_mpi(MPI_Type_create_hvector(static_cast<int>(level.count), 1,
                                        static_cast<MPI_Aint>(level.stride_nbytes), _type, &outer),
                "MPI_Type_create_hvector");
      MPI_Type_free(&_type);
      _type = outer;
    }
    check_mpi(MPI_Type_commit(&_type), "MPI_Type_commit");
  }
  ~BlocksType() { MPI_Type_free(&_type); }
  BlocksType(const BlocksType&) = delete;
  BlocksType& operator=(const BlocksType&) = delete;

  MPI_Datatype get() const noexcept { return _type; }

 private:
  MPI_Datatype _type = MPI_DATATYPE_NULL;
};

}  // namespace

// --- the public interface; the constructor is in api/ ---

StreamEndpoints::StreamEndpoints(std::unique_ptr<Impl> impl) : _impl(std::move(impl)) {
  StreamSource::instance().add(*_impl);
}

StreamEndpoints::~StreamEndpoints() {
  StreamSource::instance().remove(*_impl);
}

bool is_sent_as_blocks(std::size_t nbytes, std::size_t block_nbytes) noexcept {
  return block_nbytes >= min_block_nbytes && nbytes >= min_blocks_nbytes &&
         nbytes <= max_blocks_nbytes;
}

StreamEndpoints::Transfer StreamEndpoints::add_send(const dart_gptr_t& peer, std::uint32_t stream,
                                                    const void* src, std::size_t nbytes,
                                                    Signal& signal) {
  void* const data = const_cast<void*>(src);  // MPI only reads it
  return _impl->add(Impl::Direction::send, data, nbytes, _impl->peer_of(peer, stream), signal);
}

StreamEndpoints::Transfer StreamEndpoints::add_send(const dart_gptr_t& peer, std::uint32_t stream,
                                                    const StridedBytes& src, std::size_t nbytes,
                                                    Signal& signal) {
  return _impl->add_send(src, nbytes, _impl->peer_of(peer, stream), signal);
}

StreamEndpoints::Transfer StreamEndpoints::add_receive(const dart_gptr_t& peer,
                                                       std::uint32_t stream, void* dest,
                                                       std::size_t nbytes, Signal& signal) {
  return _impl->add(Impl::Direction::receive, dest, nbytes, _impl->peer_of(peer, stream), signal);
}

void StreamEndpoints::start(std::span<const Transfer> transfers, std::uint32_t value, Next next) {
  _impl->start(transfers, value, next);
}

bool StreamEndpoints::has_arrived(const dart_gptr_t& peer, std::uint32_t stream) const {
  return _impl->has_arrived(_impl->peer_of(peer, stream));
}

void StreamEndpoints::poll_all_started() {
  if (exec::in_job() || exec::on_progress_thread()) return;
  StreamSource::instance().count_caller_poll();
  _impl->poll_all_started(polls_of_all_started);
}

void StreamEndpoints::wait(Signal& signal, std::uint32_t value) {
  const auto is_reached = [&] {
    return signal_reached(signal.value.load(std::memory_order_acquire), value);
  };
  if (is_reached()) return;
  if (!exec::in_job() && !exec::on_progress_thread()) {
    const core::TraceSpan span(core::TraceKind::wait, "wait for a stream");
    _impl->poll_until(is_reached);
    if (is_reached()) return core::count(core::Counter::waits_spun);
  }
  wait_signal(signal, value);
}

// --- the implementation ---

std::uint32_t StreamConfig::count_streams(const dart_gptr_t& segment) const {
  GlobalMemory::check(segment, 0);
  const auto end = static_cast<std::uint32_t>(largest_tag) + 1;
  return std::min(max_streams, end - std::min(end, first_tag(segment)));
}

StreamEndpoints::Impl::~Impl() {
  for (MPI_Request& request : _requests) {
    if (request != MPI_REQUEST_NULL) MPI_Request_free(&request);
  }
}

StreamEndpoints::Impl::Peer StreamEndpoints::Impl::peer_of(const dart_gptr_t& gptr,
                                                           std::uint32_t stream) const {
  const Segment& segment = GlobalMemory::check(gptr, 0);
  const std::uint32_t streams = _config.count_streams(gptr);
  if (stream >= streams) {
    throw_error(DART_ERR_INVAL,
                "no stream {} of segment {}; there are {} streams, with MPI tags up to {}", stream,
                gptr.segid, streams, _config.largest_tag);
  }
  GlobalMemory::use_for_streams(gptr.segid);
  return {segment.units[gptr.unitid], static_cast<int>(first_tag(gptr) + stream)};
}

StreamEndpoints::Transfer StreamEndpoints::Impl::add(Direction direction, void* data,
                                                     std::size_t nbytes, const Peer& peer,
                                                     Signal& signal) {
  std::lock_guard lock(_lock);
  const std::size_t first = _requests.size();
  for (std::size_t done = 0; done < nbytes; done += max_request_bytes) {
    const int length = static_cast<int>(std::min(nbytes - done, max_request_bytes));
    std::byte* const part = static_cast<std::byte*>(data) + done;
    MPI_Request request = MPI_REQUEST_NULL;
    if (direction == Direction::send) {
      check_mpi(
          MPI_Send_init(part, length, MPI_BYTE, peer.unit, peer.tag, communicator(), &request),
          "MPI_Send_init");
    } else {
      check_mpi(
          MPI_Recv_init(part, length, MPI_BYTE, peer.unit, peer.tag, communicator(), &request),
          "MPI_Recv_init");
    }
    _requests.push_back(request);
  }
  return add_transfer(direction, peer.unit, nbytes, first, signal);
}

StreamEndpoints::Transfer StreamEndpoints::Impl::add_send(const StridedBytes& data,
                                                          std::size_t nbytes, const Peer& peer,
                                                          Signal& signal) {
  const BlocksType type(data);
  std::lock_guard lock(_lock);
  const std::size_t first = _requests.size();
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(MPI_Send_init(data.first, 1, type.get(), peer.unit, peer.tag, communicator(), &request),
            "MPI_Send_init", peer.unit);
  _requests.push_back(request);
  return add_transfer(Direction::send, peer.unit, nbytes, first, signal);
}

/// Adds a transfer with the requests from index `first` on. \pre the lock is held
StreamEndpoints::Transfer StreamEndpoints::Impl::add_transfer(Direction direction, int unit,
                                                              std::size_t nbytes, std::size_t first,
                                                              Signal& signal) {
  const Transfer transfer = _transfers.size();
  _owners.resize(_requests.size(), transfer);
  _indices.resize(_requests.size());
  const auto count = static_cast<int>(_requests.size() - first);
  _transfers.push_back({direction, unit, nbytes, first, count, &signal});
  _ended.reserve(_transfers.size());
  return transfer;
}

void StreamEndpoints::Impl::start(std::span<const Transfer> transfers, std::uint32_t value,
                                  Next next) {
  std::lock_guard lock(_lock);
  _started.assign(transfers.begin(), transfers.end());
  _started_requests.clear();
  std::size_t nbytes = 0;
  std::size_t largest = 0;
  for (const Transfer transfer : transfers) {
    Repeated& repeated = _transfers[transfer];
    repeated.value = value;
    repeated.unfinished = repeated.count;
    nbytes += repeated.nbytes;
    largest = std::max(largest, repeated.nbytes);
    const auto first = _requests.begin() + static_cast<std::ptrdiff_t>(repeated.first);
    _started_requests.insert(_started_requests.end(), first, first + repeated.count);
    if (core::tracing()) {
      core::trace_flight_begin(core::TraceKind::operation,
                               name_of(repeated.direction == Direction::send), repeated.signal,
                               repeated.nbytes, repeated.unit);
    }
  }
  StreamSource::instance().count_started(transfers.size(), next == Next::waits ? 0 : largest);
  core::before_other_processes();
  // MPI does not change the handles of persistent requests.
  check_mpi(MPI_Startall(static_cast<int>(_started_requests.size()), _started_requests.data()),
            "MPI_Startall");
  _requests_in_flight.store(
      _requests_in_flight.load(std::memory_order_relaxed) + _started_requests.size(),
      std::memory_order_relaxed);
  _bytes_in_flight.store(_bytes_in_flight.load(std::memory_order_relaxed) + nbytes,
                         std::memory_order_relaxed);
}

bool StreamEndpoints::Impl::has_arrived(const Peer& peer) const {
  int found = 0;
  check_mpi(MPI_Iprobe(peer.unit, peer.tag, communicator(), &found, MPI_STATUS_IGNORE),
            "MPI_Iprobe", peer.unit);
  return found != 0;
}

/// Raises the signals of transfers whose requests, `requests` in all, have ended. \pre the lock is
/// held
void StreamEndpoints::Impl::end(std::span<const Transfer> transfers,
                                std::size_t requests) noexcept {
  _requests_in_flight.store(_requests_in_flight.load(std::memory_order_relaxed) - requests,
                            std::memory_order_relaxed);
  std::size_t nbytes = 0;
  core::before_other_processes();
  for (const Transfer transfer : transfers) {
    const Repeated& repeated = _transfers[transfer];
    nbytes += repeated.nbytes;
    if (core::tracing()) {
      core::trace_flight_end(core::TraceKind::operation,
                             name_of(repeated.direction == Direction::send), repeated.signal);
    }
    // Release: a thread that reads the value with acquire sees the data of the transfer.
    repeated.signal->value.store(repeated.value, std::memory_order_release);
  }
  // One fence for all transfers, between the values and the loads of the sleepers, as SharedWord
  // requires.
  core::full_fence();
  for (const Transfer transfer : transfers) {
    Signal& signal = *_transfers[transfer].signal;
    if (signal.sleepers.load(std::memory_order_relaxed) != 0) [[unlikely]]
      signal.wake();
  }
  _bytes_in_flight.store(_bytes_in_flight.load(std::memory_order_relaxed) - nbytes,
                         std::memory_order_relaxed);
  StreamSource::instance().count_finished(transfers.size());
}

/// Ends the transfers whose last requests are among `requests`, given by index. \pre the lock is
/// held
void StreamEndpoints::Impl::finish(std::span<const int> requests) noexcept {
  _ended.clear();
  for (const int request : requests) {
    const Transfer transfer = _owners[static_cast<std::size_t>(request)];
    if (--_transfers[transfer].unfinished == 0) _ended.push_back(transfer);
  }
  end(_ended, requests.size());
}

/// Ends all transfers of the last start. \pre the lock is held
void StreamEndpoints::Impl::finish_all_started() noexcept {
  for (const Transfer transfer : _started)
    _transfers[transfer].unfinished = 0;
  end(_started, _started_requests.size());
}

void StreamEndpoints::Impl::poll_all_started(int times) {
  if (_requests_in_flight.load(std::memory_order_relaxed) == 0 || !_lock.try_lock()) return;
  std::lock_guard lock(_lock, std::adopt_lock);
  // A transfer that has ended must not end again.
  const auto is_in_flight = [this](Transfer transfer) {
    const Repeated& repeated = _transfers[transfer];
    return repeated.unfinished == repeated.count;
  };
  if (!std::all_of(_started.begin(), _started.end(), is_in_flight)) return;
  core::after_other_processes();
  int completed = 0;
  for (int i = 0; i < times && completed == 0; ++i) {
    check_mpi(MPI_Testall(static_cast<int>(_started_requests.size()), _started_requests.data(),
                          &completed, MPI_STATUSES_IGNORE),
              "MPI_Testall");
  }
  if (completed != 0) finish_all_started();
}

bool StreamEndpoints::Impl::poll(int times) {
  if (_requests_in_flight.load(std::memory_order_relaxed) == 0 || !_lock.try_lock()) return false;
  std::lock_guard lock(_lock, std::adopt_lock);
  core::after_other_processes();
  int completed = 0;
  for (int i = 0; i < times && completed <= 0; ++i) {
    check_mpi(MPI_Testsome(static_cast<int>(_requests.size()), _requests.data(), &completed,
                           _indices.data(), MPI_STATUSES_IGNORE),
              "MPI_Testsome");
  }
  if (completed <= 0) return false;
  finish({_indices.data(), static_cast<std::size_t>(completed)});
  return true;
}

void StreamEndpoints::Impl::poll_until(exec::FunctionRef<bool()> done) {
  StreamSource& source = StreamSource::instance();
  source.count_caller_poll();
  for (int round = 0; round < first_rounds && !done(); ++round)
    poll(polls_per_round);
  if (done() || _config.oversubscribed) return;
  exec::Engine& engine = exec::Engine::instance();
  const std::uint64_t end =
      core::now_ns() + dense_poll_ns(_bytes_in_flight.load(std::memory_order_relaxed));
  while (!done() && core::now_ns() < end) {
    source.count_caller_poll();
    poll(polls_per_round);
    // Other units may need progress of this unit.
    if (!done()) engine.progress();
  }
}

}  // namespace dash::dart
