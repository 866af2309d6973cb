// Transfers of the driver whose callers wait for them.

#include <memory>

#include "base/MpiCallGuard.h"
#include "base/MpiCheck.h"
#include "network/rma/RmaDriver.h"
#include "dash/core/Trace.h"

namespace dash::dart {

namespace {

/// Polls of a caller that waits for something quick, before it goes to sleep, in each of its rounds.
constexpr int polls_per_round = 20;

}  // namespace

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

void RmaDriver::wait_privately(std::span<MPI_Request> requests) {
  const auto count = static_cast<int>(requests.size());
  for (int i = 0; i < _private_rounds * polls_per_round; ++i) {
    const MpiCallGuard door(_caller_inside);
    _caller_polls.count();
    int complete = 0;
    check_mpi(MPI_Testall(count, requests.data(), &complete, MPI_STATUSES_IGNORE), "MPI_Testall");
    if (complete != 0) return core::count(core::Counter::waits_spun);
  }
  poll_densely();
  wait_for([&](Request& request) {
    // MPI_Testall frees none before all are complete.
    for (const MPI_Request part : requests) {
      _table.add(part, request);
      request.add_part();
    }
  });
}

void RmaDriver::get_blocking(void* dest, const RemoteAddress& src, std::size_t nbytes) {
  if (nbytes >= _ways.get_sent) {
    return wait_for([&](Request& request) { get_by_sending(request, dest, src, nbytes); });
  }
  if (nbytes > piece_bytes()) {
    return wait_for([&](Request& request) { get(request, dest, src, nbytes); });
  }
  const exec::Purpose purpose("a get of {} bytes from unit {}", nbytes, src.unit);
  const core::TraceSpan span(core::TraceKind::operation, "get", nbytes, src.unit);
  announce(src.unit, nbytes);
  MPI_Request request = start_get(dest, src, static_cast<int>(nbytes));
  wait_privately(std::span(&request, 1));
}

void RmaDriver::put_and_flush(const RemoteAddress& dest, const void* src, int nbytes) {
  announce(dest.unit, static_cast<std::size_t>(nbytes));
  const MpiCallGuard door(_caller_inside);
  _caller_polls.count();
  check_mpi(MPI_Put(src, nbytes, MPI_BYTE, dest.rank, static_cast<MPI_Aint>(dest.displacement),
                    nbytes, MPI_BYTE, dest.window),
            "MPI_Put");
  check_mpi(MPI_Win_flush(dest.rank, dest.window), "MPI_Win_flush");
}

void RmaDriver::put_blocking(const RemoteAddress& dest, const void* src, std::size_t nbytes) {
  if (nbytes <= _ways.blocking_message) {
    const auto request = exec::StatePtr<Request>::adopt(new Request(Request::OnePart{}));
    put_message(*request, dest, src, nbytes);
    wait(*request);
    return;
  }
  if (nbytes >= _ways.put_sent) {
    return wait_for([&](Request& request) { put_by_sending(request, dest, src, nbytes); });
  }
  const core::TraceSpan span(core::TraceKind::operation, "put", nbytes, dest.unit);
  if (nbytes <= _ways.blocking_flush) {
    put_and_flush(dest, src, static_cast<int>(nbytes));
    return;
  }
  if (nbytes > piece_bytes()) {
    return wait_for([&](Request& request) { put(request, dest, src, nbytes); });
  }
  const exec::Purpose purpose("a put of {} bytes to unit {}", nbytes, dest.unit);
  announce(dest.unit, nbytes);
  const int count = static_cast<int>(nbytes);
  char landing_byte = 0;
  MPI_Request confirmation = MPI_REQUEST_NULL;
  {
    const MpiCallGuard door(_caller_inside);
    // Nobody asks MPI for the local end of it: the confirmation comes later.
    check_mpi(MPI_Put(src, count, MPI_BYTE, dest.rank, static_cast<MPI_Aint>(dest.displacement),
                      count, MPI_BYTE, dest.window),
              "MPI_Put");
    confirmation = start_get(&landing_byte, dest, 1);
  }
  wait_privately(std::span(&confirmation, 1));
}

void RmaDriver::look_for(exec::FunctionRef<bool()> enough) noexcept {
  if (!quick()) return;  // the thread does
  _caller_polls.count();
  for (int i = 0; i < _private_rounds * polls_per_round && !enough(); ++i)
    poll_until_found(1);
}

void RmaDriver::wait(exec::State& state) {
  const core::TraceSpan span(core::TraceKind::wait, "wait");
  // The lock is kept meanwhile: to take it for each look would take as long as the look.
  _caller_polls.count();
  for (int i = 0; i < _private_rounds && !state.done(); ++i)
    poll_until_found(polls_per_round);
  if (!state.done()) return state.wait();
  core::count(core::Counter::waits_spun);
}

}  // namespace dash::dart
