#include "RmaDriver.h"

#include <algorithm>
#include <cstring>
#include <mutex>

#include "Door.h"
#include "MpiCheck.h"
#include "dash/core/Clock.h"
#include "dash/core/CopyKernel.h"
#include "dash/core/Log.h"
#include "dash/core/OtherProcesses.h"

namespace dash::dart {

namespace {

/// MPICH keeps some 600 bytes of each operation in flight.
constexpr std::size_t max_in_mpi = 4000;
/// The library keeps at most 256 bytes of each, so that this is 16 MiB.
constexpr std::size_t max_in_flight = 65'536;
static_assert(sizeof(Request) <= 192, "with its entries in the table at most 256 bytes");
/// How long both ends of a transfer poll densely for it: a time that a slow network needs for it,
/// too. Sleeping between polls makes a transfer 3 to 30 times slower.
constexpr std::uint64_t dense_ns(std::uint64_t nbytes) {
  return 2'000'000 + nbytes;
}
/// Polls of a caller that waits for something quick, before it goes to sleep: in rounds, of which
/// there is one where whom it waits for may need the processor.
constexpr int private_rounds = 10;
constexpr int polls_per_round = 20;
/// Polls that the thread leaves out while a caller starts one operation after the other.
constexpr int longest_standing_back = 3;

/// The processor's own clock costs half of the system's. It is of unknown speed: not above 5 GHz,
/// so that this many are 25 us at least, and not below 0.2 GHz, where they are 0.7 ms.
constexpr std::uint64_t few_ticks = std::uint64_t{1} << 17;
constexpr std::size_t few_bytes = std::size_t{64} << 10;
std::uint64_t processor_ticks() noexcept {
#ifdef __x86_64__
  return __builtin_ia32_rdtsc();
#else
  return core::now_ns();
#endif
}

/// Calls f(offset, length) for pieces that MPI can count.
template <class F>
void for_each_piece(std::size_t nbytes, F f) {
  constexpr std::size_t largest = RmaDriver::largest_piece;
  for (std::size_t done = 0; done < nbytes; done += largest) {
    f(done, static_cast<int>(std::min(largest, nbytes - done)));
  }
}

void raise(std::atomic<std::uint64_t>& until, std::uint64_t wanted) noexcept {
  // Not exact when several do it at once, which is good enough for a time to poll.
  if (until.load(std::memory_order_relaxed) < wanted) {
    until.store(wanted, std::memory_order_relaxed);
  }
}

std::unique_ptr<Message> about_data(MessageKind kind, const RemotePlace& place, int nbytes,
                                    int tag) {
  auto message = std::make_unique<Message>(kind);
  message->place = place.place;
  message->flags = place.absolute ? Message::absolute_place : 0;
  message->value = static_cast<std::uint32_t>(nbytes);
  message->nbytes = sizeof tag;
  std::memcpy(message->payload.data(), &tag, sizeof tag);
  return message;
}

}  // namespace

RmaDriver::RmaDriver(Session& session)
    : _session(session),
      _messenger(session.world(), session.layout().nunits, _table),
      _service(_messenger, session.heap()),
      _private_rounds(session.oversubscribed() ? 1 : private_rounds),
      _peers(static_cast<std::size_t>(session.layout().nunits)) {
  _messenger.handle(
      MessageKind::attention, this, [](void* driver, int, const Message& message, FinishedParts&) {
        static_cast<RmaDriver*>(driver)->peer_is_busy(message.place, message.value != 0);
      });
}

void RmaDriver::wait_for_room() {
  const auto below = [this](std::size_t in_mpi, std::size_t in_all) {
    return _table.in_mpi() < in_mpi && in_flight() < in_all;
  };
  const bool polls = exec::on_progress_thread() || exec::InPoll::active();
  if (polls || below(max_in_mpi, max_in_flight)) return;
  const exec::Purpose purpose("some of the operations in flight, which are too many");
  exec::Engine::instance().wait_until(
      [&] { return below(max_in_mpi * 3 / 4, max_in_flight * 3 / 4); });
}

void RmaDriver::peer_is_busy(std::uint64_t nbytes, bool started_only) noexcept {
  const std::uint64_t until = core::now_ns() + dense_ns(nbytes);
  raise(_peer_dense_until, until);
  if (nbytes <= few_bytes) return;
  _peer_computes_until.store(started_only ? until : 0, std::memory_order_relaxed);
  if (started_only) exec::Engine::instance().take_over();
}

void RmaDriver::announce(int unit, std::size_t nbytes, bool started_only) {
  Peer& peer = _peers[static_cast<std::size_t>(unit)];
  const std::uint64_t ticks = processor_ticks();
  if (ticks - peer.looked_at.load(std::memory_order_relaxed) < few_ticks && nbytes <= few_bytes) {
    return;  // the windows were open for a millisecond more, some microseconds ago
  }
  const std::uint64_t now = core::now_ns();
  const std::uint64_t wanted = now + dense_ns(nbytes);
  const std::uint64_t enough = now + dense_ns(nbytes) / 2;
  if (_own_dense_until.load(std::memory_order_relaxed) < enough) {
    // From here on the thread polls by itself; it need not be told of every operation.
    _own_dense_until.store(wanted, std::memory_order_relaxed);
    exec::Engine::instance().notify();
  }
  const bool leaves = started_only && nbytes > few_bytes;
  std::atomic<std::uint64_t>& told = leaves ? peer.left_until : peer.attentive_until;
  if (told.load(std::memory_order_relaxed) < enough) {
    told.store(wanted, std::memory_order_relaxed);
    if (nbytes > few_bytes) {
      (leaves ? peer.attentive_until : peer.left_until).store(0, std::memory_order_relaxed);
    }
    auto message = std::make_unique<Message>(MessageKind::attention);
    message->place = nbytes;
    message->value = leaves ? 1 : 0;
    const Door door(_caller_inside);
    _messenger.send(std::move(message), unit);
  }
  peer.looked_at.store(ticks, std::memory_order_relaxed);
}

exec::Operation RmaDriver::track(MPI_Request mpi_request) {
  auto* const request = new Request(Request::OnePart{});
  exec::Operation operation(exec::StatePtr<exec::State>::adopt(request));
  raise(_own_dense_until, core::now_ns() + dense_ns(0));
  _table.add(mpi_request, *request);
  exec::Engine::instance().notify();
  return operation;
}

exec::Operation RmaDriver::track(Awaited& awaited) {
  exec::Operation operation(exec::StatePtr<exec::State>::adopt(&awaited.owner()));
  raise(_own_dense_until, core::now_ns() + dense_ns(0));
  _table.add(awaited);
  exec::Engine::instance().notify();
  return operation;
}

MPI_Request RmaDriver::start_get(void* dest, const RemotePlace& src, int nbytes) {
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(MPI_Rget(dest, nbytes, MPI_BYTE, src.rank, static_cast<MPI_Aint>(src.displacement),
                     nbytes, MPI_BYTE, src.window, &request),
            "MPI_Rget");
  return request;
}

MPI_Request RmaDriver::start_put(const RemotePlace& dest, const void* src, int nbytes) {
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(MPI_Rput(src, nbytes, MPI_BYTE, dest.rank, static_cast<MPI_Aint>(dest.displacement),
                     nbytes, MPI_BYTE, dest.window, &request),
            "MPI_Rput");
  return request;
}

/// A transfer begins that its caller may leave to the thread.
void RmaDriver::announce_start(int unit, std::size_t nbytes) {
  announce(unit, nbytes, true);
  if (nbytes > few_bytes) exec::Engine::instance().take_over();
}

void RmaDriver::get(Request& request, void* dest, const RemotePlace& src, std::size_t nbytes) {
  announce_start(src.unit, nbytes);
  request.trace("get", nbytes, src.unit);
  const Door door(_caller_inside);
  for_each_piece(nbytes, [&](std::size_t offset, int length) {
    if (nbytes >= _ways.get_sent) {
      request.add_part();
      send_get(request, static_cast<char*>(dest) + offset, src.at(offset), length);
      return;
    }
    const MPI_Request mpi_request =
        start_get(static_cast<char*>(dest) + offset, src.at(offset), length);
    request.add_part();
    _table.add(mpi_request, request);
  });
}

void RmaDriver::put_unconfirmed(Request& request, const RemotePlace& dest, const void* src,
                                std::size_t nbytes) {
  announce_start(dest.unit, nbytes);
  request.trace("put", nbytes, dest.unit);
  const Door door(_caller_inside);
  for_each_piece(nbytes, [&](std::size_t offset, int length) {
    const MPI_Request mpi_request =
        start_put(dest.at(offset), static_cast<const char*>(src) + offset, length);
    request.add_part();
    _table.add(mpi_request, request);
  });
}

void RmaDriver::put_piece(Request& request, const RemotePlace& dest, const void* src,
                          std::size_t nbytes) {
  request.trace("put", nbytes, dest.unit);
  request.source_done_with(1);  // what remains is the confirmation, or the answer
  if (nbytes >= _ways.put_handed && nbytes < _ways.put_sent) {
    _handed.add({&request, dest, src, static_cast<int>(nbytes)});
    announce_start(dest.unit, nbytes);
    return;
  }
  announce_start(dest.unit, nbytes);
  const Door door(_caller_inside);
  if (nbytes >= _ways.put_sent) {
    send_put(request, dest, src, static_cast<int>(nbytes));
    return;
  }
  _table.add_put(start_put(dest, src, static_cast<int>(nbytes)), request, dest);
}

/// The get that confirms several puts to a target.
class RmaDriver::Confirmation final : public Request {
 public:
  Confirmation(RequestTable& table, Request* first) noexcept
      : Request(OnePart()), _table(table), _first(first) {
    release();  // the starter's
  }

