#include "RmaDriver.h"

#include <sched.h>

#include <algorithm>
#include <cstring>
#include <mutex>

#include "MpiCheck.h"
#include "dash/core/Clock.h"
#include "dash/core/CopyKernel.h"
#include "dash/core/Log.h"

namespace dash::dart {

namespace {

/// MPICH keeps some 600 bytes of each operation in flight.
constexpr std::size_t max_in_flight = 4000;
/// Requests looked at by one poll.
constexpr std::size_t test_batch = 64;
/// MPI counts in int.
constexpr std::size_t largest_piece = std::size_t{1} << 30;
/// How long both ends of a transfer poll densely for it: a time that a slow network needs for it,
/// too. Sleeping between polls makes a transfer 3 to 30 times slower.
constexpr std::uint64_t dense_ns(std::uint64_t nbytes) {
  return 2'000'000 + nbytes;
}
/// Tests of a blocking get before it goes to the table, and its caller to sleep.
constexpr int private_tests = 200;
constexpr int message_tag = 0;

/// A caller inside MPI; the progress thread does not contend with it for MPI's lock.
class Door {
 public:
  explicit Door(std::atomic<int>& inside) noexcept : _inside(inside) {
    _inside.fetch_add(1, std::memory_order_relaxed);
  }
  ~Door() { _inside.fetch_sub(1, std::memory_order_relaxed); }
  Door(const Door&) = delete;
  Door& operator=(const Door&) = delete;

 private:
  std::atomic<int>& _inside;
};

}  // namespace

/// An operation made of one or several MPI requests; complete when the last one is.
class RmaDriver::Request : public async::State {
 public:
  explicit Request(int nrequests) noexcept : _unfinished(nrequests) {}

  /// Called once per MPI request; the last call completes and gives up the driver's reference.
  virtual void request_finished() noexcept {
    if (_unfinished.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
    complete();
    release();
  }

  char landing_byte = 0;  // of the get that confirms a put

 private:
  std::atomic<int> _unfinished;
};

/// The sending of a message: returns the buffer.
class RmaDriver::SendRequest final : public Request {
 public:
  SendRequest(RmaDriver& driver, MessageBuffer* message) noexcept
      : Request(1), _driver(driver), _message(message) {}

  void request_finished() noexcept override {
    {
      std::lock_guard lock(_driver._send_lock);
      _driver._free_buffers.push_back(_message);
    }
    Request::request_finished();
  }

