#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "dash/async/Operation.h"
#include "dash/core/Spin.h"

namespace dash::dart {

/// The transfers that this unit has started and nobody has seen complete: what a flush waits for.
/// \threads any
class Outstanding {
 public:
  static constexpr std::int32_t any_unit = -1;

  void add(const async::Operation& operation, std::int16_t segment, std::int32_t unit);

  /// Waits for those to a unit of a segment, or to any.
  void flush(std::int16_t segment, std::int32_t unit);
  /// Waits for all.
  void flush_all();

 private:
  struct Entry {
    async::Operation operation;
    std::int16_t segment;
    std::int32_t unit;
  };

  template <class Matches>
  void flush_matching(Matches matches);
  void prune();

  core::SpinLock _lock;  // guards the entries
  std::vector<Entry> _entries;
  std::size_t _prune_at = 64;
  std::atomic<std::size_t> _size{0};
};

}  // namespace dash::dart
