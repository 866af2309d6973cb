#pragma once

#include "dash/algorithm/internal/call/CallForms.h"
#include "dash/algorithm/internal/call/NodeChunks.h"
#include "dash/internal/transfer/LocalBlocks.h"
#include "dash/iterator/IteratorTraits.h"

namespace dash {

namespace internal {

struct Iota {
  static constexpr auto name = "dash::iota";

  template <ExecutionPolicy Policy, GlobalIterator GlobIt, class T>
  void operator()(Call& call, const Policy& policy, const GlobIt& first, const GlobIt& last,
                  const T& value) const {
    call.run([&] {
      run_parts(call, policy, first, last, [&](const auto& part) {
        for_each_position_block(first, part, [&](auto* begin, auto length, auto position) {
          for (decltype(length) i = 0; i < length; ++i)
            begin[i] =
                static_cast<typename GlobIt::value_type>(value + static_cast<T>(position + i));
        });
      });
    });
  }
};

}  // namespace internal

/// \addtogroup algorithms
/// @{

/// Assigns value, value + 1, value + 2, ... to the elements of a global range.
/// \param value  of a type T for which value + T(index) is defined
/// \completion ends with a barrier: all units see the elements
/// \collective over the range's team  \blocks until all units have done their part
template <internal::GlobalIterator GlobIt, class T>
void iota(GlobIt first, GlobIt last, const T& value) {
  internal::call(internal::Iota{}, first, last, value);
}
/// \overload
/// With a policy, or a range: iota([policy,] range, value).
template <class... Args>
requires internal::OtherForm<Args...>
void iota(Args&&... args) {
  internal::call(internal::Iota{}, std::forward<Args>(args)...);
}
/// Asynchronous counterpart of all overloads; runs as a task. \returns a future that is ready when
/// all units have finished
/// \asynchronous{iota}
template <class... Args>
requires internal::GlobalForm<Args...> Future<void> iota_async(Args&&... args) {
  return internal::start(internal::Iota{}, std::forward<Args>(args)...);
}

/// @}

}  // namespace dash
