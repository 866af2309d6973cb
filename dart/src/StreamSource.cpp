#include "StreamSource.h"

#include <algorithm>
#include <mutex>

#include "Message.h"
#include "MpiCheck.h"
#include "Runtime.h"
#include "dash/core/Clock.h"
#include "dash/core/OtherProcesses.h"
#include "dash/core/Trace.h"

namespace dash::dart {

namespace {

/// On a timeline. What is received is in flight from when it is expected.
const char* name_of(StreamEnds::Impl::Direction direction) {
  return direction == StreamEnds::Impl::Direction::send ? "put" : "receive";
}

}  // namespace

StreamEnds::Impl::~Impl() {
  for (MPI_Request& request : _requests) {
    if (request != MPI_REQUEST_NULL) MPI_Request_free(&request);
  }
}

StreamEnds::Transfer StreamEnds::Impl::add(Direction direction, void* data, std::size_t nbytes,
                                           int unit, int tag, Signal& signal) {
  const MPI_Comm communicator = Runtime::get().session().world();
  std::lock_guard lock(_lock);
  const Transfer transfer = _transfers.size();
  const std::size_t first = _requests.size();
  for (std::size_t done = 0; done < nbytes; done += most_in_request) {
    const int length = static_cast<int>(std::min(nbytes - done, most_in_request));
    std::byte* const piece = static_cast<std::byte*>(data) + done;
    MPI_Request request = MPI_REQUEST_NULL;
    if (direction == Direction::send) {
      check_mpi(MPI_Send_init(piece, length, MPI_BYTE, unit, tag, communicator, &request),
                "MPI_Send_init");
    } else {
      check_mpi(MPI_Recv_init(piece, length, MPI_BYTE, unit, tag, communicator, &request),
                "MPI_Recv_init");
    }
    _requests.push_back(request);
    _owners.push_back(transfer);
  }
  _indices.resize(_requests.size());
  const auto count = static_cast<int>(_requests.size() - first);
  _transfers.push_back({direction, unit, nbytes, first, count, &signal});
  return transfer;
}

void StreamEnds::Impl::start(std::span<const Transfer> transfers, std::uint32_t value) {
  std::lock_guard lock(_lock);
  _starting.clear();
  std::size_t nbytes = 0;
  std::size_t largest = 0;
  for (const Transfer transfer : transfers) {
    Repeated& repeated = _transfers[transfer];
    repeated.value = value;
    repeated.unfinished = repeated.count;
    nbytes += repeated.nbytes;
    largest = std::max(largest, repeated.nbytes);
    const auto first = _requests.begin() + static_cast<std::ptrdiff_t>(repeated.first);
    _starting.insert(_starting.end(), first, first + repeated.count);
    if (core::tracing()) {
      core::trace_flight_begin(core::TraceKind::operation, name_of(repeated.direction),
                               repeated.signal, repeated.nbytes, repeated.unit);
    }
  }
  StreamSource::instance().expect(transfers.size(), largest);
  core::before_other_processes();
  // The handles stay the same.
  check_mpi(MPI_Startall(static_cast<int>(_starting.size()), _starting.data()), "MPI_Startall");
  // Under the lock: nobody else writes them.
  _under_way.store(_under_way.load(std::memory_order_relaxed) + _starting.size(),
                   std::memory_order_relaxed);
  _nbytes_under_way.store(_nbytes_under_way.load(std::memory_order_relaxed) + nbytes,
                          std::memory_order_relaxed);
}

bool StreamEnds::Impl::has_come(int unit, int tag) {
  int come = 0;
  check_mpi(MPI_Iprobe(unit, tag, Runtime::get().session().world(), &come, MPI_STATUS_IGNORE),
            "MPI_Iprobe");
  return come != 0;
}

bool StreamEnds::Impl::finished(std::size_t request) noexcept {
  Repeated& repeated = _transfers[_owners[request]];
  if (--repeated.unfinished != 0) return false;
  _nbytes_under_way.store(_nbytes_under_way.load(std::memory_order_relaxed) - repeated.nbytes,
                          std::memory_order_relaxed);
  if (core::tracing())
    core::trace_flight_end(core::TraceKind::operation, name_of(repeated.direction),
                           repeated.signal);
  raise_signal(*repeated.signal, repeated.value, SignalOp::set);
  return true;
}

bool StreamEnds::Impl::look(int times) {
  if (_under_way.load(std::memory_order_relaxed) == 0 || !_lock.try_lock()) return false;
  std::lock_guard lock(_lock, std::adopt_lock);
  core::after_other_processes();
  int completed = 0;
  for (int i = 0; i < times && completed <= 0; ++i) {
    check_mpi(MPI_Testsome(static_cast<int>(_requests.size()), _requests.data(), &completed,
                           _indices.data(), MPI_STATUSES_IGNORE),
              "MPI_Testsome");
  }
  if (completed <= 0) return false;
  const auto count = static_cast<std::size_t>(completed);
  _under_way.store(_under_way.load(std::memory_order_relaxed) - count, std::memory_order_relaxed);
  std::size_t ended = 0;
  for (std::size_t i = 0; i < count; ++i)
    ended += finished(static_cast<std::size_t>(_indices[i])) ? 1 : 0;
  StreamSource::instance().count_out(ended);
  return true;
}

StreamSource& StreamSource::instance() noexcept {
  static StreamSource* const source = new StreamSource();
  return *source;
}

void StreamSource::add(StreamEnds::Impl& ends) {
  std::lock_guard lock(_lock);
  _ends.push_back(&ends);
}

void StreamSource::remove(StreamEnds::Impl& ends) noexcept {
  std::lock_guard lock(_lock);
  std::erase(_ends, &ends);
}

void StreamSource::expect(std::size_t transfers, std::size_t nbytes) noexcept {
  _under_way.fetch_add(transfers, std::memory_order_release);
  // What is smaller goes at once, or waits for its receiver to poll, who waits for it.
  if (nbytes <= Message::max_payload) return;
  const std::uint64_t now = core::now_ns();
  if (_dense_until.load(std::memory_order_relaxed) >= now + RmaDriver::dense_ns(nbytes) / 2) return;
  _dense_until.store(now + RmaDriver::dense_ns(nbytes), std::memory_order_relaxed);
  exec::Engine::instance().notify();
}

bool StreamSource::poll() noexcept {
  // Also while nothing is under way: callers that polled then are not to be taken for polling now.
  const bool left_to_callers = exec::on_progress_thread() && _caller_polls.look();
  if (_under_way.load(std::memory_order_acquire) == 0 || left_to_callers) return false;
  if (!exec::on_progress_thread()) count_caller();
  if (!_lock.try_lock()) return false;
  std::lock_guard lock(_lock, std::adopt_lock);
  bool found = false;
  try {
    for (StreamEnds::Impl* const ends : _ends)
      found |= ends->look(1);
  } catch (const std::exception& error) {
    abort_job(DART_EXIT_ABORT, error.what());
  }
  return found;
}

exec::Demand StreamSource::demand() const noexcept {
  if (_under_way.load(std::memory_order_acquire) == 0) return exec::Demand::none;
  return core::now_ns() < _dense_until.load(std::memory_order_relaxed) ? exec::Demand::busy
                                                                       : exec::Demand::waiting;
}

}  // namespace dash::dart
