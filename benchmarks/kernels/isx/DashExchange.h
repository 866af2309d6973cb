#pragma once

#include <dash/Array.h>
#include <dash/Future.h>
#include <dash/Signal.h>

#include <span>
#include <vector>

#include "Kernel.h"

namespace isx {

/// Buckets on the library. Each unit tells the others, by puts that raise a signal, where their keys
/// are in its part of an array. They read them there on the same node, and fetch them from another
/// one, while they count their own.
class DashExchange final : public Exchange {
 public:
  /// \collective
  explicit DashExchange(std::size_t capacity);

  std::span<Key> room() override { return {_keys.lbegin(), _capacity}; }
  void run(std::span<const std::uint64_t> begins, const Consume& consume,
           kernels::Stopwatch& communication) override;

 private:
  struct Piece {
    std::uint64_t begin;
    std::uint64_t end;
  };
  using Keys = std::span<const Key>;

  void tell(std::span<const std::uint64_t> begins);
  std::vector<dash::Future<Keys>> receive_all();
  dash::Future<Keys> fetch(int from, const Piece& piece);

  int _self;
  int _units;
  std::size_t _capacity;
  dash::Array<Key> _keys;
  dash::Array<Piece> _pieces;  // of each unit, one from each unit
  dash::SignalArray _told;     // of each unit, one from each unit
  std::vector<Piece> _own_pieces;
  std::vector<std::vector<Key>> _copies;  // by unit: of what comes from other nodes
  dash::signal_t _step = 0;
  bool _has_others = false;  // units on other nodes
};

}  // namespace isx
