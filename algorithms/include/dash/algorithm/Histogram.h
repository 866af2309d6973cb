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
#include "dash/algorithm/internal/call/CallForms.h"
#include "dash/algorithm/internal/call/Tasks.h"
#include "dash/algorithm/internal/reduce/CountSum.h"
#include "dash/internal/transfer/LocalBlocks.h"
#include "dash/iterator/IteratorTraits.h"

namespace dash {

namespace internal {

/// A function that returns the bin of an element.
template <class F, class T>
concept BinOfElement = requires(F& bin, const T& element) {
  { bin(element) } -> std::integral;
};

/// Whether an integer is the index of one of `count` bins.
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
      const auto blocks = local_blocks_of(first, last);
      const auto size =
          blocks.empty() ? 0
                         : static_cast<std::size_t>(blocks.back().ordinal + blocks.back().length);
      const Slices slices(size, static_cast<std::size_t>(workers));
      const auto count_slice = [&](std::size_t slice, std::vector<std::size_t>& into) {
        Bin own_bin = bin;  // a copy for each slice, since it may have state
        for_each_in(blocks, slices.begin(slice), slices.end(slice), [&](const auto& element) {
          const auto number = own_bin(element);
          if (is_bin(number, nbins)) ++into[static_cast<std::size_t>(number)];
        });
      };
      if (slices.count() == 1) {
        count_slice(0, counts);
        return;
      }
      // Separate counts for each slice, so that workers do not write to the same cache lines.
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
    // -1 below the first edge; at or above the last edge, or for NaN, the index is not a bin.
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
      // Rounding may yield the end of the last bin.
      return std::min(static_cast<std::size_t>((value - begin) * scale), nbins - 1);
    };
    return (*this)(call, policy, first, last, nbins, bin);
  }

 private:
  /// Calls fn for the elements with the ordinals begin ... end - 1.
  template <class T, class Fn>
  static void for_each_in(const LocalBlocks<T>& blocks, std::size_t begin, std::size_t end, Fn fn) {
    auto block = std::upper_bound(blocks.begin(), blocks.end(), begin,
                                  [](std::size_t ordinal, const LocalBlock<T>& at) {
                                    return ordinal < static_cast<std::size_t>(at.ordinal);
                                  });
    if (block != blocks.begin()) --block;
    for (; block != blocks.end() && static_cast<std::size_t>(block->ordinal) < end; ++block) {
      const auto ordinal = static_cast<std::size_t>(block->ordinal);
      const T* const stop =
          block->data + std::min(end - ordinal, static_cast<std::size_t>(block->length));
      for (const T* element = block->data + (begin > ordinal ? begin - ordinal : 0); element < stop;
           ++element)
        fn(*element);
    }
  }
};

}  // namespace internal

/// \addtogroup algorithms
/// @{

/// Counts the elements of a global range by bins.
///
/// \param bin  bin(element) is the index of its bin; elements with results outside of
///              [0, nbins) are not counted
/// \returns the counts of the elements of all units, on all units
/// \collective over the range's team  \blocks until all units have contributed
/// \throws exception::RuntimeError on all units if the function throws on one
/// \cost an all-reduce of the counts, and memory for the counts of each worker
template <internal::GlobalIterator GlobIt, internal::BinOfElement<typename GlobIt::value_type> Bin>
std::vector<std::size_t> histogram(GlobIt first, GlobIt last, std::size_t nbins, Bin bin) {
  return internal::call(internal::Histogram{}, first, last, nbins, std::move(bin));
}
/// \overload
/// With bins between edges: bin i counts the elements in [edges[i], edges[i + 1]); elements outside
/// of all bins and NaN are not counted.
/// \throws exception::InvalidArgument unless there are at least two edges, in ascending order
template <internal::GlobalIterator GlobIt, class Edge>
std::vector<std::size_t> histogram(GlobIt first, GlobIt last, const std::vector<Edge>& edges) {
  return internal::call(internal::Histogram{}, first, last, edges);
}
/// \overload
/// With `nbins` bins of equal width in [low, high).
/// \throws exception::InvalidArgument if there are no bins, or the interval is empty or infinite
template <internal::GlobalIterator GlobIt, class Value>
requires std::is_arithmetic_v<Value> std::vector<std::size_t> histogram(GlobIt first, GlobIt last,
                                                                        std::size_t nbins,
                                                                        Value low, Value high) {
  return internal::call(internal::Histogram{}, first, last, nbins, low, high);
}
/// \overload
/// With a policy, or a range: histogram([policy,] range, ...).
template <class... Args>
requires internal::OtherForm<Args...>
auto histogram(Args&&... args) {
  return internal::call(internal::Histogram{}, std::forward<Args>(args)...);
}
/// Asynchronous counterpart of all overloads; runs as a task. \returns a future of the counts
/// \asynchronous{histogram}
template <class... Args>
requires internal::GlobalForm<Args...>
auto histogram_async(Args&&... args) {
  return internal::start(internal::Histogram{}, std::forward<Args>(args)...);
}

/// @}

}  // namespace dash
