#pragma once

#include <array>

namespace dash::exec {

/// Description of an operation as a format and its arguments; formatted only when it is reported.
struct Label {
  const char* format =
      nullptr;  ///< fmt format with up to three numbers; null if there is no description
  std::array<long, 3> numbers{};
};

/// An object that can describe itself in a report.
class Labeled {
 public:
  /// \threads thread-safe
  virtual Label label() const noexcept = 0;

 protected:
  ~Labeled() = default;
};

}  // namespace dash::exec
