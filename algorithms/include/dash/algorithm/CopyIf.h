#pragma once

#include <cstddef>
#include <mutex>
#include <type_traits>
#include <utility>
#include <vector>

#include "dash/Exception.h"
#include "dash/algorithm/internal/call/CallForms.h"
#include "dash/algorithm/internal/call/Chunks.h"
#include "dash/algorithm/internal/call/NodeChunks.h"
#include "dash/algorithm/internal/call/RangeArguments.h"
#include "dash/algorithm/internal/sort/Selection.h"
#include "dash/internal/transfer/RangeTransfer.h"
#include "dash/view/ViewIterator.h"

namespace dash {

namespace internal {

/// Number of elements of the container from an iterator to the end.
template <class T, class Pattern, class Mem, class P, class R>
default_index_t elements_from(const GlobIter<T, Pattern, Mem, P, R>& it) {
  return static_cast<default_index_t>(it.pattern().size()) - static_cast<default_index_t>(it.pos());
}
template <class T, class Pattern, class Mem, class P, class R>
default_index_t elements_from(const GlobViewIter<T, Pattern, Mem, P, R>& it) {
  return static_cast<default_index_t>(it.viewspec().size()) -
         static_cast<default_index_t>(it.rpos());
}

template <class Source, class Map>
default_index_t elements_from(const ViewIterator<Source, Map>& it) {
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
    if (total > elements_from(out)) {
      DASH_THROW(exception::InvalidArgument, name << ": " << total << " elements are selected, but "
                                                  << "the output has space for "
                                                  << elements_from(out));
    }
    call.run([&] {
      Transfer transfer(caller_id(out), Transfer::Mode::blocking);
      for (const SelectedBlock& block : selection.blocks) {
        const T* const begin = selected[block.chunk].data() + block.begin;
        start_put(transfer, begin, begin + block.count,
                  out + static_cast<typename GlobOut::difference_type>(block.rank));
      }
      transfer.wait();
    });
    return out + static_cast<typename GlobOut::difference_type>(total);
  }

 private:
  /// Selects elements among the caller's elements, or with par_node among the node's elements that
  /// the caller processes. The unit that has selected an element also copies it.
  template <class Policy, class GlobIn, class T, class Predicate>
  static std::vector<SelectedBlock> select(Call& call, const Policy& policy, const GlobIn& first,
                                           const GlobIn& last,
                                           std::vector<std::vector<T>>& selected,
                                           const Predicate& predicate) {
    std::vector<SelectedBlock> blocks;
    if constexpr (is_node_policy_v<Policy>) {
      if (call.node_work() != nullptr) {
        std::mutex mutex;
        run_parts(call, policy, first, last, [&](const auto& part) {
          std::vector<T> of_part;
          std::vector<SelectedBlock> blocks_of_part;
          select_of(first, part, predicate, of_part, blocks_of_part);
          if (of_part.empty()) return;
          const std::lock_guard lock(mutex);
          for (SelectedBlock& block : blocks_of_part)
            block.chunk = selected.size();
          blocks.insert(blocks.end(), blocks_of_part.begin(), blocks_of_part.end());
          selected.push_back(std::move(of_part));
        });
        return blocks;
      }
    }
    const auto chunks = local_chunks(first, last);
    selected.resize(chunks.count());
    std::vector<std::vector<SelectedBlock>> of_chunks(chunks.count());
    chunks.run(policy, [&](std::size_t chunk, const auto& part) {
      const std::size_t known = of_chunks[chunk].size();
      select_of(first, part, predicate, selected[chunk], of_chunks[chunk]);
      for (std::size_t i = known; i < of_chunks[chunk].size(); ++i)
        of_chunks[chunk][i].chunk = chunk;
    });
    for (const auto& each : of_chunks)
      blocks.insert(blocks.end(), each.begin(), each.end());
    return blocks;
  }

  /// Appends the selected elements of a part, and their blocks without the chunk index.
  template <class GlobIn, class Part, class Predicate, class T>
  static void select_of(const GlobIn& first, const Part& part, const Predicate& predicate,
                        std::vector<T>& to, std::vector<SelectedBlock>& blocks) {
    for_each_position_block(first, part, [&](const auto* begin, auto length, auto position) {
      const std::size_t before = to.size();
      for (const auto* element = begin; element != begin + length; ++element) {
        if (predicate(*element)) to.push_back(*element);
      }
      if (to.size() == before) return;
      blocks.push_back({static_cast<default_index_t>(position),
                        static_cast<default_index_t>(to.size() - before), 0, before});
    });
  }
};

}  // namespace internal

/// \addtogroup algorithms
/// @{

/// Copies the elements of a global range that satisfy a predicate to another global range that does
/// not overlap it, in order and without gaps.
/// \param out  start of the output, with space for all selected elements; of any distribution and
///             any team, not necessarily on the caller's node
/// \returns the end of the written range, on all units
/// \completion remote  \collective over the team of the range
/// \blocks until all units have called it and all elements are written
/// \throws exception::InvalidArgument on all units, without writing anything, if the output is too
///         short; exception::RuntimeError on all units if the predicate throws on one
/// \cost each unit copies its selected elements once. Before, an all-gather of the contiguous blocks of
///       selected elements if they are few; otherwise all-reduces of 128 KiB each with one bit per
///       element of the range
template <internal::GlobalIterator GlobInputIt, internal::GlobalIterator GlobOutputIt,
          class Predicate>
GlobOutputIt copy_if(GlobInputIt first, GlobInputIt last, GlobOutputIt out, Predicate predicate) {
  return internal::call(internal::CopyIf{}, first, last, out, std::move(predicate));
}
/// \overload
/// With a policy, or with ranges: copy_if([policy,] range, out_range, predicate).
template <class... Args>
requires internal::OtherForm<Args...>
auto copy_if(Args&&... args) {
  return internal::apply_with_begins(
      [](auto&&... given) {
        return internal::call(internal::CopyIf{}, std::forward<decltype(given)>(given)...);
      },
      std::forward<Args>(args)...);
}
/// Asynchronous counterpart of all overloads; runs as a task. \returns a future of the end of the
/// written range
/// \asynchronous{copy_if}
template <class... Args>
requires internal::GlobalForm<Args...>
auto copy_if_async(Args&&... args) {
  return internal::apply_with_begins(
      [](auto&&... given) { return internal::start(internal::CopyIf{}, given...); },
      std::forward<Args>(args)...);
}

/// @}

}  // namespace dash
