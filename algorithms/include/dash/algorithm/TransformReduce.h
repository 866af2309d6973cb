#pragma once

#include <functional>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "dash/algorithm/internal/Call.h"
#include "dash/algorithm/internal/Chunks.h"
#include "dash/algorithm/internal/Lanes.h"
#include "dash/algorithm/internal/NodeChunks.h"
#include "dash/algorithm/internal/OrderedFold.h"
#include "dash/algorithm/internal/RangeArguments.h"
#include "dash/algorithm/internal/Zip.h"
#include "dash/iterator/IteratorTraits.h"

namespace dash {

namespace internal {

/// Partial results of chunks, combined in the order of chunks.
template <class T>
class PartialResults {
 public:
  explicit PartialResults(std::size_t nchunks) : _of_chunk(nchunks) {}

  /// Adds a part to the result of a chunk. \threads one for each chunk
  template <class BinaryOperation, class Value>
  void add(std::size_t chunk, default_index_t n, BinaryOperation& op, const Value& value) {
    fold_into(_of_chunk[chunk], fold_ordered<T>(n, op, value), op);
  }
  /// Takes the results of the chunks so far into the total.
  template <class BinaryOperation>
  void combine(BinaryOperation& op) {
    for (auto& value : _of_chunk) {
      if (value) fold_into(_total, *value, op);
      value.reset();
    }
  }
  const std::optional<T>& total() const { return _total; }

 private:
  std::vector<std::optional<T>> _of_chunk;
  std::optional<T> _total;
};

/// Sums of what functions make of elements, by the owners of the first range.
struct TransformReduce {
  static constexpr auto name = "dash::transform_reduce";

  template <ExecutionPolicy Policy, GlobalIterator GlobIt, class T, class Reduction,
            class Transformation>
  requires(!std::random_access_iterator<T>) T operator()(Call& call, const Policy& policy,
                                                         const GlobIt& first, const GlobIt& last,
                                                         T init, Reduction reduction,
                                                         Transformation transformation) const {
    return combine(call, std::move(init), reduction, [&] {
      std::optional<T> total;
      for_each_chunk_result<T>(
          call, policy, first, last, 1,
          [&](std::optional<T>& so_far, const auto& run) {
            Reduction own_reduction = reduction;
            const auto value = [&](default_index_t i) { return transformation(run.data[i]); };
            fold_into(so_far, fold_ordered<T>(run.length, own_reduction, value), own_reduction);
          },
          [&](const T& value) { fold_into(total, value, reduction); });
      return total;
    });
  }

  template <ExecutionPolicy Policy, GlobalIterator GlobIt, std::random_access_iterator OtherIt,
            class T, class Reduction = std::plus<>, class Transformation = std::multiplies<>>
  T operator()(Call& call, const Policy& policy, const GlobIt& first, const GlobIt& last,
               const OtherIt& other_first, T init, Reduction reduction = Reduction(),
               Transformation transformation = Transformation()) const {
    return combine(call, std::move(init), reduction, [&] {
      const auto chunks = local_chunks(first, last);
      PartialResults<T> partial(chunks.count());
      zip_local(
          policy, first, chunks, other_first,
          [&](std::size_t chunk, const auto& part, const auto* values) {
            Reduction own_reduction = reduction;
            partial.add(chunk, part.length, own_reduction,
                        [&](default_index_t i) { return transformation(part.data[i], values[i]); });
          },
          [&] {
            partial.combine(reduction);
            return true;
          });
      return partial.total();
    });
  }

 private:
  template <class T, class Reduction, class Local>
  static T combine(Call& call, T init, Reduction& reduction, const Local& local) {
    const auto all = call.contribute<T>(local);
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

/// init <reduction> transformation(element) for all elements of a global range; the same on all
/// units.
///
/// The result is of the type of `init`. Its order depends on the distribution, not on timing: the
/// same range gives the same result, to the last bit. The reduction has to be associative and
/// commutative; the functions are called concurrently where the unit has several processors.
/// \collective over the range's team  \blocks until all units have contributed
/// \throws exception::RuntimeError on all units if a function throws on one
/// \cost an all-gather of one value a unit; another one if the reduction might throw, as those of
///       Operation.h and of the standard library on numbers do not
template <internal::GlobalIterator GlobIt, class T, class BinaryOperation, class UnaryOperation>
requires(!std::random_access_iterator<T>) T
    transform_reduce(GlobIt first, GlobIt last, T init, BinaryOperation reduction,
                     UnaryOperation transformation) {
  return internal::call(internal::TransformReduce{}, first, last, std::move(init),
                        std::move(reduction), std::move(transformation));
}
/// init <reduction> transformation(element, other element) for all elements of a global range and of
/// another one, which may be distributed in another way, or be native and the same on all units.
/// \cost an all-gather of one value a unit, another one if the reduction might throw; what is not on
///       the owner of its counterpart is fetched in slabs, one while another is used
/// \see the form with one range
template <internal::GlobalIterator GlobIt, std::random_access_iterator OtherIt, class T,
          class BinaryOperation1 = std::plus<>, class BinaryOperation2 = std::multiplies<>>
T transform_reduce(GlobIt first, GlobIt last, OtherIt other_first, T init,
                   BinaryOperation1 reduction = BinaryOperation1(),
                   BinaryOperation2 transformation = BinaryOperation2()) {
  return internal::call(internal::TransformReduce{}, first, last, other_first, std::move(init),
                        std::move(reduction), std::move(transformation));
}
/// \overload with a policy, or with ranges: transform_reduce([policy,] range, [other_range,] init,
/// reduction, transformation)
template <class... Args>
requires internal::OtherForm<Args...>
auto transform_reduce(Args&&... args) {
  return internal::apply_with_begins(
      [](auto&&... given) {
        return internal::call(internal::TransformReduce{}, std::forward<decltype(given)>(given)...);
      },
      std::forward<Args>(args)...);
}
/// The same in all forms, as a task. \returns the future of the result
template <class... Args>
requires internal::GlobalForm<Args...>
auto transform_reduce_async(Args&&... args) {
  return internal::apply_with_begins(
      [](auto&&... given) { return internal::start(internal::TransformReduce{}, given...); },
      std::forward<Args>(args)...);
}

/// transform_reduce of two ranges by its older name.
template <internal::GlobalIterator GlobIt, std::random_access_iterator OtherIt, class T,
          class BinaryOperation1 = std::plus<>, class BinaryOperation2 = std::multiplies<>>
T inner_product(GlobIt first, GlobIt last, OtherIt other_first, T init,
                BinaryOperation1 reduction = BinaryOperation1(),
                BinaryOperation2 transformation = BinaryOperation2()) {
  return dash::transform_reduce(first, last, other_first, std::move(init), std::move(reduction),
                                std::move(transformation));
}
/// \overload with a policy, or with ranges
template <class... Args>
requires internal::OtherForm<Args...>
auto inner_product(Args&&... args) {
  return dash::transform_reduce(std::forward<Args>(args)...);
}
/// The same in all forms, as a task. \returns the future of the result
template <class... Args>
requires internal::GlobalForm<Args...>
auto inner_product_async(Args&&... args) {
  return dash::transform_reduce_async(std::forward<Args>(args)...);
}

}  // namespace dash
