#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <type_traits>

#include "dash/ExecutionPolicy.h"
#include "dash/async/Executor.h"
#include "dash/internal/element/ElementAccess.h"

namespace dash::internal {

/// Uninitialized memory for elements, which need not be default constructible.
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

/// Number of threads that a unit may use for its own elements under a policy.
template <ExecutionPolicy Policy>
int workers_of(const Policy&) {
  return std::is_same_v<Policy, execution::sequenced_policy> ? 1 : exec::executor_workers();
}

/// Calls body(0) ... body(count - 1): on the workers of the unit if `workers` is greater than 1,
/// otherwise in order on the calling thread.
template <class Body>
void run_tasks(std::size_t count, int workers, Body body) {
  if (workers > 1) {
    exec::run_chunks(count, body);
    return;
  }
  for (std::size_t i = 0; i < count; ++i)
    body(i);
}

/// Divides native elements into slices of about equal length.
class Slices {
 public:
  Slices(std::size_t size, std::size_t max_count)
      : _size(size),
        _count(std::clamp<std::size_t>(size / min_length, 1, std::max<std::size_t>(max_count, 1))) {
  }

  std::size_t count() const noexcept { return _count; }
  std::size_t begin(std::size_t slice) const noexcept { return _size * slice / _count; }
  std::size_t end(std::size_t slice) const noexcept { return begin(slice + 1); }

 private:
  /// Minimum number of elements that amortizes the cost of a task.
  static constexpr std::size_t min_length = 4096;

  std::size_t _size;
  std::size_t _count;
};

}  // namespace dash::internal
