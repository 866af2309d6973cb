#pragma once

#include <dash/Array.h>
#include <dash/Future.h>
#include <dash/Signal.h>

#include <span>
#include <vector>

#include "Kernel.h"

namespace isx {

/// The exchange with DASH. Each unit announces to the other units, by puts with a signal, where
/// their keys are in its block of an array. Units on the same node read the keys in place; units on
/// other nodes fetch them while they count their own keys.
class DashExchange final : public Exchange {
 public:
  /// \collective
  explicit DashExchange(std::size_t capacity);

  std::span<Key> send_buffer() override { return {_keys.lbegin(), _capacity}; }
  void run(std::span<const std::uint64_t> begins, const Consume& consume,
           kernels::Stopwatch& communication) override;

 private:
  struct KeyRange {
    std::uint64_t begin;
    std::uint64_t end;
  };
  using Keys = std::span<const Key>;

  void announce(std::span<const std::uint64_t> begins);
  std::vector<dash::Future<Keys>> receive_all();
  dash::Future<Keys> fetch(int from, const KeyRange& range);

  int _self;
  int _units;
  std::size_t _capacity;
  dash::Array<Key> _keys;
  dash::Array<KeyRange> _ranges;  // on each unit, one range from each unit
  dash::SignalArray _announced;   // on each unit, one signal from each unit
  std::vector<KeyRange> _own_ranges;
  std::vector<std::vector<Key>> _copies;  // by unit: keys fetched from other nodes
  dash::signal_t _step = 0;
  bool _has_remote_units = false;  // whether there are units on other nodes
};

}  // namespace isx
