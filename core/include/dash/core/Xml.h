#pragma once

#include <string>
#include <string_view>

namespace dash::core {

/// A text as the content of an element of XML or of an attribute in double quotes: what XML would
/// take for its own is replaced, and what it does not allow left out.
inline std::string xml_escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        if (static_cast<unsigned char>(c) >= 0x20 || c == '\n' || c == '\t') result += c;
    }
  }
  return result;
}

}  // namespace dash::core
