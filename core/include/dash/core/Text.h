#pragma once

#include <charconv>
#include <string_view>
#include <system_error>
#include <vector>

#include "dash/core/Export.h"

namespace dash::core {

/// Splits a text at each separator; n separators give n + 1 parts.
/// \returns views of the text
DASH_API std::vector<std::string_view> split(std::string_view text, char separator);

/// Parses a text that consists of one number. \returns false, without assigning, for any other text
template <class T>
bool parse_number(std::string_view text, T& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

}  // namespace dash::core
