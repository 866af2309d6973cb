#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

#include "dash/Exception.h"
#include "dash/algorithm/internal/Call.h"
#include "dash/algorithm/internal/Chunks.h"
#include "dash/algorithm/internal/Selection.h"
#include "dash/internal/RangeTransfer.h"
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
    const auto chunks = local_chunks(first, last);
    std::vector<std::vector<T>> selected(chunks.count());
    const Selection selection = rank_selected(
        call, [&] { return select(policy, first, chunks, selected, predicate); },
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
  template <class Policy, class GlobIn, class Chunks, class T, class Predicate>
  static std::vector<SelectedRun> select(const Policy& policy, const GlobIn& first,
                                         const Chunks& chunks,
                                         std::vector<std::vector<T>>& selected,
                                         const Predicate& predicate) {
    std::vector<std::vector<SelectedRun>> of_chunks(chunks.count());
    chunks.run(policy, [&](std::size_t chunk, const auto& part) {
      std::vector<T>& to = selected[chunk];
      for_each_position_run(first, part, [&](const auto* begin, auto length, auto position) {
        const std::size_t before = to.size();
        for (const auto* element = begin; element != begin + length; ++element) {
          if (predicate(*element)) to.push_back(*element);
        }
        if (to.size() == before) return;
        of_chunks[chunk].push_back({static_cast<default_index_t>(position),
                                    static_cast<default_index_t>(to.size() - before), chunk,
                                    before});
      });
    });
    std::vector<SelectedRun> runs;
    for (const auto& each : of_chunks)
      runs.insert(runs.end(), each.begin(), each.end());
    return runs;
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
/// \overload with a policy, or a range instead of two iterators: copy_if([policy,] range, ...)
template <class... Args>
requires internal::OtherForm<Args...>
auto copy_if(Args&&... args) {
  return internal::call(internal::CopyIf{}, std::forward<Args>(args)...);
}
/// The same in all forms, as a task. \returns the future of the end of what is written
template <class... Args>
requires internal::GlobalForm<Args...>
auto copy_if_async(Args&&... args) {
  return internal::start(internal::CopyIf{}, std::forward<Args>(args)...);
}

}  // namespace dash
