#pragma once

#include <array>

namespace dash::exec {

/// What something is, as a text that is made only when somebody asks.
struct Label {
  const char* format = nullptr;  ///< of fmt, for up to three numbers; null: nothing to say
  std::array<long, 3> numbers{};
};

}  // namespace dash::exec
