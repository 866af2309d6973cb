#pragma once

#include <cstddef>
#include <iterator>
#include <tuple>
#include <type_traits>
#include <utility>

#include "dash/Exception.h"
#include "dash/Future.h"
#include "dash/algorithm/Zip.h"
#include "dash/algorithm/internal/call/CallForms.h"
#include "dash/algorithm/internal/call/ElementWise.h"
#include "dash/algorithm/internal/call/RangeArguments.h"
#include "dash/algorithm/internal/reduce/Accumulate.h"
#include "dash/async/Operation.h"
#include "dash/atomic/TypeTraits.h"
#include "dash/iterator/IteratorTraits.h"

namespace dash {

namespace internal {

/// The owner of each output element computes it.
struct Transform {
  static constexpr auto name = "dash::transform";

  /// \param args  the inputs, the output, and the operation
  template <class... Args>
  static Team& team_of(const Args&... args) {
    return std::get<sizeof...(Args) - 2>(std::tie(args...)).team();
  }

  template <ExecutionPolicy Policy, std::random_access_iterator InputIt,
            GlobalIterator GlobOutputIt, class UnaryOperation>
  GlobOutputIt operator()(Call& call, const Policy& policy, const InputIt& in_first,
                          const InputIt& in_last, const GlobOutputIt& out_first,
                          UnaryOperation op) const {
    return transform_all(call, policy, in_last - in_first, out_first, std::move(op), in_first);
  }
  template <ExecutionPolicy Policy, GlobalIterator InputIt, GlobalIterator GlobInputIt,
            GlobalIterator GlobOutputIt, class BinaryOperation>
  GlobOutputIt operator()(Call& call, const Policy& policy, const InputIt& a_first,
                          const InputIt& a_last, const GlobInputIt& b_first,
                          const GlobOutputIt& out_first, BinaryOperation op) const {
    if constexpr (is_atomic<typename GlobOutputIt::value_type>::value) {
      throw_not_accumulated();
    } else {
      return transform_all(call, policy, a_last - a_first, out_first, std::move(op), a_first,
                           b_first);
    }
  }
  /// \param rest  more inputs, the output, and the operation
  template <ExecutionPolicy Policy, GlobalIterator InputIt, class... Rest>
  requires(sizeof...(Rest) > 3) auto operator()(Call& call, const Policy& policy,
                                                const InputIt& a_first, const InputIt& a_last,
                                                const Rest&... rest) const {
    const auto all = std::tie(a_first, rest...);
    constexpr std::size_t num_inputs = sizeof...(Rest) - 1;
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return transform_all(call, policy, a_last - a_first, std::get<num_inputs>(all),
                           std::get<num_inputs + 1>(all), std::get<I>(all)...);
    }
    (std::make_index_sequence<num_inputs>());
  }
  template <ExecutionPolicy Policy, Zipped Ranges, GlobalIterator GlobOutputIt, class Operation>
  GlobOutputIt operator()(Call& call, const Policy& policy, const Ranges& ranges,
                          const GlobOutputIt& out_first, const Operation& op) const {
    return ranges.apply([&](const auto& first, const auto& last, const auto&... others) {
      return transform_all(call, policy, last - first, out_first, op, first, others...);
    });
  }

 private:
  template <ExecutionPolicy Policy, class Size, GlobalIterator GlobOutputIt, class Operation,
            class... InputIts>
  static GlobOutputIt transform_all(Call& call, const Policy& policy, Size size,
                                    const GlobOutputIt& out_first, Operation op,
                                    const InputIts&... in_firsts) {
    const GlobOutputIt out_last = out_first + size;
    call.run([&] {
      transform_local(
          call, policy, out_first, out_last, [&op](const auto&... in) { return op(in...); },
          in_firsts...);
    });
    return out_last;
  }

