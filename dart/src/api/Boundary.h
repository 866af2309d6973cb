#pragma once

#include <type_traits>
#include <utility>

#include "api/Runtime.h"
#include "base/Error.h"

namespace dash::dart {

/// \throws exception::InvalidArgument if a required argument is null
inline void check_pointer(const void* pointer, const char* name) {
  if (pointer == nullptr) throw_error(DART_ERR_INVAL, "{} is NULL", name);
}

/// \throws exception::RuntimeError unless it is the id of a live team
inline Team& team_of(dart_team_t id) {
  return Runtime::get().team(id);
}

/// Runs the body of a C function that needs the runtime: body(runtime).
/// \returns DART_ERR_NOTINIT outside of dart_init and dart_exit; otherwise as guarded()
template <class Body>
dart_ret_t with_runtime(const char* function, Body&& body) noexcept {
  return guarded(function, [&] { std::forward<Body>(body)(Runtime::get()); });
}

/// As with_runtime(), for a C function with an output.
/// \param name     of the output, for the error if it is null
/// \param initial  value of the output if the function fails
template <class Output, class Body>
dart_ret_t with_output(const char* function, Output* output, const char* name,
                       const std::type_identity_t<Output>& initial, Body&& body) noexcept {
  return guarded(function, [&] {
    check_pointer(output, name);
    *output = initial;
    std::forward<Body>(body)(Runtime::get());
  });
}

}  // namespace dash::dart
