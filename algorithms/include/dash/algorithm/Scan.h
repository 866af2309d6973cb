#pragma once

#include <functional>
#include <iterator>
#include <optional>
#include <type_traits>
#include <utility>

#include "dash/algorithm/internal/call/CallForms.h"
#include "dash/algorithm/internal/call/Operand.h"
#include "dash/algorithm/internal/call/RangeArguments.h"
#include "dash/algorithm/internal/scan/BlockScan.h"
#include "dash/algorithm/internal/scan/ScanExchange.h"
#include "dash/algorithm/internal/scan/ScanPart.h"
#include "dash/iterator/IteratorTraits.h"

namespace dash {

namespace internal {

/// Implements both scans. The owner of each output element computes it.
/// \tparam T  type of the sums
template <class T, ExecutionPolicy Policy, class InputIt, GlobalIterator OutputIt,
          class BinaryOperation>
OutputIt scan(Call& call, const Policy& policy, ScanKind kind, const InputIt& first,
              const InputIt& last, const OutputIt& out_first, BinaryOperation op,
              std::optional<T> init) {
  const OutputIt out_last =
      out_first + static_cast<typename OutputIt::difference_type>(last - first);
  using Part = ScanPart<InputIt, OutputIt, T, BinaryOperation>;
  using Exchange = ScanExchange<T, BinaryOperation>;
  if (!(out_first < out_last)) {
    call.run([] {});
    return out_last;
  }
  if (call.size() > 1 && is_aligned(first, out_first)) {
    if (auto units = units_with_single_block(out_first, out_last)) {
      BlockScan<Policy, InputIt, OutputIt, T, BinaryOperation>(call, policy, kind, first, out_first,
                                                               out_last, *std::move(units), op)
          .run(std::move(init));
      return out_last;
    }
  }
  constexpr bool is_sequential = std::is_same_v<Policy, execution::sequenced_policy>;
  Part part(kind, is_sequential, first, out_first, out_last, std::move(op));
  if (call.size() == 1 && is_memory_ordered<OutputIt>) {
    call.run([&] {
      part.fetch();
      part.scan_single_unit(std::move(init));
    });
    return out_last;
  }
  Exchange exchange(call, part.op(), std::move(init));
  const auto scan_round = [&] {
    const std::size_t number = exchange.finish();
    part.scan(number, [&exchange](std::size_t i) { return exchange.prefix(i); });
  };
  for (default_index_t end = 0; end < part.size();) {
    auto summaries = call.contribute<typename Exchange::Summary>([&] {
      if (end == 0) {
        exchange.prepare();
        part.fetch();
      } else {
        scan_round();
      }
      part.sum();
      return std::optional(Exchange::summarize(part.segments(), part.next_position()));
    });
    end = exchange.exchange(std::move(summaries), part.segments());
  }
  call.run(scan_round);
  return out_last;
}

/// The team of a scan: that of the output.
struct ScanOfOutput {
  template <class InputIt, GlobalIterator OutputIt, class... Args>
  static Team& team_of(const InputIt&, const InputIt&, const OutputIt& out, const Args&...) {
    return out.team();
  }
};

struct InclusiveScan : ScanOfOutput {
  static constexpr auto name = "dash::inclusive_scan";

  template <ExecutionPolicy Policy, std::random_access_iterator InputIt, GlobalIterator OutputIt,
            class BinaryOperation = std::plus<>>
  OutputIt operator()(Call& call, const Policy& policy, const InputIt& first, const InputIt& last,
                      const OutputIt& out, BinaryOperation op = BinaryOperation()) const {
    using T = std::remove_cv_t<std::iter_value_t<InputIt>>;
    return scan<T>(call, policy, ScanKind::inclusive, first, last, out, std::move(op),
                   std::optional<T>());
  }
  template <ExecutionPolicy Policy, std::random_access_iterator InputIt, GlobalIterator OutputIt,
            class BinaryOperation, class T>
  OutputIt operator()(Call& call, const Policy& policy, const InputIt& first, const InputIt& last,
                      const OutputIt& out, BinaryOperation op, T init) const {
    return scan<T>(call, policy, ScanKind::inclusive, first, last, out, std::move(op),
                   std::optional<T>(std::move(init)));
  }
};

struct ExclusiveScan : ScanOfOutput {
  static constexpr auto name = "dash::exclusive_scan";

