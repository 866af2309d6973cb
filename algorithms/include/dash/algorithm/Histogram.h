#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "dash/Exception.h"
#include "dash/algorithm/internal/call/Call.h"
#include "dash/algorithm/internal/reduce/CountSum.h"
#include "dash/algorithm/internal/call/Tasks.h"
#include "dash/internal/transfer/LocalBlocks.h"
#include "dash/iterator/IteratorTraits.h"

namespace dash {

namespace internal {

/// Which bin an element belongs to.
template <class F, class T>
concept BinOfElement = requires(F& bin, const T& element) {
  { bin(element) } -> std::integral;
};

/// Whether an integer is the number of one of `count` bins.
template <std::integral Bin>
bool is_bin(Bin bin, std::size_t count) {
  if constexpr (std::is_signed_v<Bin>) {
    if (bin < 0) return false;
  }
  return static_cast<std::make_unsigned_t<std::common_type_t<Bin, int>>>(bin) < count;
}

struct Histogram {
  static constexpr auto name = "dash::histogram";

  template <ExecutionPolicy Policy, GlobalIterator GlobIt,
            BinOfElement<typename GlobIt::value_type> Bin>
  std::vector<std::size_t> operator()(Call& call, const Policy& policy, const GlobIt& first,
                                      const GlobIt& last, std::size_t nbins, Bin bin) const {
    const int workers = workers_of(policy);
    return sum_counts(call, nbins, [&](std::vector<std::size_t>& counts) {
      const auto runs = local_runs(first, last);
      const auto size =
          runs.empty() ? 0 : static_cast<std::size_t>(runs.back().ordinal + runs.back().length);
      const Slices slices(size, static_cast<std::size_t>(workers));
      const auto count_slice = [&](std::size_t slice, std::vector<std::size_t>& into) {
        Bin own_bin = bin;  // a copy for each slice: it may have a state
        for_each_in(runs, slices.begin(slice), slices.end(slice), [&](const auto& element) {
          const auto number = own_bin(element);
          if (is_bin(number, nbins)) ++into[static_cast<std::size_t>(number)];
        });
      };
      if (slices.count() == 1) {
        count_slice(0, counts);
        return;
      }
      // Counts of its own for each worker: they do not write to the same cache lines.
      std::vector<std::vector<std::size_t>> partial(slices.count());
      run_tasks(slices.count(), workers, [&](std::size_t slice) {
        std::vector<std::size_t> own(nbins, 0);
        count_slice(slice, own);
        partial[slice] = std::move(own);
      });
      for (const auto& own : partial) {
        for (std::size_t i = 0; i < nbins; ++i)
          counts[i] += own[i];
      }
    });
  }

  template <ExecutionPolicy Policy, GlobalIterator GlobIt, class Edge>
  std::vector<std::size_t> operator()(Call& call, const Policy& policy, const GlobIt& first,
                                      const GlobIt& last, const std::vector<Edge>& edges) const {
    if (edges.size() < 2 || !std::is_sorted(edges.begin(), edges.end())) {
      DASH_THROW(
          dash::exception::InvalidArgument,
          name << ": " << edges.size() << " edges; expected two or more, in ascending order");
    }
    // Below the first edge: -1; the last edge and what is above, and NaN: no bin.
    const auto bin = [&edges](const auto& element) {
      return (std::upper_bound(edges.begin(), edges.end(), element) - edges.begin()) - 1;
    };
    return (*this)(call, policy, first, last, edges.size() - 1, bin);
  }

  template <ExecutionPolicy Policy, GlobalIterator GlobIt, class Value>
  requires std::is_arithmetic_v<Value> std::vector<std::size_t>
  operator()(Call& call, const Policy& policy, const GlobIt& first, const GlobIt& last,
             std::size_t nbins, Value low, Value high) const {
    const auto begin = static_cast<double>(low);
    const auto end = static_cast<double>(high);
    if (nbins == 0 || !(begin < end) || !std::isfinite(end - begin)) {
      DASH_THROW(dash::exception::InvalidArgument,
                 name << ": " << nbins << " bins from " << low << " to " << high
                      << "; expected at least one bin, and a range of finite length");
    }
    const double scale = static_cast<double>(nbins) / (end - begin);
    const auto bin = [=](const auto& element) {
      const auto value = static_cast<double>(element);
      if (!(value >= begin && value < end)) return nbins;
      // Rounding may lead to the end of the last bin.
      return std::min(static_cast<std::size_t>((value - begin) * scale), nbins - 1);
    };
    return (*this)(call, policy, first, last, nbins, bin);
  }

 private:
  /// Calls fn for the elements number begin ... end - 1 of runs.
  template <class T, class Fn>
  static void for_each_in(const LocalBlocks<T>& runs, std::size_t begin, std::size_t end, Fn fn) {
    auto run = std::upper_bound(runs.begin(), runs.end(), begin,
                                [](std::size_t ordinal, const LocalBlock<T>& at) {
                                  return ordinal < static_cast<std::size_t>(at.ordinal);
                                });
    if (run != runs.begin()) --run;
    for (; run != runs.end() && static_cast<std::size_t>(run->ordinal) < end; ++run) {
      const auto ordinal = static_cast<std::size_t>(run->ordinal);
      const T* const stop =
          run->data + std::min(end - ordinal, static_cast<std::size_t>(run->length));
      for (const T* element = run->data + (begin > ordinal ? begin - ordinal : 0); element < stop;
           ++element)
        fn(*element);
    }
  }
};

}  // namespace internal

/// Counts the elements of a global range by bins; the counts of all units, on all units.
///
/// \param bin    bin(element) is the number of its bin; what is not 0 ... nbins - 1 is not counted
/// \collective over the range's team  \blocks until all units have contributed
/// \throws exception::RuntimeError on all units if the function throws on one
/// \cost an all-reduce of the counts, and their memory for each worker
template <internal::GlobalIterator GlobIt, internal::BinOfElement<typename GlobIt::value_type> Bin>
std::vector<std::size_t> histogram(GlobIt first, GlobIt last, std::size_t nbins, Bin bin) {
  return internal::call(internal::Histogram{}, first, last, nbins, std::move(bin));
}
/// \overload with bins between edges: number i has the elements from edges[i] to below edges[i + 1];
/// what is outside, or NaN, is not counted
/// \throws exception::InvalidArgument unless there are two edges or more, in ascending order
template <internal::GlobalIterator GlobIt, class Edge>
std::vector<std::size_t> histogram(GlobIt first, GlobIt last, const std::vector<Edge>& edges) {
  return internal::call(internal::Histogram{}, first, last, edges);
}
/// \overload with `nbins` bins of equal width, from `low` to below `high`
/// \throws exception::InvalidArgument for no bins or no width
template <internal::GlobalIterator GlobIt, class Value>
requires std::is_arithmetic_v<Value> std::vector<std::size_t> histogram(GlobIt first, GlobIt last,
                                                                        std::size_t nbins,
                                                                        Value low, Value high) {
  return internal::call(internal::Histogram{}, first, last, nbins, low, high);
}
/// \overload with a policy, or a range: histogram([policy,] range, ...)
template <class... Args>
requires internal::OtherForm<Args...>
auto histogram(Args&&... args) {
  return internal::call(internal::Histogram{}, std::forward<Args>(args)...);
}
/// The same in all forms, as a task. \returns the future of the counts
template <class... Args>
requires internal::GlobalForm<Args...>
auto histogram_async(Args&&... args) {
  return internal::start(internal::Histogram{}, std::forward<Args>(args)...);
}

}  // namespace dash
