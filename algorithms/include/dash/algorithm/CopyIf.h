#pragma once

#include <cstddef>
#include <mutex>
#include <type_traits>
#include <utility>
#include <vector>

#include "dash/Exception.h"
#include "dash/algorithm/internal/call/Call.h"
#include "dash/algorithm/internal/call/Chunks.h"
#include "dash/algorithm/internal/call/NodeChunks.h"
#include "dash/algorithm/internal/call/RangeArguments.h"
#include "dash/algorithm/internal/sort/Selection.h"
#include "dash/internal/transfer/RangeTransfer.h"
#include "dash/view/ViewIterator.h"

namespace dash {

namespace internal {

/// Elements of the container from an iterator on.
template <class T, class Pattern, class Mem, class P, class R>
default_index_t elements_behind(const GlobIter<T, Pattern, Mem, P, R>& it) {
  return static_cast<default_index_t>(it.pattern().size()) - static_cast<default_index_t>(it.pos());
}
template <class T, class Pattern, class Mem, class P, class R>
default_index_t elements_behind(const GlobViewIter<T, Pattern, Mem, P, R>& it) {
  return static_cast<default_index_t>(it.viewspec().size()) -
         static_cast<default_index_t>(it.rpos());
}

template <class Source, class Map>
default_index_t elements_behind(const ViewIterator<Source, Map>& it) {
  return static_cast<default_index_t>(it.map().size()) - static_cast<default_index_t>(it.pos());
}

struct CopyIf {
  static constexpr const char* name = "dash::copy_if";

  template <ExecutionPolicy Policy, GlobalIterator GlobIn, GlobalIterator GlobOut, class Predicate>
  GlobOut operator()(Call& call, const Policy& policy, const GlobIn& first, const GlobIn& last,
                     const GlobOut& out, Predicate predicate) const {
    using T = std::remove_cv_t<typename GlobIn::value_type>;
    require_copyable<T, typename GlobOut::value_type>();
    std::vector<std::vector<T>> selected;
    const Selection selection = rank_selected(
        call, [&] { return select(call, policy, first, last, selected, predicate); },
        static_cast<default_index_t>(last - first));
    const default_index_t total = selection.total;
    if (total > elements_behind(out)) {
      DASH_THROW(exception::InvalidArgument, name << ": " << total << " elements are selected, but "
                                                  << "the output has room for "
                                                  << elements_behind(out));
    }
    call.run([&] {
      Transfer transfer(caller_id(out), Transfer::Mode::blocking);
      for (const SelectedRun& run : selection.runs) {
        const T* const begin = selected[run.chunk].data() + run.begin;
        start_put(transfer, begin, begin + run.count,
                  out + static_cast<typename GlobOut::difference_type>(run.rank));
      }
      transfer.wait();
    });
    return out + static_cast<typename GlobOut::difference_type>(total);
  }

 private:
  /// Selects among the caller's elements, or with par_node among those of its node, what others do
  /// not: who has selected elements copies them.
  template <class Policy, class GlobIn, class T, class Predicate>
  static std::vector<SelectedRun> select(Call& call, const Policy& policy, const GlobIn& first,
                                         const GlobIn& last, std::vector<std::vector<T>>& selected,
                                         const Predicate& predicate) {
    std::vector<SelectedRun> runs;
    if constexpr (is_node_policy_v<Policy>) {
      if (call.node_work() != nullptr) {
        std::mutex mutex;
        run_parts(call, policy, first, last, [&](const auto& part) {
          std::vector<T> of_part;
          std::vector<SelectedRun> runs_of_part;
          select_of(first, part, predicate, of_part, runs_of_part);
          if (of_part.empty()) return;
          const std::lock_guard lock(mutex);
          for (SelectedRun& run : runs_of_part)
            run.chunk = selected.size();
          runs.insert(runs.end(), runs_of_part.begin(), runs_of_part.end());
          selected.push_back(std::move(of_part));
        });
        return runs;
      }
    }
    const auto chunks = local_chunks(first, last);
    selected.resize(chunks.count());
    std::vector<std::vector<SelectedRun>> of_chunks(chunks.count());
    chunks.run(policy, [&](std::size_t chunk, const auto& part) {
      const std::size_t known = of_chunks[chunk].size();
      select_of(first, part, predicate, selected[chunk], of_chunks[chunk]);
      for (std::size_t i = known; i < of_chunks[chunk].size(); ++i)
        of_chunks[chunk][i].chunk = chunk;
    });
    for (const auto& each : of_chunks)
      runs.insert(runs.end(), each.begin(), each.end());
    return runs;
  }

  /// Adds the selected elements of a part, and what is to be known of them but their chunk.
  template <class GlobIn, class Part, class Predicate, class T>
  static void select_of(const GlobIn& first, const Part& part, const Predicate& predicate,
                        std::vector<T>& to, std::vector<SelectedRun>& runs) {
    for_each_position_run(first, part, [&](const auto* begin, auto length, auto position) {
      const std::size_t before = to.size();
      for (const auto* element = begin; element != begin + length; ++element) {
        if (predicate(*element)) to.push_back(*element);
      }
      if (to.size() == before) return;
      runs.push_back({static_cast<default_index_t>(position),
                      static_cast<default_index_t>(to.size() - before), 0, before});
    });
  }
};

}  // namespace internal

/// Copies those elements of a global range for which a predicate holds to another global range that
/// does not overlap it, in their order and without gaps.
/// \param out  room for as many elements as there are, of any distribution and any team; the caller's
///             node need not have it
/// \returns the end of what was written, on all units
/// \completion remote  \collective over the team of the range
/// \blocks until all units have called it, and all is written
/// \throws exception::InvalidArgument on all units, and nothing is written, if the output has no room;
///         exception::RuntimeError on all units if the predicate throws on one
/// \cost each unit copies what it has selected, once; see internal::rank_selected for what units
///       exchange before
template <internal::GlobalIterator GlobInputIt, internal::GlobalIterator GlobOutputIt,
          class Predicate>
GlobOutputIt copy_if(GlobInputIt first, GlobInputIt last, GlobOutputIt out, Predicate predicate) {
  return internal::call(internal::CopyIf{}, first, last, out, std::move(predicate));
}
/// \overload with a policy, or with ranges: copy_if([policy,] range, out_range, predicate)
template <class... Args>
requires internal::OtherForm<Args...>
auto copy_if(Args&&... args) {
  return internal::apply_with_begins(
      [](auto&&... given) {
        return internal::call(internal::CopyIf{}, std::forward<decltype(given)>(given)...);
      },
      std::forward<Args>(args)...);
}
/// The same in all forms, as a task. \returns the future of the end of what is written
template <class... Args>
requires internal::GlobalForm<Args...>
auto copy_if_async(Args&&... args) {
  return internal::apply_with_begins(
      [](auto&&... given) { return internal::start(internal::CopyIf{}, given...); },
      std::forward<Args>(args)...);
}

}  // namespace dash
