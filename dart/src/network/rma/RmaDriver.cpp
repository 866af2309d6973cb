#include "network/rma/RmaDriver.h"

#include <cstdlib>
#include <cstring>

#include "base/MpiCallGuard.h"
#include "base/MpiCheck.h"
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
static_assert(sizeof(Request) <= 128, "with its entries in the table at most 256 bytes");
/// Small transfers to a unit that begin between two polls, before it is worth while to gather them.
constexpr std::uint32_t few_transfers = 16;
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

/// A caller that waits so soon after it has started a large transfer did not compute meanwhile.
constexpr std::uint64_t at_once_ns = 10'000;

void raise(std::atomic<std::uint64_t>& until, std::uint64_t wanted) noexcept {
  // Not exact when several do it at once, which is good enough for a time to poll.
  if (until.load(std::memory_order_relaxed) < wanted) {
    until.store(wanted, std::memory_order_relaxed);
  }
}

/// Until when a transfer is polled for densely that begins `now`, while others are until `others_until`:
/// they share memory, or the network, and take as long as all of them together. \param most  of them
std::uint64_t dense_until(std::uint64_t now, std::uint64_t nbytes, std::uint64_t others_until,
                          std::size_t most) noexcept {
  const std::uint64_t alone = now + RmaDriver::dense_ns(nbytes);
  if (nbytes <= few_bytes || others_until <= now) return alone;
  return std::max(alone, std::min(others_until + RmaDriver::transfer_ns(nbytes),
                                  now + RmaDriver::dense_ns(nbytes * most)));
}

std::unique_ptr<Message> about_data(MessageKind kind, const RemoteAddress& place, int nbytes,
                                    int tag) {
  auto message = std::make_unique<Message>(kind);
  message->place = place.place;
  message->flags = place.absolute ? Message::absolute_place : 0;
  message->value = static_cast<std::uint32_t>(nbytes);
  message->nbytes = sizeof tag;
  std::memcpy(message->payload.data(), &tag, sizeof tag);
  return message;
}

/// Data that goes with a signal, without its payload.
std::unique_ptr<Message> signalling(MessageKind kind, const RemoteAddress& dest,
                                    const RemoteAddress& signal, std::uint32_t value, SignalOp op) {
  auto message = std::make_unique<Message>(kind);
  message->flags = static_cast<std::uint8_t>((dest.absolute ? Message::absolute_place : 0) |
                                             (signal.absolute ? Message::absolute_signal : 0));
  message->value = value;
  message->op = static_cast<std::uint8_t>(op);
  message->place = dest.place;
  return message;
}

}  // namespace

RmaDriver::RmaDriver(Session& session)
    : _session(session),
      _bundles(session.layout().nunits),
      _messenger(session.world(), session.layout().nunits, _table),
      _service(_messenger, session.heap()),
      _private_rounds(session.oversubscribed() ? 1 : most_private_rounds),
      _peers_at_once(
          static_cast<std::size_t>(std::clamp(session.layout().nunits - 1, 1, most_peers_at_once))),
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
  const std::uint64_t others = _peer_dense_until.load(std::memory_order_relaxed);
  const std::uint64_t until = dense_until(core::now_ns(), nbytes, others, _peers_at_once);
  raise(_peer_dense_until, until);
  if (nbytes <= few_bytes) return;
  raise(_large_until, until);
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
  const std::uint64_t own = _own_dense_until.load(std::memory_order_relaxed);
  const std::uint64_t wanted = dense_until(now, nbytes, own, in_flight() + 1);
  const std::uint64_t enough = now + (wanted - now) / 2;
  if (nbytes > few_bytes) raise(_large_until, wanted);
  if (own < enough) {
    // From here on the thread polls by itself; it need not be told of every operation.
    _own_dense_until.store(wanted, std::memory_order_relaxed);
    exec::Engine::instance().notify();
  }
  const bool leaves =
      started_only && nbytes > few_bytes && !_waits_at_once.load(std::memory_order_relaxed);
  std::atomic<std::uint64_t>& told = leaves ? peer.left_until : peer.attentive_until;
  if (told.load(std::memory_order_relaxed) < enough) {
    told.store(wanted, std::memory_order_relaxed);
    if (nbytes > few_bytes) {
      (leaves ? peer.attentive_until : peer.left_until).store(0, std::memory_order_relaxed);
    }
    tell(unit, bytes_within(wanted - now - dense_ns(0)), leaves);
  }
  peer.looked_at.store(ticks, std::memory_order_relaxed);
}

