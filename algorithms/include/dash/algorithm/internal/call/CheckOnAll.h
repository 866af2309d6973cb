#pragma once

#include <exception>

#include "dash/internal/team/Collective.h"

namespace dash::internal {

/// Calls check() on each unit, followed by a barrier. Units on which check() throws rethrow its
/// exception; the other units throw exception::RuntimeError with its text.
template <class F>
void check_on_all(Call& call, F check) {
  std::exception_ptr own;
  try {
    call.run([&] {
      try {
        check();
      } catch (...) {
        own = std::current_exception();
        throw;
      }
    });
  } catch (...) {
    if (own) std::rethrow_exception(own);
    throw;
  }
}

}  // namespace dash::internal