  [[noreturn]] static void throw_not_accumulated() {
    DASH_THROW(
        dash::exception::InvalidArgument,
        "dash::transform: atomic elements can only be accumulated: pass an operation such as "
        "dash::plus<T>, and the output as the second input");
  }
};

/// Whether a call accumulates, which is not collective.
enum class Accumulates { never, in_place, always };

template <class InputIt, class GlobInputIt, class GlobOutputIt, class BinaryOperation>
inline constexpr Accumulates accumulates = Accumulates::never;
template <NativeIterator InputIt, CopyIterator GlobInputIt, CopyIterator GlobOutputIt,
          class BinaryOperation>
inline constexpr auto accumulates<InputIt, GlobInputIt, GlobOutputIt, BinaryOperation> =
    Accumulates::always;
template <GlobalIterator InputIt, GlobalIterator GlobInputIt, GlobalIterator GlobOutputIt,
          class BinaryOperation>
requires std::is_arithmetic_v<accumulated_t<GlobOutputIt>>
inline constexpr auto accumulates<InputIt, GlobInputIt, GlobOutputIt, BinaryOperation> =
    Accumulation<accumulated_t<GlobOutputIt>, BinaryOperation>::operation_kind == DART_OP_UNDEFINED
        ? Accumulates::never
        : Accumulates::in_place;

/// Starts the accumulation and returns finish(operation, end of the output) if the call
/// accumulates; otherwise returns otherwise(), which is instantiated only if it may be called.
template <class Finish, class Otherwise, class InputIt, class GlobInputIt, class GlobOutputIt,
          class BinaryOperation>
auto accumulate_or(const Finish& finish, const Otherwise& otherwise, const InputIt& a_first,
                   const InputIt& a_last, const GlobInputIt& b_first, const GlobOutputIt& out_first,
                   const BinaryOperation& op) {
  constexpr auto when = accumulates<InputIt, GlobInputIt, GlobOutputIt, BinaryOperation>;
  const auto out_last = [&] {
    return out_first +
           static_cast<typename GlobOutputIt::difference_type>(std::distance(a_first, a_last));
  };
  if constexpr (when == Accumulates::always) {
    return finish(start_accumulate(a_first, a_last, b_first, out_first, op), out_last());
  } else {
    if constexpr (when == Accumulates::in_place) {
      if (a_first == a_last || begin_at_same_element(b_first, out_first))
        return finish(start_accumulate_local(a_first, a_last, out_first, op), out_last());
    }
    return otherwise();
  }
}
/// \overload
/// With another number of inputs, which never accumulates.
template <class Finish, class Otherwise, class... Args>
auto accumulate_or(const Finish&, const Otherwise& otherwise, const Args&...) {
  return otherwise();
}

/// Runs transform synchronously, with the arguments of any overload. A call that accumulates is not
/// collective, with any policy.
template <class... Args>
auto call_transform(Args&&... args) {
  return internal::with_policy<Transform>(
      [](const auto& policy, auto&&... normal) {
        return accumulate_or(
            [](exec::Operation operation, auto out_last) {
              operation.wait();
              return out_last;
            },
            [&]<class Algorithm = Transform>() {
              return internal::call(Algorithm{}, policy, std::forward<decltype(normal)>(normal)...);
            },
            normal...);
      },
      std::forward<Args>(args)...);
}

/// Asynchronous counterpart: starts a task, or the accumulation itself.
template <class... Args>
auto start_transform(Args&&... args) {
  return internal::with_policy<Transform>(
      [](const auto& policy, const auto&... normal) {
        return accumulate_or(
            [](exec::Operation operation, const auto& out_last) {
              return Future<std::remove_cvref_t<decltype(out_last)>>(std::move(operation),
                                                                     out_last);
            },
            [&]<class Algorithm = Transform>() {
              return internal::start(Algorithm{}, policy, normal...);
            },
            normal...);
      },
      std::forward<Args>(args)...);
}

}  // namespace internal

/// \addtogroup algorithms
/// @{

/// Assigns op(in[i]) to out[i] for each element of a range, on the owner of out[i].
///
/// The input may be a global range, or a native range that is the same on all units. The output may
/// be the input; otherwise they must not overlap. The operation is called concurrently if the unit
/// has several processors.
/// \returns the end of the output
/// \completion ends with a barrier: all units see the output
/// \collective over the output's team  \blocks until all units have done their part
/// \throws exception::RuntimeError on all units if the operation throws on one
/// \cost input that is not on the owner of the corresponding output is fetched in batches; the next
///       batch is fetched while the current one is used
template <std::random_access_iterator InputIt, internal::GlobalIterator GlobOutputIt,
          class UnaryOperation>
GlobOutputIt transform(InputIt in_first, InputIt in_last, GlobOutputIt out_first,
                       UnaryOperation op) {
  return internal::call(internal::Transform{}, in_first, in_last, out_first, std::move(op));
}

/// Assigns op(a[i], b[i]) to out[i] for each element of a global range, on the owner of out[i].
///
/// The output may be one of the inputs; otherwise it must not overlap them. The operation is called
/// concurrently if the unit has several processors.
///
/// The call accumulates if `b_first` is `out_first`, the elements are numbers and op is an
/// operation such as dash::plus<T>. Then each unit atomically combines its elements of a with those
/// of the output, the call is not collective, and the contributions of other units are visible
/// after the next barrier.
/// \returns the end of the output
/// \completion ends with a barrier: all units see the output. If it accumulates: remote, without a
///          barrier
/// \collective over the output's team  \blocks until all units have done their part
/// \throws exception::RuntimeError on all units if the operation throws on one
/// \cost input that is not on the owner of the corresponding output is fetched in batches; the next
///       batch is fetched while the current one is used
template <internal::GlobalIterator InputIt, internal::GlobalIterator GlobInputIt,
          internal::GlobalIterator GlobOutputIt, class BinaryOperation>
