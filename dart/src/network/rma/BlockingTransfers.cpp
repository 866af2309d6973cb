#include "network/rma/BlockingTransfers.h"

#include <span>

#include "base/MpiCallGuard.h"
#include "base/MpiCheck.h"
#include "dash/async/PollContext.h"
#include "dash/async/Watch.h"
#include "dash/core/Trace.h"

namespace dash::dart {

namespace {

/// A put without an MPI request: its local completion is not tested.
void mpi_put(const RemoteAddress& dest, const void* src, std::size_t nbytes) {
  const auto count = static_cast<int>(nbytes);
  check_mpi(MPI_Put(src, count, MPI_BYTE, dest.rank, static_cast<MPI_Aint>(dest.displacement),
                    count, MPI_BYTE, dest.window),
            "MPI_Put", dest.unit);
}

}  // namespace

void BlockingTransfers::get(void* dest, const RemoteAddress& src, std::size_t nbytes) {
  exec::check_may_wait();
  if (_protocols.is_blocking_get_two_sided(src, nbytes)) {
    return _poller.start_and_wait([&](Request& request) {
      _starter.get_two_sided(request, dest, src, nbytes, Caller::waits);
    });
  }
  if (nbytes > chunk_bytes()) {
    return _poller.start_and_wait(
        [&](Request& request) { _starter.get_by_rma(request, dest, src, nbytes, Caller::waits); });
  }
  const exec::Purpose purpose("a get of {} bytes from unit {}", nbytes, src.unit);
  const core::TraceSpan span(core::TraceKind::operation, "get", nbytes, src.unit);
  MPI_Request request = TransferStarter::rget(dest, src, static_cast<int>(nbytes));
  _windows.announce(src, nbytes, Caller::waits);
  _poller.wait_for_requests(std::span(&request, 1), src.unit);
}

void BlockingTransfers::put_and_flush(const RemoteAddress& dest, const void* src,
                                      std::size_t nbytes) {
  _callers.polling.count_poll();
  {
    const MpiCallGuard guard(_callers.inside_mpi);
    mpi_put(dest, src, nbytes);
  }
  _windows.announce(dest, nbytes, Caller::waits);
  const MpiCallGuard guard(_callers.inside_mpi);
  check_mpi(MPI_Win_flush(dest.rank, dest.window), "MPI_Win_flush", dest.unit);
}

void BlockingTransfers::put_with_completion_get(const RemoteAddress& dest, const void* src,
                                                std::size_t nbytes) {
  const exec::Purpose purpose("a put of {} bytes to unit {}", nbytes, dest.unit);
  char completion_byte = 0;
  MPI_Request completion_get = MPI_REQUEST_NULL;
  {
    const MpiCallGuard guard(_callers.inside_mpi);
    mpi_put(dest, src, nbytes);
    completion_get = TransferStarter::rget(&completion_byte, dest, 1);
  }
  _windows.announce(dest, nbytes, Caller::waits);
  _poller.wait_for_requests(std::span(&completion_get, 1), dest.unit);
}

void BlockingTransfers::put(const RemoteAddress& dest, const void* src, std::size_t nbytes) {
  exec::check_may_wait();
  if (nbytes <= TransferProtocols::message_max(dest, _protocols.blocking_put_message_max)) {
    const auto request = exec::StatePtr<Request>::adopt(new Request(Request::Parts{1}));
    _starter.put_message(*request, dest, src, nbytes);
    _poller.wait(*request);
    return;
  }
  if (_protocols.is_blocking_put_two_sided(dest, nbytes)) {
    return _poller.start_and_wait([&](Request& request) {
      _starter.put_two_sided(request, dest, src, nbytes, Caller::waits);
    });
  }
  const core::TraceSpan span(core::TraceKind::operation, "put", nbytes, dest.unit);
  // Progress processes do not poll for the owner of registered memory, which may compute.
  const bool may_flush = !_has_progress_processes || !dest.absolute;
  if (may_flush && nbytes <= _protocols.blocking_put_flush_max)
    return put_and_flush(dest, src, nbytes);
  if (nbytes > chunk_bytes()) {
    return _poller.start_and_wait(
        [&](Request& request) { _starter.put_by_rma(request, dest, src, nbytes, Caller::waits); });
  }
  put_with_completion_get(dest, src, nbytes);
}

}  // namespace dash::dart
