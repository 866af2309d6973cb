#pragma once

#include <algorithm>
#include <utility>

#include "dash/algorithm/internal/Call.h"
#include "dash/algorithm/internal/Chunks.h"
#include "dash/internal/LocalRuns.h"
#include "dash/iterator/IteratorTraits.h"

namespace dash {

namespace internal {

struct Generate {
  // A generator without arguments has a state.
  static constexpr auto default_policy = seq;

  template <ExecutionPolicy Policy, GlobalIterator GlobIt, class Generator>
  void operator()(const Policy& policy, const GlobIt& first, const GlobIt& last,
                  Generator generator) const {
    local_chunks(first, last).run(policy, [&generator](std::size_t, const auto& part) {
      for (auto& element : part)
        element = generator();
    });
  }
};

struct GenerateWithIndex {
  template <ExecutionPolicy Policy, GlobalIterator GlobIt, class Generator>
  void operator()(const Policy& policy, const GlobIt& first, const GlobIt& last,
                  Generator generator) const {
    local_chunks(first, last).run(policy, [&](std::size_t, const auto& part) {
      for_each_position_run(first, part, [&](auto* begin, auto length, auto position) {
        auto index = (first + position).gpos();
        for (auto* element = begin; element != begin + length; ++element)
          *element = generator(index++);
      });
    });
  }
};

}  // namespace internal

/// Assigns the results of generator() to the caller's elements of a global range, in order and on
/// the calling thread; with a policy as that says.
/// \completion no barrier: others see the elements after the next one
/// \collective no: no unit waits for another  \blocks until the caller's elements are assigned
template <internal::GlobalIterator GlobIt, class UnaryFunction>
void generate(GlobIt first, GlobIt last, UnaryFunction generator) {
  internal::call_locally(internal::Generate{}, first, last, std::move(generator));
}
/// \overload with a policy, or a range instead of two iterators: generate([policy,] range, function)
template <class... Args>
requires internal::OtherForm<Args...>
void generate(Args&&... args) {
  internal::call_locally(internal::Generate{}, std::forward<Args>(args)...);
}
/// The same in all forms, as a task. \returns the future of its end
template <class... Args>
requires internal::GlobalForm<Args...> Future<void> generate_async(Args&&... args) {
  return internal::start_locally(internal::Generate{}, std::forward<Args>(args)...);
}

/// Assigns generator(global index) to the caller's elements of a global range.
/// The generator is called concurrently where the unit has several processors.
/// \completion no barrier: others see the elements after the next one
/// \collective no: no unit waits for another  \blocks until the caller's elements are assigned
template <internal::GlobalIterator GlobIt, class UnaryFunction>
void generate_with_index(GlobIt first, GlobIt last, UnaryFunction generator) {
  internal::call_locally(internal::GenerateWithIndex{}, first, last, std::move(generator));
}
/// \overload with a policy, or a range instead of two iterators
template <class... Args>
requires internal::OtherForm<Args...>
void generate_with_index(Args&&... args) {
  internal::call_locally(internal::GenerateWithIndex{}, std::forward<Args>(args)...);
}
/// The same in all forms, as a task. \returns the future of its end
template <class... Args>
requires internal::GlobalForm<Args...> Future<void> generate_with_index_async(Args&&... args) {
  return internal::start_locally(internal::GenerateWithIndex{}, std::forward<Args>(args)...);
}

}  // namespace dash