  template <ExecutionPolicy Policy, std::random_access_iterator InputIt, GlobalIterator OutputIt,
            class T, class BinaryOperation = std::plus<>>
  OutputIt operator()(Call& call, const Policy& policy, const InputIt& first, const InputIt& last,
                      const OutputIt& out, T init, BinaryOperation op = BinaryOperation()) const {
    return scan<T>(call, policy, ScanKind::exclusive, first, last, out, std::move(op),
                   std::optional<T>(std::move(init)));
  }
};

}  // namespace internal

/// \addtogroup algorithms
/// @{

/// Assigns `in[0] op ... op in[i]` to out[i] for each position of a range, on the owner of out[i].
///
/// The input may be a global range of any distribution, or a native range that is the same on all
/// units. The output may overlap it in any way. The operation must be associative, but need not be
/// commutative. The grouping of operations depends on the distribution, not on timing: the same
/// range gives bitwise the same result. The operation is called concurrently if the unit has
/// several processors. Sums have the type of the input.
/// \returns the end of the output
/// \completion ends with a barrier: all units see the output
/// \collective over the output's team  \blocks until all units have done their part. With
///             dash::par_node the units of a node share both passes if each unit owns one
///             contiguous block of the output and the input is distributed alike; otherwise it is
///             equivalent to dash::par
/// \throws exception::RuntimeError on all units if the operation throws on one
/// \cost each element is read twice and written once. If each unit owns one contiguous block of the
///       range, an all-gather of one sum per unit; otherwise the units exchange the sums of their
///       blocks in rounds. Input that is not on the owner of the corresponding output is fetched as
///       a whole first
template <std::random_access_iterator InputIt, internal::GlobalIterator GlobOutputIt,
          class BinaryOperation = std::plus<>>
GlobOutputIt inclusive_scan(InputIt first, InputIt last, GlobOutputIt out,
                            BinaryOperation op = BinaryOperation()) {
  return internal::call(internal::InclusiveScan{}, first, last, out, std::move(op));
}
/// \overload
/// With an initial value: `init op in[0] op ...`. Sums have the type of init.
template <std::random_access_iterator InputIt, internal::GlobalIterator GlobOutputIt,
          class BinaryOperation, class T>
GlobOutputIt inclusive_scan(InputIt first, InputIt last, GlobOutputIt out, BinaryOperation op,
                            T init) {
  return internal::call(internal::InclusiveScan{}, first, last, out, std::move(op),
                        std::move(init));
}
/// \overload
/// With a policy, or with ranges: inclusive_scan([policy,] range, out_range, op, init).
template <class... Args>
requires internal::OtherForm<Args...>
auto inclusive_scan(Args&&... args) {
  return internal::apply_with_begins(
      [](auto&&... given) {
        return internal::call(internal::InclusiveScan{}, std::forward<decltype(given)>(given)...);
      },
      std::forward<Args>(args)...);
}
/// Asynchronous counterpart of all overloads; runs as a task. \returns a future of the end of the
/// output
/// \asynchronous{inclusive_scan}
template <class... Args>
auto inclusive_scan_async(Args&&... args) {
  return internal::apply_with_begins(
      [](auto&&... given) { return internal::start(internal::InclusiveScan{}, given...); },
      std::forward<Args>(args)...);
}

/// Assigns `init op in[0] op ... op in[i - 1]` to out[i] for each element of a range, and init to
/// out[0], on the owner of out[i]. Sums have the type of `init`.
/// \contract{inclusive_scan}
template <std::random_access_iterator InputIt, internal::GlobalIterator GlobOutputIt, class T,
          class BinaryOperation = std::plus<>>
GlobOutputIt exclusive_scan(InputIt first, InputIt last, GlobOutputIt out, T init,
                            BinaryOperation op = BinaryOperation()) {
  return internal::call(internal::ExclusiveScan{}, first, last, out, std::move(init),
                        std::move(op));
}
/// \overload
/// With a policy, or with ranges: exclusive_scan([policy,] range, out_range, init, op).
template <class... Args>
requires internal::OtherForm<Args...>
auto exclusive_scan(Args&&... args) {
  return internal::apply_with_begins(
      [](auto&&... given) {
        return internal::call(internal::ExclusiveScan{}, std::forward<decltype(given)>(given)...);
      },
      std::forward<Args>(args)...);
}
/// Asynchronous counterpart of all overloads; runs as a task. \returns a future of the end of the
/// output
/// \asynchronous{exclusive_scan}
template <class... Args>
auto exclusive_scan_async(Args&&... args) {
  return internal::apply_with_begins(
      [](auto&&... given) { return internal::start(internal::ExclusiveScan{}, given...); },
      std::forward<Args>(args)...);
}

/// @}

}  // namespace dash
