// What the network subsystem needs of a session.

#include <algorithm>
#include <iterator>

#include "launch/Session.h"

namespace dash::dart {

std::vector<WakeWord*> Session::wake_words() {
  std::vector<WakeWord*> words;
  if (!_has_wake_words) return words;
  for (int unit = 0; unit < _layout.nunits; ++unit)
    words.push_back(&_host_page->wake_words[static_cast<std::size_t>(unit)]);
  return words;
}

std::vector<char*> Session::own_heap() const {
  std::vector<char*> heaps(static_cast<std::size_t>(_layout.nunits), nullptr);
  heaps[static_cast<std::size_t>(_layout.unit)] = _heap->own();
  return heaps;
}

std::vector<std::atomic<std::uint64_t>*> Session::own_received() const {
  std::vector<std::atomic<std::uint64_t>*> words(static_cast<std::size_t>(_layout.nunits), nullptr);
  words[static_cast<std::size_t>(_layout.unit)] = HeapPlan::received_word(_heap->own());
  return words;
}

Delegation Session::delegation() const noexcept {
  if (!processes().has_progress_processes) return {};
  const auto& index_of = processes().index_at_server;
  const auto first =
      std::find_if(_layout.node_units.begin(), _layout.node_units.end(), [&](std::int32_t unit) {
        return processes().server(unit) == processes().server(_layout.unit) &&
               index_of[static_cast<std::size_t>(unit)] == 0;
      });
  char* const heap_of_first =
      _heap->of_slot(static_cast<int>(std::distance(_layout.node_units.begin(), first)));
  WakeWord& word = _has_wake_words ? _host_page->wake_words[static_cast<std::size_t>(*first)]
                                   : HeapPlan::delegation_queue(heap_of_first)->wake_word;
  return {HeapPlan::delegation_queue(_heap->own()), &word, _heap->own(), _heap->nbytes()};
}

}  // namespace dash::dart
