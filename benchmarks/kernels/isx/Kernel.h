#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "Keys.h"
#include "support/Program.h"

namespace isx {

/// Takes keys of the caller's bucket.
using Consume = std::function<void(std::span<const Key>)>;

/// How buckets come to their units; what ours and the twins differ in.
class Exchange {
 public:
  Exchange() = default;
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;
  virtual ~Exchange() = default;

  /// Where the caller leaves its keys in the order of their buckets. It is free again when all units
  /// have returned from run().
  virtual std::span<Key> room() = 0;
  /// Hands all keys of the caller's bucket over, of all units, in pieces of any size and order.
  /// \param begins         of the buckets in room(), and the end
  /// \param communication  times transfers and waits, not what consume() does  \collective
  virtual void run(std::span<const std::uint64_t> begins, const Consume& consume,
                   kernels::Stopwatch& communication) = 0;
};

/// \param capacity  keys that any unit has at the most  \collective
using MakeExchange = std::function<std::unique_ptr<Exchange>(
    kernels::World& world, const std::string& via, std::size_t capacity)>;

/// \param name  of the program
kernels::Program kernel(const std::string& name, MakeExchange make);

}  // namespace isx
