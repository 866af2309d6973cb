#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <type_traits>

#include "dash/ExecutionPolicy.h"
#include "dash/async/Executor.h"
#include "dash/internal/element/ElementAccess.h"

namespace dash::internal {

/// Memory for elements that are yet to be written: they need not be default constructible, and
/// nothing is spent on values that nobody reads.
template <class T>
class Scratch {
 public:
  Scratch() = default;
  explicit Scratch(std::size_t size)
      : _memory(std::make_unique_for_overwrite<RawElement<T>[]>(size)) {}

  T* data() const noexcept { return reinterpret_cast<T*>(_memory.get()); }

 private:
  std::unique_ptr<RawElement<T>[]> _memory;
};

/// Threads that a policy lets a unit use for its own elements.
template <ExecutionPolicy Policy>
int workers_of(const Policy&) {
  return std::is_same_v<Policy, execution::sequenced_policy> ? 1 : exec::executor_workers();
}

/// Calls body(0) ... body(count - 1), on the threads of the unit if it has several to be used.
template <class Body>
void run_tasks(std::size_t count, int workers, Body body) {
  if (workers > 1) {
    exec::run_chunks(count, body);
    return;
  }
  for (std::size_t i = 0; i < count; ++i)
    body(i);
}

/// Native elements in parts of equal length, at most so many.
class Slices {
 public:
  Slices(std::size_t size, std::size_t most)
      : _size(size),
        _count(std::clamp<std::size_t>(size / least, 1, std::max<std::size_t>(most, 1))) {}

  std::size_t count() const noexcept { return _count; }
  std::size_t begin(std::size_t slice) const noexcept { return _size * slice / _count; }
  std::size_t end(std::size_t slice) const noexcept { return begin(slice + 1); }

 private:
  /// Elements for which a task is worth its while.
  static constexpr std::size_t least = 4096;

  std::size_t _size;
  std::size_t _count;
};

}  // namespace dash::internal