void RmaDriver::tell(int unit, std::size_t nbytes, bool leaves) {
  auto message = std::make_unique<Message>(MessageKind::attention);
  message->place = nbytes;
  message->value = leaves ? 1 : 0;
  const MpiCallGuard door(_caller_inside);
  _messenger.send(std::move(message), unit);
}

/// Something of ours is in flight. The thread polls by itself from here on; it need not be told of
/// every operation.
void RmaDriver::poll_densely() noexcept {
  const std::uint64_t now = core::now_ns();
  if (_own_dense_until.load(std::memory_order_relaxed) >= now + dense_ns(0) / 2) return;
  _own_dense_until.store(now + dense_ns(0), std::memory_order_relaxed);
  exec::Engine::instance().notify();
}

exec::Operation RmaDriver::track(MPI_Request mpi_request) {
  auto* const request = new Request(Request::OnePart{});
  exec::Operation operation(exec::StatePtr<exec::State>::adopt(request));
  _table.add(mpi_request, *request);
  poll_densely();
  return operation;
}

exec::Operation RmaDriver::track(ExpectedMessage& awaited) {
  exec::Operation operation(exec::StatePtr<exec::State>::adopt(&awaited.owner()));
  _table.add(awaited);
  poll_densely();
  return operation;
}

MPI_Request RmaDriver::start_get(void* dest, const RemoteAddress& src, int nbytes) {
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(MPI_Rget(dest, nbytes, MPI_BYTE, src.rank, static_cast<MPI_Aint>(src.displacement),
                     nbytes, MPI_BYTE, src.window, &request),
            "MPI_Rget");
  return request;
}

MPI_Request RmaDriver::start_put(const RemoteAddress& dest, const void* src, int nbytes) {
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(MPI_Rput(src, nbytes, MPI_BYTE, dest.rank, static_cast<MPI_Aint>(dest.displacement),
                     nbytes, MPI_BYTE, dest.window, &request),
            "MPI_Rput");
  return request;
}

/// A transfer begins that its caller may leave to the thread.
void RmaDriver::announce_start(int unit, std::size_t nbytes) {
  announce(unit, nbytes, true);
  if (nbytes > few_bytes) note_large_start(unit);
}

void RmaDriver::note_large_start(int unit) noexcept {
  _large_unit.store(unit, std::memory_order_relaxed);
  _large_started_at.store(core::now_ns(), std::memory_order_relaxed);
  if (!_waits_at_once.load(std::memory_order_relaxed)) exec::Engine::instance().take_over();
}

void RmaDriver::caller_waits() noexcept {
  const std::uint64_t started_at = _large_started_at.load(std::memory_order_relaxed);
  if (started_at == 0) return;
  _large_started_at.store(0, std::memory_order_relaxed);
  const std::uint64_t now = core::now_ns();
  const bool at_once = now - started_at < at_once_ns;
  if (_waits_at_once.load(std::memory_order_relaxed) == at_once) return;
  _waits_at_once.store(at_once, std::memory_order_relaxed);
  if (!at_once) return;
  const int unit = _large_unit.load(std::memory_order_relaxed);
  Peer& peer = _peers[static_cast<std::size_t>(unit)];
  const std::uint64_t left_until = peer.left_until.exchange(0, std::memory_order_relaxed);
  if (left_until <= now) return;
  try {
    tell(unit, few_bytes + bytes_within(left_until - now), false);
  } catch (const std::exception& error) {
    abort(error);
  }
}

void RmaDriver::get(Request& request, void* dest, const RemoteAddress& src, std::size_t nbytes) {
  if (nbytes >= _ways.started_get_sent) return get_by_sending(request, dest, src, nbytes);
  announce_start(src.unit, nbytes);
  request.trace("get", nbytes, src.unit);
  const MpiCallGuard door(_caller_inside);
  for_each_piece(nbytes, [&](std::size_t offset, int length) {
    const MPI_Request mpi_request =
        start_get(static_cast<char*>(dest) + offset, src.at(offset), length);
    _table.add(mpi_request, request);
    request.add_part();
  });
}

void RmaDriver::put_unconfirmed(Request& request, const RemoteAddress& dest, const void* src,
                                std::size_t nbytes) {
  announce_start(dest.unit, nbytes);
  request.trace("put", nbytes, dest.unit);
  const MpiCallGuard door(_caller_inside);
  for_each_piece(nbytes, [&](std::size_t offset, int length) {
    const MPI_Request mpi_request =
        start_put(dest.at(offset), static_cast<const char*>(src) + offset, length);
    _table.add(mpi_request, request);
    request.add_part();
  });
}

