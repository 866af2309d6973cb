#pragma once

#include <functional>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "dash/algorithm/Zip.h"
#include "dash/algorithm/internal/call/CallForms.h"
#include "dash/algorithm/internal/call/Chunks.h"
#include "dash/algorithm/internal/call/NodeChunks.h"
#include "dash/algorithm/internal/call/Operand.h"
#include "dash/algorithm/internal/call/RangeArguments.h"
#include "dash/algorithm/internal/call/Zip.h"
#include "dash/algorithm/internal/reduce/Lanes.h"
#include "dash/algorithm/internal/scan/OrderedFold.h"
#include "dash/iterator/IteratorTraits.h"

namespace dash {

namespace internal {

/// Reductions of transformed elements. The owners of the first range compute them.
struct TransformReduce {
  static constexpr auto name = "dash::transform_reduce";

  template <ExecutionPolicy Policy, GlobalIterator GlobIt, class T, class Reduction,
            class Transformation>
  requires(!std::random_access_iterator<T>) T operator()(Call& call, const Policy& policy,
                                                         const GlobIt& first, const GlobIt& last,
                                                         T init, Reduction reduction,
                                                         Transformation transformation) const {
    return combine(call, policy, std::move(init), reduction, transformation, first, last);
  }

  template <ExecutionPolicy Policy, GlobalIterator GlobIt, std::random_access_iterator OtherIt,
            class T, class Reduction = std::plus<>, class Transformation = std::multiplies<>>
  T operator()(Call& call, const Policy& policy, const GlobIt& first, const GlobIt& last,
               const OtherIt& other_first, T init, Reduction reduction = Reduction(),
               Transformation transformation = Transformation()) const {
    return combine(call, policy, std::move(init), reduction, transformation, first, last,
                   other_first);
  }

  template <ExecutionPolicy Policy, Zipped Ranges, class T, class Reduction, class Transformation>
  T operator()(Call& call, const Policy& policy, const Ranges& ranges, T init, Reduction reduction,
               Transformation transformation) const {
    return ranges.apply([&](const auto&... iterators) {
      return combine(call, policy, std::move(init), reduction, transformation, iterators...);
    });
  }

 private:
  /// Minimum number of elements of a chunk if both functions are known to be cheap.
  template <class Reduction, class Transformation, class T>
  static constexpr std::size_t min_length =
      LaneOperation<Transformation, T>::known ? min_chunk_length<Reduction, T> : 1;

  /// Calls use(sum) for the sums of the caller's chunks, in order.
  template <class T, ExecutionPolicy Policy, GlobalIterator GlobIt, class Reduction,
            class Transformation, class Use, class... OtherIts>
  static void sum_up(Call& call, const Policy& policy, const Reduction& reduction,
                     Transformation& transformation, Use use, const GlobIt& first,
                     const GlobIt& last, const OtherIts&... other_firsts) {
    constexpr std::size_t length = min_length<Reduction, Transformation, T>;
    Operands<GlobIt, OtherIts...> others(first, other_firsts...);
    const auto step = [&](std::optional<T>& partial, const auto& block) {
      others.with_inputs_of(block, [&](const auto*... values) {
        Reduction own_reduction = reduction;
        const auto value = [&](default_index_t i) {
          return transformation(block.data[i], values[i]...);
        };
        fold_into(partial, fold_ordered<T>(block.length, own_reduction, value), own_reduction);
      });
    };
    if (others.is_direct()) {
      for_each_chunk_result<T>(call, policy, first, last, length, step, use);
    } else {
      zip_chunk_results<T>(policy, ResultChunks(local_chunks(first, last), length), others, step,
                           use);
    }
  }

