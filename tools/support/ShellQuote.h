#pragma once

#include <string>
#include <string_view>

namespace dash::tools {

/// A word of a command, quoted if a shell would change it.
inline std::string shell_quote(const std::string& word) {
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789%+,-./:=@_";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
  std::string text = "'";
  for (const char each : word)
    text += each == '\'' ? std::string("'\\''") : std::string(1, each);
  return text + "'";
}

}  // namespace dash::tools
