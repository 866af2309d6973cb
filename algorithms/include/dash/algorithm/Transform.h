#pragma once

#include <iterator>
#include <type_traits>
#include <utility>

#include "dash/Exception.h"
#include "dash/Future.h"
#include "dash/algorithm/internal/reduce/Accumulate.h"
#include "dash/algorithm/internal/call/Call.h"
#include "dash/algorithm/internal/call/ElementWise.h"
#include "dash/algorithm/internal/call/RangeArguments.h"
#include "dash/async/Operation.h"
#include "dash/atomic/TypeTraits.h"
#include "dash/iterator/IteratorTraits.h"

namespace dash {

namespace internal {

/// By the owners of the output.
struct Transform {
  static constexpr auto name = "dash::transform";

  template <class InputIt, GlobalIterator GlobOutputIt, class UnaryOperation>
  static Team& team_of(const InputIt&, const InputIt&, const GlobOutputIt& out,
                       const UnaryOperation&) {
    return out.team();
  }
  template <class InputIt, class InputIt2, GlobalIterator GlobOutputIt, class BinaryOperation>
  static Team& team_of(const InputIt&, const InputIt&, const InputIt2&, const GlobOutputIt& out,
                       const BinaryOperation&) {
    return out.team();
  }

  template <ExecutionPolicy Policy, std::random_access_iterator InputIt,
            GlobalIterator GlobOutputIt, class UnaryOperation>
  GlobOutputIt operator()(Call& call, const Policy& policy, const InputIt& in_first,
                          const InputIt& in_last, const GlobOutputIt& out_first,
                          UnaryOperation op) const {
    const GlobOutputIt out_last = out_first + (in_last - in_first);
    call.run([&] {
      transform_local(
          call, policy, out_first, out_last, [&op](const auto& in) { return op(in); }, in_first);
    });
    return out_last;
  }
  template <ExecutionPolicy Policy, GlobalIterator InputIt, GlobalIterator GlobInputIt,
            GlobalIterator GlobOutputIt, class BinaryOperation>
  GlobOutputIt operator()(Call& call, const Policy& policy, const InputIt& a_first,
                          const InputIt& a_last, const GlobInputIt& b_first,
                          const GlobOutputIt& out_first, BinaryOperation op) const {
    const GlobOutputIt out_last = out_first + (a_last - a_first);
    if constexpr (is_atomic<typename GlobOutputIt::value_type>::value) {
      throw_not_accumulated();
    } else {
      call.run([&] {
        transform_local(
            call, policy, out_first, out_last,
            [&op](const auto& a, const auto& b) { return op(a, b); }, a_first, b_first);
      });
    }
    return out_last;
  }

 private:
  [[noreturn]] static void throw_not_accumulated() {
    DASH_THROW(dash::exception::InvalidArgument,
               "dash::transform: atomic elements are accumulated, by dash::plus<T> and its kin; "
               "expected the output as second input");
  }
};

/// Whether a call accumulates, in which no unit waits for another.
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
    Accumulation<accumulated_t<GlobOutputIt>, BinaryOperation>::known == DART_OP_UNDEFINED
        ? Accumulates::never
        : Accumulates::in_place;

/// What finish(operation, end of the output) makes of a call that accumulates, or otherwise(), which
/// is instantiated only if it may be called.
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
      if (a_first == a_last || begin_alike(b_first, out_first))
        return finish(start_accumulate_own(a_first, a_last, out_first, op), out_last());
    }
    return otherwise();
  }
}
/// \overload with one input: never
template <class Finish, class Otherwise, class InputIt, class GlobOutputIt, class UnaryOperation>
auto accumulate_or(const Finish&, const Otherwise& otherwise, const InputIt&, const InputIt&,
                   const GlobOutputIt&, const UnaryOperation&) {
  return otherwise();
}

/// transform in any form, now. What accumulates is no collective call, whatever the policy.
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

/// The same as a task, or under way.
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

/// Assigns op(in[i]) to out[i] for each element of a range, on the owner of out[i].
///
/// The input may be a global range, or a native one that is the same on all units. The output may
/// be the input, else they must not overlap. The operation is called concurrently where the unit
/// has several processors.
/// \returns the end of the output
/// \completion ends with a barrier: all units see the output
/// \collective over the output's team  \blocks until all units have done their part
/// \throws exception::RuntimeError on all units if the operation throws on one
/// \cost input that is not on its output's owner is fetched in slabs, one while another is used
template <std::random_access_iterator InputIt, internal::GlobalIterator GlobOutputIt,
          class UnaryOperation>