void RmaDriver::put_piece(Request& request, const RemoteAddress& dest, const void* src,
                          std::size_t nbytes) {
  request.trace("put", nbytes, dest.unit);
  request.source_done_with(1);  // what remains is the confirmation, or the answer
  if (nbytes >= _ways.put_handed && nbytes < _ways.started_put_sent) {
    _handed.add({&request, dest, src, static_cast<int>(nbytes)});
    announce_start(dest.unit, nbytes);
    return;
  }
  announce_start(dest.unit, nbytes);
  const MpiCallGuard door(_caller_inside);
  if (nbytes >= _ways.started_put_sent) {
    send_put(request, dest, src, static_cast<int>(nbytes));
    return;
  }
  _table.add_put(start_put(dest, src, static_cast<int>(nbytes)), request, dest);
}

void RmaDriver::confirm_puts(Request& request, const RemoteAddress& dest) {
  const MpiCallGuard door(_caller_inside);
  const MPI_Request confirmation = start_get(&request.landing_byte, dest, 1);
  _table.add(confirmation, request);
  request.add_part();
}

void RmaDriver::put(Request& request, const RemoteAddress& dest, const void* src,
                    std::size_t nbytes) {
  if (nbytes >= _ways.started_put_sent) return put_by_sending(request, dest, src, nbytes);
  request.source_done_with(1);  // what remains is the confirmation
  put_unconfirmed(request, dest, src, nbytes);
  confirm_puts(request, dest);
}

