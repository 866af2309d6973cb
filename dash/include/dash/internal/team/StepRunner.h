#pragma once

#include <exception>

namespace dash::internal {

/// Executes several steps even if some of them fail, because other units wait in those that are
/// collective. finish() rethrows the first exception.
class StepRunner {
 public:
  template <class F>
  void run(const F& f) noexcept {
    try {
      f();
    } catch (...) {
      if (!_first) _first = std::current_exception();
    }
  }
  void finish() const {
    if (_first) std::rethrow_exception(_first);
  }

 private:
  std::exception_ptr _first;
};

}  // namespace dash::internal
