#pragma once

#include <cstddef>
#include <utility>

#include "dash/async/Executor.h"

namespace dash {

/// Calls body(i) for i from 0 to n - 1, each once, on the threads of the calling unit: a loop over what
/// only this unit knows, such as its own memory or pieces of work; loops over global ranges are
/// for_each() and its kin. What is behind the numbers may cost what it will: they are shared out as they
/// are done, several at a time if they are short. On a unit with one processor it is a loop, in order.
///
///     dash::parallel_for(blocks.size(), [&](std::size_t i) { relax(blocks[i]); });
///
/// \param body  may be called by several threads at once; must not wait for communication
/// \completion all calls have returned  \collective no
/// \threads any; also within a body
/// \throws the first exception of a call, after the running ones have returned; numbers may be left out
/// \cost some microseconds are done before another thread is awake, so shorter loops are not shared out
template <class Body>
void parallel_for(std::size_t n, Body&& body) {
  exec::run_chunks(n, std::forward<Body>(body));
}

}  // namespace dash