void RmaDriver::put_message(Request& request, const RemoteAddress& dest, const void* src,
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

bool RmaDriver::is_one_of_many(const RemoteAddress& place) noexcept {
  if (place.absolute) return false;
  Peer& peer = _peers[static_cast<std::size_t>(place.unit)];
  const std::uint32_t round = _rounds.load(std::memory_order_relaxed);
  std::uint32_t begun = 0;
  if (peer.round.load(std::memory_order_relaxed) == round) {
    begun = peer.begun.load(std::memory_order_relaxed);
  } else {
    peer.round.store(round, std::memory_order_relaxed);
  }
  peer.begun.store(begun + 1, std::memory_order_relaxed);
  return begun >= few_transfers;
}

void RmaDriver::put_bundled(Request& request, const RemoteAddress& dest, const void* src,
                            std::size_t nbytes) {
  request.trace("put", nbytes, dest.unit);
  request.source_done_with(Request::all_parts);
  send_full(_bundles.put(request, dest, src, nbytes, [&] { announce_start(dest.unit, nbytes); }));
}

void RmaDriver::get_bundled(Request& request, void* dest, const RemoteAddress& src,
                            std::size_t nbytes) {
  request.trace("get", nbytes, src.unit);
  send_full(_bundles.get(request, dest, src, nbytes, [&] { announce_start(src.unit, nbytes); }));
}

/// Others' transfers are in it, too: what goes wrong here is not only the caller's.
void RmaDriver::send_full(TransferBatch* bundle) noexcept {
  if (bundle == nullptr) return;
  try {
    send(bundle->take_message(), bundle->unit(), bundle->nbytes(), bundle);
  } catch (const std::exception& error) {
    abort(error);
  }
}

void RmaDriver::abort(const std::exception& error) noexcept {
  core::log(core::LogLevel::error, fmt::format("progress: {}", error.what()));
  MPI_Abort(_session.world(), DART_EXIT_ABORT);
  std::abort();
}

void RmaDriver::send_put(Request& request, const RemoteAddress& dest, const void* src, int nbytes) {
  const int tag = _messenger.tag_to_send();
  _messenger.send(about_data(MessageKind::receive_data, dest, nbytes, tag), dest.unit, &request);
  _messenger.send_data(src, static_cast<std::uint32_t>(nbytes), dest.unit, tag, request);
}

void RmaDriver::send_get(Request& request, void* dest, const RemoteAddress& src, int nbytes) {
  const int tag = _messenger.tag_to_receive();
  _messenger.receive_data(dest, static_cast<std::uint32_t>(nbytes), src.unit, tag, request);
  _messenger.send(about_data(MessageKind::send_data, src, nbytes, tag), src.unit);
}

void RmaDriver::put_by_sending(Request& request, const RemoteAddress& dest, const void* src,
                               std::size_t nbytes) {
  request.trace("put", nbytes, dest.unit);
  announce_start(dest.unit, nbytes);
  const MpiCallGuard door(_caller_inside);
  for_each_piece(nbytes, [&](std::size_t offset, int length) {
    request.add_part();
    request.add_part();
    send_put(request, dest.at(offset), static_cast<const char*>(src) + offset, length);
  });
}

void RmaDriver::get_by_sending(Request& request, void* dest, const RemoteAddress& src,
                               std::size_t nbytes) {
  request.trace("get", nbytes, src.unit);
  announce_start(src.unit, nbytes);
  const MpiCallGuard door(_caller_inside);
  for_each_piece(nbytes, [&](std::size_t offset, int length) {
    request.add_part();
    send_get(request, static_cast<char*>(dest) + offset, src.at(offset), length);
  });
}

void RmaDriver::send(std::unique_ptr<Message> message, int unit, std::size_t nbytes,
                     Request* answer_to) {
  announce(unit, nbytes);
  if (answer_to != nullptr) answer_to->trace("message", nbytes, unit);
  const MpiCallGuard door(_caller_inside);
  _messenger.send(std::move(message), unit, answer_to);
}

void RmaDriver::put_signal_message(const RemoteAddress& dest, const void* src, std::size_t blocklen,
                                   std::size_t src_stride, std::size_t nblocks,
                                   const RemoteAddress& signal, std::uint32_t value, SignalOp op,
                                   Request* answer_to) {
  auto message = signalling(MessageKind::put_signal, dest, signal, value, op);
  const std::size_t nbytes = blocklen * nblocks;
  if (nbytes != 0) {
    core::copy_strided(message->payload.data(), src, blocklen, src_stride, blocklen, nblocks);
  }
  std::memcpy(message->payload.data() + nbytes, &signal.place, sizeof signal.place);
  message->nbytes = nbytes + sizeof signal.place;
  if (answer_to != nullptr) answer_to->trace("message", nbytes, dest.unit);
  bool has_left = false;
  {
    const MpiCallGuard door(_caller_inside);
    has_left = _messenger.send(std::move(message), dest.unit, answer_to);
  }
  // Most have, and nobody here waits for them: the thread goes on sleeping.
  if (!has_left || answer_to != nullptr) poll_densely();
}

exec::Operation RmaDriver::put_signal_sent(const RemoteAddress& dest, const void* src,
                                           std::size_t nbytes, std::unique_ptr<char[]> packed,
                                           const RemoteAddress& signal, std::uint32_t value,
                                           SignalOp op, Request* answer_to) {
  const SignalledData data{_messenger.tag_to_send(), static_cast<std::uint32_t>(nbytes),
                           signal.place};
  auto message = signalling(MessageKind::receive_signalled_data, dest, signal, value, op);
  message->nbytes = sizeof data;
  std::memcpy(message->payload.data(), &data, sizeof data);
  if (answer_to != nullptr) answer_to->trace("message", nbytes, dest.unit);
  if (nbytes > few_bytes) announce_start(dest.unit, nbytes);
  exec::Operation operation;
  bool has_left = false;
  {
    const MpiCallGuard door(_caller_inside);
    has_left = _messenger.send(std::move(message), dest.unit, answer_to);
    const MPI_Request in_mpi = _messenger.start_data(src, data.nbytes, dest.unit, data.tag);
    if (in_mpi != MPI_REQUEST_NULL) {
      has_left = false;
      operation = keep_until_sent(in_mpi, std::move(packed), nbytes, dest.unit);
    }
  }
  if (!has_left || answer_to != nullptr) poll_densely();
  return operation;
}

/// \param packed  what MPI reads, if it is ours
exec::Operation RmaDriver::keep_until_sent(MPI_Request in_mpi, std::unique_ptr<char[]> packed,
                                           std::size_t nbytes, int unit) {
  class Sending final : public Request {
   public:
    explicit Sending(std::unique_ptr<char[]> data) noexcept
        : Request(OnePart()), _data(std::move(data)) {}

   private:
    std::unique_ptr<char[]> _data;
  };
  auto* const sending = new Sending(std::move(packed));
  sending->trace("put", nbytes, unit);
  exec::Operation operation(exec::StatePtr<exec::State>::adopt(sending));
  _table.add(in_mpi, *sending);
  return operation;
}

void RmaDriver::ask_for_answer(Request& answer, int unit) {
  auto message = std::make_unique<Message>(MessageKind::put);  // of nothing
  send(std::move(message), unit, 0, &answer);
}

}  // namespace dash::dart