GlobOutputIt transform(InputIt in_first, InputIt in_last, GlobOutputIt out_first,
                       UnaryOperation op) {
  return internal::call(internal::Transform{}, in_first, in_last, out_first, std::move(op));
}

/// Assigns op(a[i], b[i]) to out[i] for each element of a global range, on the owner of out[i].
///
/// The output may be one of the inputs, else they must not overlap it. The operation is called
/// concurrently where the unit has several processors.
///
/// Accumulates if `b_first` is `out_first` and op is one of dash::plus<T> and its kin, on numbers: then
/// each unit combines its elements of a with those of the output, each atomically, no unit waits for
/// another, and the others' part is seen after the next barrier.
/// \returns the end of the output
/// \completion ends with a barrier: all units see the output. If it accumulates: remote
/// \collective over the output's team  \blocks until all units have done their part
/// \throws exception::RuntimeError on all units if the operation throws on one
/// \cost input that is not on its output's owner is fetched in slabs, one while another is used
template <internal::GlobalIterator InputIt, internal::GlobalIterator GlobInputIt,
          internal::GlobalIterator GlobOutputIt, class BinaryOperation>
GlobOutputIt transform(InputIt a_first, InputIt a_last, GlobInputIt b_first, GlobOutputIt out_first,
                       BinaryOperation op) {
  return internal::call_transform(a_first, a_last, b_first, out_first, std::move(op));
}

/// Accumulates native values: out[i] becomes op(a[i], out[i]), each element atomically, with b_first
/// as out_first. With another b: op(op(a[i], b[i]), out[i]).
///
/// Atomic to all other accumulations and to references to atomic elements; not to plain accesses.
/// \param op  dash::plus<T> and its kin, of which dash::second replaces and dash::first leaves the
///            element; or any function, which is called until no other unit came between
/// \returns the end of the output
/// \completion remote  \collective no  \blocks until complete
/// \throws exception::InvalidArgument if the output is not within a live allocation
/// \cost on a node the processor's atomic instructions; else a message for 4 KiB of a contiguous run,
///       all of them in flight together, or one and more for each element if op is a function
template <internal::NativeIterator InputIt, internal::CopyIterator GlobInputIt,
          internal::CopyIterator GlobOutputIt, class BinaryOperation>
GlobOutputIt transform(InputIt a_first, InputIt a_last, GlobInputIt b_first, GlobOutputIt out_first,
                       BinaryOperation op) {
  return internal::call_transform(a_first, a_last, b_first, out_first, std::move(op));
}

/// Both forms of two inputs with the type of the elements spelled out: transform<T>(...).
template <class ValueType, class InputIt, internal::CopyIterator GlobInputIt,
          internal::CopyIterator GlobOutputIt, class BinaryOperation>
requires std::is_same_v<ValueType, internal::accumulated_t<GlobOutputIt>> GlobOutputIt
transform(InputIt a_first, InputIt a_last, GlobInputIt b_first, GlobOutputIt out_first,
          BinaryOperation op) {
  return dash::transform(a_first, a_last, b_first, out_first, std::move(op));
}

/// Accumulates native values from the element of a reference on, as the form by iterators does.
/// \returns a reference behind the last one
/// \completion source; remote: a flush of the reference or of its container
template <internal::NativeIterator InputIt, class T, class BinaryOperation>
GlobAsyncRef<T> transform(InputIt a_first, InputIt a_last, const GlobAsyncRef<T>& b,
                          const GlobAsyncRef<T>& out, BinaryOperation op) {
  return internal::accumulate_from(a_first, a_last, b, out, op);
}

/// \overload with a policy, or with ranges: transform([policy,] range, [other_range,] out_range, op),
/// each of the others also as its begin. What accumulates does so
/// with any policy in the same way, and is not collective
template <class... Args>
requires internal::OtherForm<Args...>
auto transform(Args&&... args) {
  return internal::apply_with_begins(
      [](auto&&... given) {
        return internal::call_transform(std::forward<decltype(given)>(given)...);
      },
      std::forward<Args>(args)...);
}
/// The same in all forms, as a task. What accumulates is under way on return, not collective, and the
/// native values may be reused.
/// \returns the future of the end of the output; if it accumulates, ready: remotely complete
template <class... Args>
auto transform_async(Args&&... args) {
  return internal::apply_with_begins(
      [](auto&&... given) {
        return internal::start_transform(std::forward<decltype(given)>(given)...);
      },
      std::forward<Args>(args)...);
}

}  // namespace dash
