#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "Fail.h"
#include "dash/core/Text.h"

namespace dash::core::mapping {

/// A line of a text, split into words, without its comment.
struct TextLine {
  std::string where;  ///< "file:line", the prefix of error messages
  std::vector<std::string_view> words;

  /// \throws exception::InvalidArgument: "file:line: 'value': expected ..."
  template <class... Parts>
  [[noreturn]] void refuse(std::string_view value, const Parts&... expected) const {
    fail(where, ": '", value, "': expected ", expected...);
  }
};

/// The lines of a text that are not empty. '#' begins a comment; a '\' at the end continues the line.
class TextLines {
 public:
  /// \param text  must outlive this
  TextLines(std::string_view text, const std::string& name);

  const std::vector<TextLine>& lines() const noexcept { return _lines; }
  /// Name of the source, for errors about missing parts.
  const std::string& name() const noexcept { return _name; }

 private:
  std::string _name;
  std::vector<TextLine> _lines;
  std::deque<std::string> _joined;  // lines that were joined from several
};

/// A word "key=value"; the key is in lower case, the value without quotes.
struct KeyValue {
  std::string_view word;  ///< the whole word
  std::string key;
  std::string_view value;
};

/// \param expected  for the error message if the key or the value is missing
KeyValue key_value(const TextLine& line, std::string_view word, std::string_view expected);

/// Parses the words of a line from index `first` on. Each key may occur once.
/// \param expected  as for key_value()
std::vector<KeyValue> key_values(const TextLine& line, std::size_t first,
                                 std::string_view expected);

/// \param expected  for the error message if the word is invalid, for example "the number of cores"
std::uint32_t whole_number(const TextLine& line, std::string_view word, std::string_view expected);
double positive_number(const TextLine& line, std::string_view word, std::string_view expected);

/// Expands a host list of Slurm.
std::vector<std::string> host_list(const TextLine& line, std::string_view list);

std::string lower_case(std::string_view text);

/// Appends the names of a host list. \returns an error message; empty if the list is valid
std::string expand(std::string_view list, std::vector<std::string>& names);

}  // namespace dash::core::mapping
