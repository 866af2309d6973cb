#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "Keys.h"
#include "support/Program.h"

namespace isx {

/// Processes keys of the caller's bucket.
using Consume = std::function<void(std::span<const Key>)>;

/// Sends the keys of each bucket to its unit. The DASH program and the baselines differ only in
/// this.
class Exchange {
 public:
  Exchange() = default;
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;
  virtual ~Exchange() = default;

  /// The buffer in which the caller stores its keys in the order of their buckets. It may be reused
  /// when all units have returned from run().
  virtual std::span<Key> send_buffer() = 0;
  /// Calls consume() with all keys of the caller's bucket, from all units, in ranges of any size
  /// and order.
  /// \param begins         begin of each bucket in send_buffer(), and the end
  /// \param communication  times transfers and waits, but not consume()
  /// \collective
  virtual void run(std::span<const std::uint64_t> begins, const Consume& consume,
                   kernels::Stopwatch& communication) = 0;
};

/// \param capacity  maximum number of keys of a unit  \collective
using MakeExchange = std::function<std::unique_ptr<Exchange>(
    kernels::World& world, const std::string& via, std::size_t capacity)>;

/// \param name  name of the program
kernels::Program kernel(const std::string& name, MakeExchange make);

}  // namespace isx
