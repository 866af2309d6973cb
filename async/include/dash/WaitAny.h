#pragma once

#include <cstddef>
#include <vector>

#include "dash/Future.h"
#include "dash/core/Export.h"

namespace dash {

/// Returned by wait_any() if no future of the range is valid.
/// \ingroup futures
inline constexpr std::size_t no_future = static_cast<std::size_t>(-1);

namespace exec {

/// Returns when one of the states is done. Lazy states are tested in their order.
/// \pre there is at least one
DASH_API void wait_for_any(const std::vector<State*>& states);

/// Calls f(state, index) for each valid future of a range; the state of a future that holds its value is null.
template <class Futures, class F>
void for_each_valid_state(Futures& futures, F&& f) {
  std::size_t index = 0;
  for (auto& future : futures) {
    if (future.valid()) f(FutureAccess::state(future).get(), index);
    ++index;
  }
}

/// Waits until a valid future of the range is ready, and calls f(index) for each that is.
template <class Futures, class F>
void wait_for_ready(Futures& futures, F&& f) {
  std::vector<State*> pending;
  bool found = false;
  const auto find = [&](State* state, std::size_t index) {
    if (state != nullptr && !state->done()) return pending.push_back(state);
    found = true;
    f(index);
  };
  for_each_valid_state(futures, find);
  if (found || pending.empty()) return;
  wait_for_any(pending);
  for_each_valid_state(futures, find);
}

}  // namespace exec

/// Waits until one of several futures is ready or failed, and leaves all of them with the caller. Invalid futures are
/// skipped: assign an empty future to one that has been processed.
/// \param   futures  a container, array or span of futures or shared futures
/// \returns the index of the first one that is ready, in the order of the range; no_future if none is valid
/// \blocks  until one is ready; makes progress in the meantime   \threads externally synchronized per future
/// \throws  exception::RuntimeError if the wait could never end, as Future::wait()
/// \cost    linear in the number of futures
/// \see     when_any(), which returns a future; MPI_Waitany
/// \ingroup futures
template <class Futures>
std::size_t wait_any(Futures&& futures) {
  std::size_t first = no_future;
  exec::wait_for_ready(futures, [&](std::size_t index) {
    if (first == no_future) first = index;
  });
  return first;
}

/// The same for all futures that are ready or failed by the time of the return.
/// \returns their indices in ascending order; at least one, unless no future is valid
/// \see     MPI_Waitsome
/// \ingroup futures
template <class Futures>
std::vector<std::size_t> wait_some(Futures&& futures) {
  std::vector<std::size_t> ready;
  exec::wait_for_ready(futures, [&](std::size_t index) { ready.push_back(index); });
  return ready;
}

}  // namespace dash