 private:
  RmaDriver& _driver;
  MessageBuffer* _message;
};

RmaDriver::RmaDriver(Session& session)
    : _session(session),
      _sent(static_cast<std::size_t>(session.layout().nunits)),
      _attentive_until(static_cast<std::size_t>(session.layout().nunits)) {}

RmaDriver::~RmaDriver() {
  for (MessageBuffer* buffer : _free_buffers)
    delete buffer;
}

void RmaDriver::extend(std::atomic<std::uint64_t>& until, std::uint64_t nbytes) noexcept {
  const std::uint64_t wanted = core::now_ns() + dense_ns(nbytes);
  std::uint64_t current = until.load(std::memory_order_relaxed);
  while (current < wanted &&
         !until.compare_exchange_weak(current, wanted, std::memory_order_relaxed)) {
  }
}

void RmaDriver::add(MPI_Request request, Request& owner) {
  _in_flight.fetch_add(1, std::memory_order_release);
  std::lock_guard lock(_submit_lock);
  _submitted.push_back({request, &owner});
  _num_submitted.fetch_add(1, std::memory_order_release);
}

void RmaDriver::wait_for_room() {
  if (in_flight() < max_in_flight || async::on_progress_thread()) return;
  async::Engine::instance().wait_until([this] { return in_flight() < max_in_flight * 3 / 4; });
}

async::Operation RmaDriver::track(MPI_Request request) {
  auto* state = new Request(1);
  async::Operation operation(async::StatePtr<async::State>::share(state));
  extend(_own_dense_until, 0);
  add(request, *state);
  async::Engine::instance().notify();
  return operation;
}

async::Operation RmaDriver::get(void* dest, int unit, std::uint64_t offset, std::size_t nbytes) {
  wait_for_room();
  announce(unit, nbytes);
  const int pieces = static_cast<int>((nbytes + largest_piece - 1) / largest_piece);
  auto* state = new Request(pieces);
  async::Operation operation(async::StatePtr<async::State>::share(state));
  for (std::size_t done = 0; done < nbytes; done += largest_piece) {
    const int length = static_cast<int>(std::min(largest_piece, nbytes - done));
    MPI_Request request = MPI_REQUEST_NULL;
    {
      const Door door(_callers_inside);
      check_mpi(MPI_Rget(static_cast<char*>(dest) + done, length, MPI_BYTE, unit,
                         static_cast<MPI_Aint>(offset + done), length, MPI_BYTE, _session.window(),
                         &request),
                "MPI_Rget");
    }
    add(request, *state);
  }
  async::Engine::instance().notify();
  return operation;
}

async::Operation RmaDriver::put(int unit, std::uint64_t offset, const void* src,
                                std::size_t nbytes) {
  wait_for_room();
  announce(unit, nbytes);
  const int pieces = static_cast<int>((nbytes + largest_piece - 1) / largest_piece);
  auto* state = new Request(pieces + 1);
  async::Operation operation(async::StatePtr<async::State>::share(state));
  const Door door(_callers_inside);
  for (std::size_t done = 0; done < nbytes; done += largest_piece) {
    const int length = static_cast<int>(std::min(largest_piece, nbytes - done));
    MPI_Request request = MPI_REQUEST_NULL;
    check_mpi(MPI_Rput(static_cast<const char*>(src) + done, length, MPI_BYTE, unit,
                       static_cast<MPI_Aint>(offset + done), length, MPI_BYTE, _session.window(),
                       &request),
              "MPI_Rput");
    add(request, *state);
  }
  MPI_Request confirmation = MPI_REQUEST_NULL;
  check_mpi(MPI_Rget(&state->landing_byte, 1, MPI_BYTE, unit, static_cast<MPI_Aint>(offset), 1,
                     MPI_BYTE, _session.window(), &confirmation),
            "MPI_Rget");
  add(confirmation, *state);
  async::Engine::instance().notify();
  return operation;
}

void RmaDriver::get_blocking(void* dest, int unit, std::uint64_t offset, std::size_t nbytes) {
  if (nbytes > largest_piece) {
    get(dest, unit, offset, nbytes).wait();
    return;
  }
  announce(unit, nbytes);
  MPI_Request request = MPI_REQUEST_NULL;
  const int length = static_cast<int>(nbytes);
  {
    const Door door(_callers_inside);
    check_mpi(MPI_Rget(dest, length, MPI_BYTE, unit, static_cast<MPI_Aint>(offset), length,
                       MPI_BYTE, _session.window(), &request),
              "MPI_Rget");
    for (int i = 0; i < private_tests; ++i) {
      int complete = 0;
      check_mpi(MPI_Test(&request, &complete, MPI_STATUS_IGNORE), "MPI_Test");
      if (complete != 0) return;
    }
  }
  track(request).wait();
}

MessageBuffer* RmaDriver::take_buffer() {
  {
    std::lock_guard lock(_send_lock);
    if (!_free_buffers.empty()) {
      MessageBuffer* buffer = _free_buffers.back();
      _free_buffers.pop_back();
      return buffer;
    }
  }
  return new MessageBuffer;
}

void RmaDriver::announce(int unit, std::size_t nbytes) {
  extend(_own_dense_until, nbytes);
  const std::uint64_t now = core::now_ns();
  {
    std::lock_guard lock(_send_lock);
    std::uint64_t& until = _attentive_until[static_cast<std::size_t>(unit)];
    if (until > now + dense_ns(nbytes) / 2) return;
    until = now + dense_ns(nbytes);
  }
  MessageBuffer* message = take_buffer();
  message->kind = MessageBuffer::Kind::attention;
  message->offset = nbytes;
  message->nbytes = 0;
  send(message, unit);
}

void RmaDriver::put_signal_message(int unit, std::uint64_t offset, const void* src,
                                   std::size_t blocklen, std::size_t src_stride,
                                   std::size_t nblocks, std::uint64_t signal_offset,
                                   std::uint32_t value) {
  wait_for_room();
  MessageBuffer* message = take_buffer();
  message->kind = MessageBuffer::Kind::put_signal;
  message->value = value;
  message->offset = offset;
  message->signal_offset = signal_offset;
  message->nbytes = blocklen * nblocks;
  const char* from = static_cast<const char*>(src);
  std::byte* to = message->payload.data();
  for (std::size_t block = 0; block < nblocks; ++block) {
    std::memcpy(to + block * blocklen, from + block * src_stride, blocklen);
  }
  send(message, unit);
}

void RmaDriver::send(MessageBuffer* message, int unit) {
  {
    std::lock_guard lock(_send_lock);
    ++_sent[static_cast<std::size_t>(unit)];
  }
  auto* state = new SendRequest(*this, message);
  MPI_Request request = MPI_REQUEST_NULL;
  {
    const Door door(_callers_inside);
    check_mpi(MPI_Isend(message, static_cast<int>(message->total_bytes()), MPI_BYTE, unit,
                        message_tag, _session.world(), &request),
              "MPI_Isend");
  }
  add(request, *state);
  async::Engine::instance().notify();
}

std::vector<std::uint64_t> RmaDriver::sent() {
  std::lock_guard lock(_send_lock);
  return _sent;
}

async::Demand RmaDriver::demand() const noexcept {
  if (_session.layout().nnodes == 1) return async::Demand::none;
  const std::uint64_t now = core::now_ns();
  if (now < _peer_dense_until.load(std::memory_order_relaxed)) return async::Demand::busy;
  if (in_flight() == 0) return async::Demand::service;
  return now < _own_dense_until.load(std::memory_order_relaxed) ? async::Demand::busy
                                                                : async::Demand::waiting;
}

bool RmaDriver::poll() noexcept {
  if (_session.layout().nnodes == 1) return false;
  if (async::on_progress_thread() && _callers_inside.load(std::memory_order_relaxed) != 0) {
    return false;
  }
  if (!_poll_lock.try_lock()) return false;
  std::array<Request*, test_batch> finished;
  std::size_t num_finished = 0;
  bool served = false;
  try {
    std::lock_guard lock(_poll_lock, std::adopt_lock);
    served = serve_messages();
    num_finished = test_requests(finished);
  } catch (const std::exception& error) {
    core::log(core::LogLevel::error, fmt::format("progress: {}", error.what()));
    MPI_Abort(_session.world(), DART_EXIT_ABORT);
  }
  // Finished first, then counted out: what a completion sends is in flight before it is not.
  for (std::size_t i = 0; i < num_finished; ++i) {
    finished[i]->request_finished();
    _in_flight.fetch_sub(1, std::memory_order_release);
  }
  if (num_finished != 0 || served) async::Engine::instance().completed();
  return served || num_finished != 0;
}

/// \pre _poll_lock is held
std::size_t RmaDriver::test_requests(std::span<Request*> finished) {
  if (_num_submitted.load(std::memory_order_acquire) != 0) {
    std::lock_guard lock(_submit_lock);
    for (const Entry& entry : _submitted) {
      _requests.push_back(entry.request);
      _owners.push_back(entry.owner);
    }
    _submitted.clear();
    _num_submitted.store(0, std::memory_order_relaxed);
  }
  if (_requests.empty()) return 0;
  if (_cursor >= _requests.size()) _cursor = 0;
  const std::size_t begin = _cursor;
  const std::size_t count = std::min(test_batch, _requests.size() - begin);
  std::array<int, test_batch> indices;
  int completed = 0;
  check_mpi(MPI_Testsome(static_cast<int>(count), _requests.data() + begin, &completed,
                         indices.data(), MPI_STATUSES_IGNORE),
            "MPI_Testsome");
  const auto num_finished = static_cast<std::size_t>(std::max(completed, 0));
  for (std::size_t i = 0; i < num_finished; ++i) {
    finished[i] = _owners[begin + static_cast<std::size_t>(indices[i])];
  }
  // Close the gaps from behind, so that the indices still to come stay valid.
  std::sort(indices.begin(), indices.begin() + static_cast<std::ptrdiff_t>(num_finished),
            std::greater<>());
  for (std::size_t i = 0; i < num_finished; ++i) {
    const std::size_t gap = begin + static_cast<std::size_t>(indices[i]);
    _requests[gap] = _requests.back();
    _owners[gap] = _owners.back();
    _requests.pop_back();
    _owners.pop_back();
  }
  _cursor = begin + count - num_finished;
  return num_finished;
}

/// \pre _poll_lock is held
bool RmaDriver::serve_messages() {
  bool served = false;
  for (std::size_t i = 0; i < test_batch; ++i) {
    int found = 0;
    MPI_Status status;
    // MPICH looks first and makes progress afterwards: what has just arrived is seen by the second
    // look. Nobody else receives on this communicator, so what was found is what is received.
    for (int look = 0; look < 2 && found == 0; ++look) {
      check_mpi(MPI_Iprobe(MPI_ANY_SOURCE, message_tag, _session.world(), &found, &status),
                "MPI_Iprobe");
    }
    if (found == 0) break;
    check_mpi(MPI_Recv(&_incoming_message, sizeof _incoming_message, MPI_BYTE, status.MPI_SOURCE,
                       message_tag, _session.world(), MPI_STATUS_IGNORE),
              "MPI_Recv");
    handle(_incoming_message);
    _received.fetch_add(1, std::memory_order_release);
    served = true;
  }
  return served;
}

void RmaDriver::handle(const MessageBuffer& message) {
  if (message.kind == MessageBuffer::Kind::attention) {
    extend(_peer_dense_until, message.offset);
    return;
  }
  extend(_peer_dense_until, 0);
  char* const heap = _session.heap().own();
  std::memcpy(heap + message.offset, message.payload.data(), message.nbytes);
  reinterpret_cast<async::SharedWord*>(heap + message.signal_offset)->publish(message.value);
}

}  // namespace dash::dart