  template <class T, ExecutionPolicy Policy, class Reduction, class Transformation,
            class... Iterators>
  static T combine(Call& call, const Policy& policy, T init, Reduction& reduction,
                   Transformation& transformation, const Iterators&... iterators) {
    const auto all = call.contribute<T>([&] {
      std::optional<T> total;
      sum_up<T>(
          call, policy, reduction, transformation,
          [&](const T& value) { fold_into(total, value, reduction); }, iterators...);
      return total;
    });
    return call.conclude<may_throw<Reduction, T>>([&] {
      std::optional<T> result(std::move(init));
      for (std::size_t unit = 0; unit < all.size(); ++unit) {
        if (all.has_value(unit)) fold_into(result, all[unit], reduction);
      }
      return *std::move(result);
    });
  }
};

}  // namespace internal

/// \addtogroup algorithms
/// @{

/// Returns init combined with transformation(element) of all elements of a global range by a
/// reduction; the same result on all units.
///
/// The result has the type of `init`. The order of operations depends on the distribution, not on
/// timing: the same range gives bitwise the same result. The reduction must be associative. It must
/// also be commutative, unless each unit owns one contiguous block of the range and the blocks are
/// in the order of the units. The functions are called concurrently if the unit has several
/// processors.
/// \collective over the range's team  \blocks until all units have contributed
/// \throws exception::RuntimeError on all units if a function throws on one
/// \cost an all-gather of one value per unit; a second one if the reduction might throw (operations
///       of Operation.h and of the standard library on numbers do not)
template <internal::GlobalIterator GlobIt, class T, class BinaryOperation, class UnaryOperation>
requires(!std::random_access_iterator<T>) T
    transform_reduce(GlobIt first, GlobIt last, T init, BinaryOperation reduction,
                     UnaryOperation transformation) {
  return internal::call(internal::TransformReduce{}, first, last, std::move(init),
                        std::move(reduction), std::move(transformation));
}
/// Returns init combined with transformation(element, other element) of all elements of a global
/// range and their counterparts in another range by a reduction. The other range may be distributed
/// differently, or be native and the same on all units.
/// \cost an all-gather of one value per unit, a second one if the reduction might throw; elements
///       that are not on the owner of their counterpart are fetched in batches; the next batch is
///       fetched while the current one is used
/// \collective over the range's team  \blocks until all units have contributed
/// \throws exception::RuntimeError on all units if a function throws on one
template <internal::GlobalIterator GlobIt, std::random_access_iterator OtherIt, class T,
          class BinaryOperation1 = std::plus<>, class BinaryOperation2 = std::multiplies<>>
T transform_reduce(GlobIt first, GlobIt last, OtherIt other_first, T init,
                   BinaryOperation1 reduction = BinaryOperation1(),
                   BinaryOperation2 transformation = BinaryOperation2()) {
  return internal::call(internal::TransformReduce{}, first, last, other_first, std::move(init),
                        std::move(reduction), std::move(transformation));
}
/// \overload
/// With a policy, or with ranges: transform_reduce([policy,] range, [other_range,] init, reduction,
/// transformation). With several ranges, transform_reduce([policy,] zip(range, others...), init, reduction,
/// transformation) calls transformation(element, other elements...).
template <class... Args>
requires internal::OtherForm<Args...>
auto transform_reduce(Args&&... args) {
  return internal::apply_with_begins(
      [](auto&&... given) {
        return internal::call(internal::TransformReduce{}, std::forward<decltype(given)>(given)...);
      },
      std::forward<Args>(args)...);
}
/// Asynchronous counterpart of all overloads; runs as a task. \returns a future of the result
/// \asynchronous{transform_reduce}
template <class... Args>
requires internal::GlobalForm<Args...>
auto transform_reduce_async(Args&&... args) {
  return internal::apply_with_begins(
      [](auto&&... given) { return internal::start(internal::TransformReduce{}, given...); },
      std::forward<Args>(args)...);
}

/// Alternative name of transform_reduce of two ranges.
/// \contract{transform_reduce}
template <internal::GlobalIterator GlobIt, std::random_access_iterator OtherIt, class T,
          class BinaryOperation1 = std::plus<>, class BinaryOperation2 = std::multiplies<>>
T inner_product(GlobIt first, GlobIt last, OtherIt other_first, T init,
                BinaryOperation1 reduction = BinaryOperation1(),
                BinaryOperation2 transformation = BinaryOperation2()) {
  return dash::transform_reduce(first, last, other_first, std::move(init), std::move(reduction),
                                std::move(transformation));
}
/// \overload
/// With a policy, or with ranges.
template <class... Args>
requires internal::OtherForm<Args...>
auto inner_product(Args&&... args) {
  return dash::transform_reduce(std::forward<Args>(args)...);
}
/// Asynchronous counterpart of all overloads; runs as a task. \returns a future of the result
/// \asynchronous{inner_product}
template <class... Args>
requires internal::GlobalForm<Args...>
auto inner_product_async(Args&&... args) {
  return dash::transform_reduce_async(std::forward<Args>(args)...);
}

/// @}

}  // namespace dash