GlobOutputIt transform(InputIt a_first, InputIt a_last, GlobInputIt b_first, GlobOutputIt out_first,
                       BinaryOperation op) {
  return internal::call_transform(a_first, a_last, b_first, out_first, std::move(op));
}

/// Assigns op(a[i], b[i], c[i], ...) to out[i] for each element of three or more global ranges, on the owner of
/// out[i]: transform(a_first, a_last, b_first, c_first, ..., out_first, op).
///
/// The output may be one of the inputs; otherwise it must not overlap them. The call never accumulates. The operation
/// is called concurrently if the unit has several processors.
/// \param rest  the begins of the other inputs and of the output, and the operation
/// \returns the end of the output
/// \completion ends with a barrier: all units see the output
/// \collective over the output's team  \blocks until all units have done their part
/// \throws exception::RuntimeError on all units if the operation throws on one
/// \cost input that is not on the owner of the corresponding output is fetched in batches; the next
///       batch is fetched while the current one is used
template <internal::GlobalIterator InputIt, std::random_access_iterator InputIt2,
          std::random_access_iterator InputIt3, class... Rest>
requires(sizeof...(Rest) >= 2) auto transform(InputIt a_first, InputIt a_last, InputIt2 b_first,
                                              InputIt3 c_first, Rest... rest) {
  return internal::call_transform(a_first, a_last, b_first, c_first, std::move(rest)...);
}

/// Accumulates native values: atomically assigns op(a[i], out[i]) to each out[i] if b_first is
/// out_first, and op(op(a[i], b[i]), out[i]) otherwise.
///
/// The accumulation is atomic with respect to other accumulations and to references to atomic
/// elements, but not to plain accesses.
/// \param op  an operation such as dash::plus<T> (dash::second replaces the element, dash::first
///            leaves it unchanged), or any function, which is called again if another unit has
///            modified the element concurrently
/// \returns the end of the output
/// \completion remote  \collective no  \blocks until complete
/// \throws exception::InvalidArgument if the output is not within a live allocation
/// \cost atomic instructions of the processor on the caller's node; otherwise one message per 4 KiB
///       of a contiguous block, all in flight at the same time, or at least one message per element
///       if op is a function
template <internal::NativeIterator InputIt, internal::CopyIterator GlobInputIt,
          internal::CopyIterator GlobOutputIt, class BinaryOperation>
GlobOutputIt transform(InputIt a_first, InputIt a_last, GlobInputIt b_first, GlobOutputIt out_first,
                       BinaryOperation op) {
  return internal::call_transform(a_first, a_last, b_first, out_first, std::move(op));
}

/// The overloads with two inputs and an explicit element type: transform<T>(...).
/// \contract{transform}
template <class ValueType, class InputIt, internal::CopyIterator GlobInputIt,
          internal::CopyIterator GlobOutputIt, class BinaryOperation>
requires std::is_same_v<ValueType, internal::accumulated_t<GlobOutputIt>> GlobOutputIt
transform(InputIt a_first, InputIt a_last, GlobInputIt b_first, GlobOutputIt out_first,
          BinaryOperation op) {
  return dash::transform(a_first, a_last, b_first, out_first, std::move(op));
}

/// Accumulates native values to consecutive elements that begin at a reference, like the overload
/// for iterators.
/// \returns a reference to the element after the last one
/// \completion source; remote: a flush of the reference or of its container
/// \collective no  \blocks never, except while too many operations are in flight
template <internal::NativeIterator InputIt, class T, class BinaryOperation>
GlobAsyncRef<T> transform(InputIt a_first, InputIt a_last, const GlobAsyncRef<T>& b,
                          const GlobAsyncRef<T>& out, BinaryOperation op) {
  return internal::accumulate_from(a_first, a_last, b, out, op);
}

/// \overload
/// With a policy, or with ranges: transform([policy,] range, [other_range, ...] out_range, op). Each of
/// the other ranges may also be given by an iterator. transform([policy,] zip(range, ...), out_range, op) checks the
/// sizes of the inputs, and never accumulates. A call that accumulates does so with any
/// policy, and is not collective.
template <class... Args>
requires internal::OtherForm<Args...>
auto transform(Args&&... args) {
  return internal::apply_with_begins(
      [](auto&&... given) {
        return internal::call_transform(std::forward<decltype(given)>(given)...);
      },
      std::forward<Args>(args)...);
}
/// Asynchronous counterpart of all overloads; runs as a task. An accumulation is started before the
/// call returns, is not collective, and the native values may be modified immediately.
/// \returns a future of the end of the output; for an accumulation it is ready on remote completion
/// \contract{transform}  \blocks never
template <class... Args>
auto transform_async(Args&&... args) {
  return internal::apply_with_begins(
      [](auto&&... given) {
        return internal::start_transform(std::forward<decltype(given)>(given)...);
      },
      std::forward<Args>(args)...);
}

/// @}

}  // namespace dash
