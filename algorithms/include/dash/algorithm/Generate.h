#pragma once

#include <algorithm>
#include <utility>

#include "dash/algorithm/internal/call/CallForms.h"
#include "dash/algorithm/internal/call/Chunks.h"
#include "dash/algorithm/internal/call/NodeChunks.h"
#include "dash/internal/transfer/LocalBlocks.h"
#include "dash/iterator/IteratorTraits.h"

namespace dash {

namespace internal {

struct Generate {
  static constexpr auto name = "dash::generate";
  // A generator without arguments has state.
  static constexpr auto default_policy = seq;

  template <ExecutionPolicy Policy, GlobalIterator GlobIt, class Generator>
  void operator()(const Policy& policy, const GlobIt& first, const GlobIt& last,
                  Generator generator) const {
    local_chunks(first, last).run_parts(policy, make_body(policy, generator));
  }
  template <ExecutionPolicy Policy, GlobalIterator GlobIt, class Generator>
  void operator()(Call& call, const Policy& policy, const GlobIt& first, const GlobIt& last,
                  Generator generator) const {
    call.run([&] { run_parts(call, policy, first, last, make_body(policy, generator)); });
  }

 private:
  template <class Policy, class Generator>
  static auto make_body(const Policy& policy, Generator& generator) {
    return [&](const auto& part) {
      auto* const data = part.data;
      for_each_of(policy, part.length, [&](auto i) { data[i] = generator(); });
    };
  }
};

struct GenerateWithIndex {
  static constexpr auto name = "dash::generate_with_index";

  template <ExecutionPolicy Policy, GlobalIterator GlobIt, class Generator>
  void operator()(const Policy& policy, const GlobIt& first, const GlobIt& last,
                  Generator generator) const {
    local_chunks(first, last).run_parts(policy, make_body(policy, first, generator));
  }
  template <ExecutionPolicy Policy, GlobalIterator GlobIt, class Generator>
  void operator()(Call& call, const Policy& policy, const GlobIt& first, const GlobIt& last,
                  Generator generator) const {
    call.run([&] { run_parts(call, policy, first, last, make_body(policy, first, generator)); });
  }

 private:
  template <class Policy, class GlobIt, class Generator>
  static auto make_body(const Policy& policy, const GlobIt& first, Generator& generator) {
    return [&](const auto& part) {
      for_each_position_block(first, part, [&](auto* begin, auto length, auto position) {
        const auto index = (first + position).gpos();
        for_each_of(policy, length, [&](auto i) { begin[i] = generator(index + i); });
      });
    };
  }
};

}  // namespace internal

/// \addtogroup algorithms
/// @{

/// Assigns the results of generator() to the caller's elements of a global range, in order and on
/// the calling thread unless a policy is given.
/// \completion the caller's elements are written; other units see them after the next barrier
/// \collective no  \blocks until the caller's elements are assigned
template <internal::GlobalIterator GlobIt, class UnaryFunction>
void generate(GlobIt first, GlobIt last, UnaryFunction generator) {
  internal::call_locally(internal::Generate{}, first, last, std::move(generator));
}
/// \overload
/// With a policy, or a range instead of two iterators: generate([policy,] range, function). With
/// par_node it is collective and ends with a barrier. With policies other than seq, the assignment
/// of calls to elements depends on timing; see generate_with_index.
template <class... Args>
requires internal::OtherForm<Args...>
void generate(Args&&... args) {
  internal::call_locally(internal::Generate{}, std::forward<Args>(args)...);
}
/// Asynchronous counterpart of all overloads; runs as a task of the unit, which is not ordered with
/// other algorithms unless the policy is par_node. \returns a future that is ready when the call
/// has finished
/// \contract{generate}  \blocks never
template <class... Args>
requires internal::GlobalForm<Args...> Future<void> generate_async(Args&&... args) {
  return internal::start_locally(internal::Generate{}, std::forward<Args>(args)...);
}

/// Assigns generator(global index) to the caller's elements of a global range. The generator is
/// called concurrently if the unit has several processors.
/// \completion the caller's elements are written; other units see them after the next barrier
/// \collective no  \blocks until the caller's elements are assigned
template <internal::GlobalIterator GlobIt, class UnaryFunction>
void generate_with_index(GlobIt first, GlobIt last, UnaryFunction generator) {
  internal::call_locally(internal::GenerateWithIndex{}, first, last, std::move(generator));
}
/// \overload
/// With a policy, or a range instead of two iterators. With par_node it is collective and ends with
/// a barrier.
template <class... Args>
requires internal::OtherForm<Args...>
void generate_with_index(Args&&... args) {
  internal::call_locally(internal::GenerateWithIndex{}, std::forward<Args>(args)...);
}
/// Asynchronous counterpart of all overloads; runs as a task of the unit, which is not ordered with
/// other algorithms unless the policy is par_node. \returns a future that is ready when the call
/// has finished
/// \contract{generate_with_index}  \blocks never
template <class... Args>
requires internal::GlobalForm<Args...> Future<void> generate_with_index_async(Args&&... args) {
  return internal::start_locally(internal::GenerateWithIndex{}, std::forward<Args>(args)...);
}

/// @}

}  // namespace dash
