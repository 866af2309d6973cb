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

/// One line of a text in words, without its comment.
struct TextLine {
  std::string where;  ///< "file:line", as errors begin
  std::vector<std::string_view> words;

  /// \throws exception::InvalidArgument: "file:line: 'value': expected ..."
  template <class... Parts>
  [[noreturn]] void refuse(std::string_view value, const Parts&... expected) const {
    fail(where, ": '", value, "': expected ", expected...);
  }
};

/// The lines of a text that say something. '#' begins a comment; '\' at the end joins the next line.
class TextLines {
 public:
  /// \param text  must outlive this
  TextLines(std::string_view text, const std::string& name);

  const std::vector<TextLine>& lines() const noexcept { return _lines; }
  /// Where the text ends, for what is missing.
  const std::string& name() const noexcept { return _name; }

 private:
  std::string _name;
  std::vector<TextLine> _lines;
  std::deque<std::string> _joined;  // lines that are not in the text in one piece
};

/// A word "key=value"; the key is in lower case, the value without quotes.
struct KeyValue {
  std::string_view word;  ///< all of it
  std::string key;
  std::string_view value;
};

/// \param expected  for the error if the word has no '=' or nothing behind it
KeyValue key_value(const TextLine& line, std::string_view word, std::string_view expected);

/// The words of a line from one on, each key once.
/// \param expected  as for key_value()
std::vector<KeyValue> key_values(const TextLine& line, std::size_t first,
                                 std::string_view expected);

/// \param what  for the error if it is none, as "the number of cores"
std::uint32_t whole_number(const TextLine& line, std::string_view word, std::string_view what);
double positive_number(const TextLine& line, std::string_view word, std::string_view what);

/// The hosts of a list as Slurm writes it.
std::vector<std::string> host_list(const TextLine& line, std::string_view list);

std::string lower_case(std::string_view text);

/// Appends the names of a list. \returns what is wrong with it; empty if nothing
std::string expand(std::string_view list, std::vector<std::string>& names);

}  // namespace dash::core::mapping
