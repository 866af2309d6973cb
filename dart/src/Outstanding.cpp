#include "Outstanding.h"

#include <algorithm>
#include <mutex>

namespace dash::dart {

void Outstanding::add(const async::Operation& operation, std::int16_t segment, std::int32_t unit) {
  std::lock_guard lock(_lock);
  if (_entries.size() >= _prune_at) prune();
  _entries.push_back({operation, segment, unit});
  _size.store(_entries.size(), std::memory_order_release);
}

/// Amortised: what is complete goes when the number has doubled.
void Outstanding::prune() {
  std::erase_if(_entries, [](const Entry& entry) { return entry.operation.done(); });
  _prune_at = std::max<std::size_t>(64, 2 * _entries.size());
}

template <class Matches>
void Outstanding::flush_matching(Matches matches) {
  if (_size.load(std::memory_order_acquire) == 0) return;
  std::vector<async::Operation> waited;
  {
    std::lock_guard lock(_lock);
    std::erase_if(_entries, [&](Entry& entry) {
      if (entry.operation.done()) return true;
      if (!matches(entry)) return false;
      waited.push_back(std::move(entry.operation));
      return true;
    });
    _size.store(_entries.size(), std::memory_order_release);
  }
  for (async::Operation& operation : waited)
    operation.wait();
}

void Outstanding::flush(std::int16_t segment, std::int32_t unit) {
  flush_matching([=](const Entry& entry) {
    return entry.segment == segment && (unit == any_unit || entry.unit == unit);
  });
}

void Outstanding::flush_all() {
  flush_matching([](const Entry&) { return true; });
}

}  // namespace dash::dart
