#include "network/rma/TransferStarter.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <utility>

#include "base/MpiCallGuard.h"
#include "base/MpiCheck.h"
#include "network/NetworkFailure.h"

namespace dash::dart {

namespace {

/// Calls f(offset, length) for each chunk.
template <class F>
void for_each_chunk(std::size_t nbytes, F f) {
  const std::size_t chunk = chunk_bytes();
  for (std::size_t offset = 0; offset < nbytes; offset += chunk) {
    f(offset, static_cast<int>(std::min(chunk, nbytes - offset)));
  }
}

/// A message that announces two-sided data.
std::unique_ptr<Message> data_message(MessageKind kind, const RemoteAddress& remote, int nbytes,
                                      int tag) {
  auto message = std::make_unique<Message>(kind);
  message->location = remote.location;
  message->flags = remote.absolute ? Message::absolute_location : 0;
  message->value = static_cast<std::uint32_t>(nbytes);
  message->nbytes = sizeof tag;
  std::memcpy(message->payload.data(), &tag, sizeof tag);
  return message;
}

}  // namespace

MPI_Request TransferStarter::rget(void* dest, const RemoteAddress& src, int nbytes) {
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(MPI_Rget(dest, nbytes, MPI_BYTE, src.rank, static_cast<MPI_Aint>(src.displacement),
                     nbytes, MPI_BYTE, src.window, &request),
            "MPI_Rget", src.unit);
  return request;
}

MPI_Request TransferStarter::rput(const RemoteAddress& dest, const void* src, int nbytes) {
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(MPI_Rput(src, nbytes, MPI_BYTE, dest.rank, static_cast<MPI_Aint>(dest.displacement),
                     nbytes, MPI_BYTE, dest.window, &request),
            "MPI_Rput", dest.unit);
  return request;
}

void TransferStarter::delegate(DelegatedTransfers::Place place, DelegationQueue::Kind kind,
                               Request& request, const RemoteAddress& remote, const void* local,
                               std::size_t nbytes) {
  const bool is_get = kind == DelegationQueue::Kind::get;
  const bool is_two_sided = TransferProtocols::is_two_sided(
      remote, nbytes, is_get ? _protocols.get_two_sided_min : _protocols.put_two_sided_min);
  request.trace(is_get ? "get" : "put", nbytes, remote.unit);
  _delegated.start(std::move(place), request, kind, is_two_sided, remote, local, nbytes);
  _windows.announce(remote, nbytes, Caller::continues);  // in place of the progress process
}

void TransferStarter::get(Request& request, void* dest, const RemoteAddress& src,
                          std::size_t nbytes) {
  if (TransferProtocols::is_two_sided(src, nbytes, _protocols.get_two_sided_min))
    return get_two_sided(request, dest, src, nbytes);
  get_by_rma(request, dest, src, nbytes);
}

void TransferStarter::get_by_rma(Request& request, void* dest, const RemoteAddress& src,
                                 std::size_t nbytes, Caller caller) {
  request.trace("get", nbytes, src.unit);
  {
    const MpiCallGuard guard(_callers.inside_mpi);
    for_each_chunk(nbytes, [&](std::size_t offset, int length) {
      const MPI_Request mpi_request =
          rget(static_cast<char*>(dest) + offset, src.at(offset), length);
      _table.add(mpi_request, request);
      request.add_part();
    });
  }
  _windows.announce(src, nbytes, caller);
}

void TransferStarter::put_unacknowledged(Request& request, const RemoteAddress& dest,
                                         const void* src, std::size_t nbytes, Caller caller) {
  request.trace("put", nbytes, dest.unit);
  {
    const MpiCallGuard guard(_callers.inside_mpi);
    for_each_chunk(nbytes, [&](std::size_t offset, int length) {
      const MPI_Request mpi_request =
          rput(dest.at(offset), static_cast<const char*>(src) + offset, length);
      _table.add(mpi_request, request);
      request.add_part();
    });
  }
  _windows.announce(dest, nbytes, caller);
}

void TransferStarter::start_completion_get(Request& request, const RemoteAddress& dest) {
  const MpiCallGuard guard(_callers.inside_mpi);
  _table.add(rget(&request.completion_byte, dest, 1), request);
  request.add_part();
}

void TransferStarter::put(Request& request, const RemoteAddress& dest, const void* src,
                          std::size_t nbytes) {
  if (TransferProtocols::is_two_sided(dest, nbytes, _protocols.put_two_sided_min))
    return put_two_sided(request, dest, src, nbytes);
  put_by_rma(request, dest, src, nbytes);
}

void TransferStarter::put_by_rma(Request& request, const RemoteAddress& dest, const void* src,
                                 std::size_t nbytes, Caller caller) {
  request.set_source_parts(1);  // the completion get
  put_unacknowledged(request, dest, src, nbytes, caller);
  start_completion_get(request, dest);
}

/// Starts a put and a completion get. The first put to a target since the last poll has its own one, since a target that
/// computes often makes progress only once, soon after the put. All others share the one that the next poll starts.
void TransferStarter::start_acknowledged_put(Request& request, const RemoteAddress& dest,
                                             const void* src, int nbytes) {
  const bool is_first = _table.record_put(dest);
  const MPI_Request put = rput(dest, src, nbytes);
  // From here on, an error must not end the call, because the put is in flight.
  MPI_Request get = MPI_REQUEST_NULL;
  try {
    if (is_first) get = rget(&request.completion_byte, dest, 1);
  } catch (const exception::RuntimeError&) {
    // The next poll starts one for this put, too, or ends the job.
  }
  if (get == MPI_REQUEST_NULL) return _table.add_put(put, request, dest);
  _table.add(put, request);
  _table.add(get, request);
}

void TransferStarter::put_chunk(Request& request, const RemoteAddress& dest, const void* src,
                                std::size_t nbytes) {
  request.set_source_parts(1);  // the acknowledgement: a completion get or a reply
  start_chunk(request, dest, src, nbytes);
}

void TransferStarter::put_buffered(BufferedPut& request, const RemoteAddress& dest, const void* src,
                                   std::size_t nbytes) {
  start_chunk(request, dest, request.copy_source(src, nbytes), nbytes);
}

void TransferStarter::start_chunk(Request& request, const RemoteAddress& dest, const void* src,
                                  std::size_t nbytes) {
  request.trace("put", nbytes, dest.unit);
  const bool is_two_sided =
      TransferProtocols::is_two_sided(dest, nbytes, _protocols.put_two_sided_min);
  if (nbytes >= _protocols.put_deferred_min && !is_two_sided) {
    _deferred.add({&request, dest, src, static_cast<int>(nbytes)});
  } else {
    const MpiCallGuard guard(_callers.inside_mpi);
    if (is_two_sided) {
      put_chunk_two_sided(request, dest, src, static_cast<int>(nbytes));
    } else {
      start_acknowledged_put(request, dest, src, static_cast<int>(nbytes));
    }
  }
  _windows.announce(dest, nbytes, Caller::continues);
}

void TransferStarter::put_message(Request& request, const RemoteAddress& dest, const void* src,
                                  std::size_t nbytes) {
  request.trace("put", nbytes, dest.unit);
  request.set_source_parts(Request::all_parts);
  auto message = std::make_unique<Message>(MessageKind::put);
  message->location = dest.location;
  message->flags = dest.absolute ? Message::absolute_location : 0;
  message->nbytes = static_cast<std::uint32_t>(nbytes);
  std::memcpy(message->payload.data(), src, nbytes);
  send(std::move(message), dest.unit, nbytes, &request);
}

void TransferStarter::put_batched(Request& request, const RemoteAddress& dest, const void* src,
                                  std::size_t nbytes) {
  request.trace("put", nbytes, dest.unit);
  request.set_source_parts(Request::all_parts);
  send_full(_batches.put(request, dest, src, nbytes,
                         [&] { _windows.announce(dest, nbytes, Caller::continues); }));
}

void TransferStarter::get_batched(Request& request, void* dest, const RemoteAddress& src,
                                  std::size_t nbytes) {
  request.trace("get", nbytes, src.unit);
  send_full(_batches.get(request, dest, src, nbytes,
                         [&] { _windows.announce(src, nbytes, Caller::continues); }));
}

/// The batch contains transfers of other callers, so an error concerns more than this caller.
void TransferStarter::send_full(TransferBatch* batch) noexcept {
  if (batch == nullptr) return;
  try {
    send(batch->take_message(), batch->unit(), batch->nbytes(), batch);
  } catch (const std::exception& error) {
    abort_after_network_failure(_communicator, error);
  }
}

/// Starts the two parts of a put by two-sided messages: the reply and the data.
void TransferStarter::put_chunk_two_sided(Request& request, const RemoteAddress& dest,
                                          const void* src, int nbytes) {
  const int tag = _messenger.tag_to_send();
  auto message = data_message(MessageKind::receive_data, dest, nbytes, tag);
  const int rank = _messenger.rank_of(*message, dest.unit);
  _messenger.send(std::move(message), dest.unit, &request);
  _messenger.send_data(src, static_cast<std::uint32_t>(nbytes), rank, tag, request);
}

void TransferStarter::put_two_sided(Request& request, const RemoteAddress& dest, const void* src,
                                    std::size_t nbytes, Caller caller) {
  request.trace("put", nbytes, dest.unit);
  {
    const MpiCallGuard guard(_callers.inside_mpi);
    for_each_chunk(nbytes, [&](std::size_t offset, int length) {
      request.add_part();
      request.add_part();
      put_chunk_two_sided(request, dest.at(offset), static_cast<const char*>(src) + offset, length);
    });
  }
  _windows.announce(dest, nbytes, caller);
}

void TransferStarter::get_two_sided(Request& request, void* dest, const RemoteAddress& src,
                                    std::size_t nbytes, Caller caller) {
  request.trace("get", nbytes, src.unit);
  {
    const MpiCallGuard guard(_callers.inside_mpi);
    for_each_chunk(nbytes, [&](std::size_t offset, int length) {
      request.add_part();
      const int tag = _messenger.tag_to_receive();
      auto message = data_message(MessageKind::send_data, src.at(offset), length, tag);
      _messenger.receive_data(static_cast<char*>(dest) + offset, static_cast<std::uint32_t>(length),
                              _messenger.rank_of(*message, src.unit), tag, request);
      _messenger.send(std::move(message), src.unit);
    });
  }
  _windows.announce(src, nbytes, caller);
}

void TransferStarter::send(std::unique_ptr<Message> message, int unit, std::size_t nbytes,
                           Request* reply_to) {
  if (reply_to != nullptr) reply_to->trace("message", nbytes, unit);
  const bool is_for_unit = message->is_for_unit();
  {
    const MpiCallGuard guard(_callers.inside_mpi);
    _messenger.send(std::move(message), unit, reply_to);
  }
  _windows.announce_message(unit, is_for_unit, nbytes);
}

void TransferStarter::request_acknowledgement(Request& acknowledgement, int unit, bool of_unit) {
  auto message = std::make_unique<Message>(MessageKind::put);  // a put of no bytes
  message->flags = of_unit ? Message::absolute_location : 0;
  send(std::move(message), unit, 0, &acknowledgement);
}

}  // namespace dash::dart