 private:
  void finish() noexcept override {
    // A put that is told may be gone, and another one in its place.
    for (Request* put = _first; put != nullptr;) {
      Request* const next = put->next_unconfirmed;
      put->part_finished();
      _table.count_out_confirmed();
      put = next;
    }
  }

  RequestTable& _table;
  Request* _first;
};

void RmaDriver::start_handed_puts() {
  _handed.start_all([this](const HandedPuts::Put& put) {
    _table.add_put(start_put(put.dest, put.src, put.nbytes), *put.request, put.dest);
  });
}

void RmaDriver::confirm_started_puts() {
  RequestTable::Unconfirmed puts;
  while (_table.take_unconfirmed(puts)) {
    auto* const confirmation = new Confirmation(_table, puts.first);
    _table.add(start_get(&confirmation->landing_byte, puts.dest, 1), *confirmation);
  }
}

void RmaDriver::confirm_puts(Request& request, const RemotePlace& dest) {
  const Door door(_caller_inside);
  const MPI_Request confirmation = start_get(&request.landing_byte, dest, 1);
  request.add_part();
  _table.add(confirmation, request);
}

void RmaDriver::put(Request& request, const RemotePlace& dest, const void* src,
                    std::size_t nbytes) {
  request.trace("put", nbytes, dest.unit);
  if (nbytes >= _ways.put_sent) {
    announce_start(dest.unit, nbytes);
    const Door door(_caller_inside);
    for_each_piece(nbytes, [&](std::size_t offset, int length) {
      request.add_part();
      request.add_part();
      send_put(request, dest.at(offset), static_cast<const char*>(src) + offset, length);
    });
    return;
  }
  request.source_done_with(1);  // what remains is the confirmation
  put_unconfirmed(request, dest, src, nbytes);
  confirm_puts(request, dest);
}

void RmaDriver::put_message(Request& request, const RemotePlace& dest, const void* src,
                            std::size_t nbytes) {
  request.trace("put", nbytes, dest.unit);
  request.source_done_with(Request::all_parts);
  auto message = std::make_unique<Message>(MessageKind::put);
  message->place = dest.place;
  message->flags = dest.absolute ? Message::absolute_place : 0;
  message->nbytes = nbytes;
  std::memcpy(message->payload.data(), src, nbytes);
  send(std::move(message), dest.unit, nbytes, &request);
}

void RmaDriver::send_put(Request& request, const RemotePlace& dest, const void* src, int nbytes) {
  const int tag = _messenger.tag_to_send();
  _messenger.send(about_data(MessageKind::receive_data, dest, nbytes, tag), dest.unit, &request);
  _messenger.send_data(src, static_cast<std::uint32_t>(nbytes), dest.unit, tag, request);
}

void RmaDriver::send_get(Request& request, void* dest, const RemotePlace& src, int nbytes) {
  const int tag = _messenger.tag_to_receive();
  _messenger.receive_data(dest, static_cast<std::uint32_t>(nbytes), src.unit, tag, request);
  _messenger.send(about_data(MessageKind::send_data, src, nbytes, tag), src.unit);
}

void RmaDriver::wait_privately(MPI_Request request) {
  for (int i = 0; i < _private_rounds * polls_per_round; ++i) {
    const Door door(_caller_inside);
    count_caller();
    int complete = 0;
    check_mpi(MPI_Test(&request, &complete, MPI_STATUS_IGNORE), "MPI_Test");
    if (complete != 0) return core::count(core::Counter::waits_spun);
  }
  track(request).wait();
}

/// Starts an operation of as many parts as `begin` adds, and waits for it.
template <class Begin>
void RmaDriver::wait_for(Begin begin) {
  const auto request = exec::StatePtr<Request>::adopt(new Request());
  {
    const Start start(*request);
    begin(*request);
  }
  wait(*request);
}

void RmaDriver::get_blocking(void* dest, const RemotePlace& src, std::size_t nbytes) {
  if (nbytes >= _ways.get_sent) {
    return wait_for([&](Request& request) { get(request, dest, src, nbytes); });
  }
  const exec::Purpose purpose("a get of {} bytes from unit {}", nbytes, src.unit);
  const core::TraceSpan span(core::TraceKind::operation, "get", nbytes, src.unit);
  for_each_piece(nbytes, [&](std::size_t offset, int length) {
    announce(src.unit, static_cast<std::size_t>(length));
    wait_privately(start_get(static_cast<char*>(dest) + offset, src.at(offset), length));
  });
}

void RmaDriver::put_and_flush(const RemotePlace& dest, const void* src, int nbytes) {
  announce(dest.unit, static_cast<std::size_t>(nbytes));
  const Door door(_caller_inside);
  count_caller();
  check_mpi(MPI_Put(src, nbytes, MPI_BYTE, dest.rank, static_cast<MPI_Aint>(dest.displacement),
                    nbytes, MPI_BYTE, dest.window),
            "MPI_Put");
  check_mpi(MPI_Win_flush(dest.rank, dest.window), "MPI_Win_flush");
}

void RmaDriver::put_blocking(const RemotePlace& dest, const void* src, std::size_t nbytes) {
  if (nbytes <= _ways.blocking_message) {
    const auto request = exec::StatePtr<Request>::adopt(new Request(Request::OnePart{}));
    put_message(*request, dest, src, nbytes);
    wait(*request);
    return;
  }
  if (nbytes >= _ways.put_sent) {
    return wait_for([&](Request& request) { put(request, dest, src, nbytes); });
  }
  const core::TraceSpan span(core::TraceKind::operation, "put", nbytes, dest.unit);
  if (nbytes <= _ways.blocking_flush) {
    put_and_flush(dest, src, static_cast<int>(nbytes));
    return;
  }
  const exec::Purpose purpose("a put of {} bytes to unit {}", nbytes, dest.unit);
  for_each_piece(nbytes, [&](std::size_t offset, int length) {
    announce(dest.unit, static_cast<std::size_t>(length));
    char landing_byte = 0;
    MPI_Request confirmation = MPI_REQUEST_NULL;
    {
      const Door door(_caller_inside);
      // Nobody asks MPI for the local end of it: the confirmation comes later.
      check_mpi(
          MPI_Put(static_cast<const char*>(src) + offset, length, MPI_BYTE, dest.rank,
                  static_cast<MPI_Aint>(dest.displacement + offset), length, MPI_BYTE, dest.window),
          "MPI_Put");
      confirmation = start_get(&landing_byte, dest.at(offset), 1);
    }
    wait_privately(confirmation);
  });
}

void RmaDriver::send(std::unique_ptr<Message> message, int unit, std::size_t nbytes,
                     Request* answer_to) {
  announce(unit, nbytes);
  if (answer_to != nullptr) answer_to->trace("message", nbytes, unit);
  const Door door(_caller_inside);
  _messenger.send(std::move(message), unit, answer_to);
}

void RmaDriver::put_signal_message(const RemotePlace& dest, const void* src, std::size_t blocklen,
                                   std::size_t src_stride, std::size_t nblocks,
                                   const RemotePlace& signal, std::uint32_t value, SignalOp op,
                                   Request* answer_to) {
  auto message = std::make_unique<Message>(MessageKind::put_signal);
  message->flags = static_cast<std::uint8_t>((dest.absolute ? Message::absolute_place : 0) |
                                             (signal.absolute ? Message::absolute_signal : 0));
  message->value = value;
  message->op = static_cast<std::uint8_t>(op);
  message->place = dest.place;
  const std::size_t nbytes = blocklen * nblocks;
  if (nbytes != 0) {
    core::copy_strided(message->payload.data(), src, blocklen, src_stride, blocklen, nblocks);
  }
  std::memcpy(message->payload.data() + nbytes, &signal.place, sizeof signal.place);
  message->nbytes = nbytes + sizeof signal.place;
  {
    const Door door(_caller_inside);
    _messenger.send(std::move(message), dest.unit, answer_to);
  }
  exec::Engine::instance().notify();
}

void RmaDriver::wait(exec::State& state) {
  const core::TraceSpan span(core::TraceKind::wait, "wait");
  // The lock is kept meanwhile: to take it for each look would take as long as the look.
  count_caller();
  for (int i = 0; i < _private_rounds && !state.done(); ++i)
    poll_until_found(polls_per_round);
  if (!state.done()) return state.wait();
  core::count(core::Counter::waits_spun);
}

bool RmaDriver::idle() const noexcept {
  return _session.layout().nnodes == 1 && _services.load(std::memory_order_acquire) == 0 &&
         in_flight() == 0;
}

exec::Demand RmaDriver::demand() const noexcept {
  if (idle()) return exec::Demand::none;
  const std::uint64_t now = core::now_ns();
  if (now < _peer_dense_until.load(std::memory_order_relaxed)) return exec::Demand::busy;
  if (in_flight() == 0) return exec::Demand::service;
  return now < _own_dense_until.load(std::memory_order_relaxed) ? exec::Demand::busy
                                                                : exec::Demand::waiting;
}

bool RmaDriver::quick() const noexcept {
  return core::now_ns() >= _peer_computes_until.load(std::memory_order_relaxed);
}

bool RmaDriver::thread_stands_back() noexcept {
  const std::uint64_t polls = _caller_polls.load(std::memory_order_relaxed);
  _callers_poll = polls != _seen_polls;
  _seen_polls = polls;
  if (_callers_poll || _caller_inside.load(std::memory_order_relaxed)) return true;
  // Who only starts operations polls in the end, or computes; not for ever, though.
  const std::uint64_t added = _table.added();
  if (added != _seen_added && _times_stood_back < longest_standing_back) {
    _seen_added = added;
    ++_times_stood_back;
    return true;
  }
  _times_stood_back = 0;
  return false;
}

bool RmaDriver::poll() noexcept {
  if (idle()) return false;
  if (!exec::on_progress_thread()) {
    count_caller();
  } else if (thread_stands_back()) {
    return false;
  }
  return poll_until_found(1);
}

/// Polls at most so many times, until something is found.
bool RmaDriver::poll_until_found(int times) noexcept {
  if (!_poll_lock.try_lock()) return false;
  FinishedParts finished;
  bool served = false;
  try {
    std::lock_guard lock(_poll_lock, std::adopt_lock);
    start_handed_puts();
    confirm_started_puts();
    core::after_other_processes();
    for (int i = 0; i < times && !served && finished.empty(); ++i) {
      served = _messenger.serve(finished);
      if (finished.empty()) _table.test(finished);
    }
    core::before_other_processes();
  } catch (const std::exception& error) {
    core::log(core::LogLevel::error, fmt::format("progress: {}", error.what()));
    MPI_Abort(_session.world(), DART_EXIT_ABORT);
  }
  if (!served && finished.empty()) return false;
  if (served) peer_is_busy(0, false);
  for (Request* const request : finished)
    request->part_finished();
  _table.count_out(finished.size());
  exec::Engine::instance().completed();
  return true;
}

}  // namespace dash::dart
