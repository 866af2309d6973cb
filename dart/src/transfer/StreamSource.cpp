#include "transfer/StreamSource.h"

#include <algorithm>
#include <mutex>

#include "network/messages/Message.h"
#include "base/MpiCheck.h"
#include "api/Runtime.h"
#include "dash/core/Clock.h"
#include "dash/core/Fence.h"
#include "dash/core/OtherProcesses.h"
#include "dash/core/Trace.h"

namespace dash::dart {

namespace {

/// On a timeline. What is received is in flight from when it is expected.
const char* name_of(StreamEnds::Impl::Direction direction) {
  return direction == StreamEnds::Impl::Direction::send ? "put" : "receive";
}

/// MPI's type of blocks, which requests that are made with it keep.
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

StreamEnds::Impl::~Impl() {
  for (MPI_Request& request : _requests) {
    if (request != MPI_REQUEST_NULL) MPI_Request_free(&request);
  }
}

StreamEnds::Transfer StreamEnds::Impl::add(Direction direction, void* data, std::size_t nbytes,
                                           int unit, int tag, Signal& signal) {
  const MPI_Comm communicator = Runtime::get().session().world();
  std::lock_guard lock(_lock);
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
  }
  return add_transfer(direction, unit, nbytes, first, signal);
}

StreamEnds::Transfer StreamEnds::Impl::add_send(const StridedBytes& data, std::size_t nbytes,
                                                int unit, int tag, Signal& signal) {
  const MPI_Comm communicator = Runtime::get().session().world();
  const BlocksType type(data);
  std::lock_guard lock(_lock);
  const std::size_t first = _requests.size();
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(MPI_Send_init(data.first, 1, type.get(), unit, tag, communicator, &request),
            "MPI_Send_init");
  _requests.push_back(request);
  return add_transfer(Direction::send, unit, nbytes, first, signal);
}

StreamEnds::Transfer StreamEnds::Impl::add_transfer(Direction direction, int unit,
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

void StreamEnds::Impl::start(std::span<const Transfer> transfers, std::uint32_t value) {
  std::lock_guard lock(_lock);
  _started.assign(transfers.begin(), transfers.end());
  _in_started.clear();
  std::size_t nbytes = 0;
  std::size_t largest = 0;
  for (const Transfer transfer : transfers) {
    Repeated& repeated = _transfers[transfer];
    repeated.value = value;
    repeated.unfinished = repeated.count;
    nbytes += repeated.nbytes;
    largest = std::max(largest, repeated.nbytes);
    const auto first = _requests.begin() + static_cast<std::ptrdiff_t>(repeated.first);
    _in_started.insert(_in_started.end(), first, first + repeated.count);
    if (core::tracing()) {
      core::trace_flight_begin(core::TraceKind::operation, name_of(repeated.direction),
                               repeated.signal, repeated.nbytes, repeated.unit);
    }
  }
  StreamSource::instance().expect(transfers.size(), largest);
  core::before_other_processes();
  // The handles stay the same.
  check_mpi(MPI_Startall(static_cast<int>(_in_started.size()), _in_started.data()), "MPI_Startall");
  // Under the lock: nobody else writes them.
  _under_way.store(_under_way.load(std::memory_order_relaxed) + _in_started.size(),
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

void StreamEnds::Impl::end(std::span<const Transfer> transfers, std::size_t requests) noexcept {
  _under_way.store(_under_way.load(std::memory_order_relaxed) - requests,
                   std::memory_order_relaxed);
  std::size_t nbytes = 0;
  core::before_other_processes();
  for (const Transfer transfer : transfers) {
    const Repeated& repeated = _transfers[transfer];
    nbytes += repeated.nbytes;
    if (core::tracing()) {
      core::trace_flight_end(core::TraceKind::operation, name_of(repeated.direction),
                             repeated.signal);
    }
    repeated.signal->value.store(repeated.value, std::memory_order_release);
  }
  // One fence for all, between the values and the looks at the sleepers, as SharedWord says.
  core::full_fence();
  for (const Transfer transfer : transfers) {
    Signal& signal = *_transfers[transfer].signal;
    if (signal.sleepers.load(std::memory_order_relaxed) != 0) [[unlikely]]
      signal.wake();
  }
  _nbytes_under_way.store(_nbytes_under_way.load(std::memory_order_relaxed) - nbytes,
                          std::memory_order_relaxed);
  StreamSource::instance().count_out(transfers.size());
}

void StreamEnds::Impl::finish(std::span<const int> requests) noexcept {
  _ended.clear();
  for (const int request : requests) {
    const Transfer transfer = _owners[static_cast<std::size_t>(request)];
    if (--_transfers[transfer].unfinished == 0) _ended.push_back(transfer);
  }
  end(_ended, requests.size());
}

void StreamEnds::Impl::finish_all() noexcept {
  for (const Transfer transfer : _started)
    _transfers[transfer].unfinished = 0;
  end(_started, _in_started.size());
}

void StreamEnds::Impl::look_for_all(int times) {
  if (_under_way.load(std::memory_order_relaxed) == 0 || !_lock.try_lock()) return;
  std::lock_guard lock(_lock, std::adopt_lock);
  // What has ended already is not to end again.
  const auto is_under_way = [this](Transfer transfer) {
    const Repeated& repeated = _transfers[transfer];
    return repeated.unfinished == repeated.count;
  };
  if (!std::all_of(_started.begin(), _started.end(), is_under_way)) return;
  core::after_other_processes();
  int completed = 0;
  for (int i = 0; i < times && completed == 0; ++i) {
    check_mpi(MPI_Testall(static_cast<int>(_in_started.size()), _in_started.data(), &completed,
                          MPI_STATUSES_IGNORE),
              "MPI_Testall");
  }
  if (completed != 0) finish_all();
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
  finish({_indices.data(), static_cast<std::size_t>(completed)});
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
