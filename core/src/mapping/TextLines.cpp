#include "TextLines.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <utility>

namespace dash::core::mapping {

namespace {

constexpr std::string_view blanks = " \t\r";

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  while (true) {
    const std::size_t begin = text.find_first_not_of(blanks);
    if (begin == std::string_view::npos) return words;
    text.remove_prefix(begin);
    const std::size_t end = std::min(text.find_first_of(blanks), text.size());
    words.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
}

std::string_view without_comment(std::string_view line) {
  line = line.substr(0, line.find('#'));
  const std::size_t last = line.find_last_not_of(blanks);
  return last == std::string_view::npos ? std::string_view() : line.substr(0, last + 1);
}

}  // namespace

TextLines::TextLines(std::string_view text, const std::string& name) : _name(name) {
  std::string* open = nullptr;  // the line that the next one continues
  std::size_t first = 0;
  std::size_t number = 0;
  const auto add = [&](std::string_view line) {
    TextLine next{name + ":" + std::to_string(first), words_of(line)};
    if (!next.words.empty()) _lines.push_back(std::move(next));
  };
  for (std::string_view line : split(text, '\n')) {
    ++number;
    line = without_comment(line);
    if (open == nullptr) first = number;
    const bool continues = line.ends_with('\\');
    if (continues) line.remove_suffix(1);
    if (continues && open == nullptr) open = &_joined.emplace_back();
    if (open == nullptr) {
      add(line);
      continue;
    }
    open->append(line);
    if (continues) continue;
    add(*open);
    open = nullptr;
  }
  if (open != nullptr) add(*open);
}

KeyValue key_value(const TextLine& line, std::string_view word, std::string_view expected) {
  const std::size_t equals = word.find('=');
  if (equals == 0 || equals == std::string_view::npos || equals + 1 == word.size())
    line.refuse(word, expected);
  std::string_view value = word.substr(equals + 1);
  if (value.size() > 2 && value.front() == '"' && value.back() == '"')
    value = value.substr(1, value.size() - 2);
  return {word, lower_case(word.substr(0, equals)), value};
}

std::vector<KeyValue> key_values(const TextLine& line, std::size_t first,
                                 std::string_view expected) {
  std::vector<KeyValue> found;
  for (std::size_t i = first; i < line.words.size(); ++i) {
    KeyValue next = key_value(line, line.words[i], expected);
    for (const KeyValue& each : found) {
      if (each.key == next.key) line.refuse(line.words[i], each.key, "= once in a line");
    }
    found.push_back(std::move(next));
  }
  return found;
}

std::uint32_t whole_number(const TextLine& line, std::string_view word, std::string_view expected) {
  std::uint32_t number = 0;
  if (!parse_number(word, number)) line.refuse(word, expected, ", a whole number from 0 on");
  return number;
}

double positive_number(const TextLine& line, std::string_view word, std::string_view expected) {
  double number = 0;
  if (!parse_number(word, number) || !(number > 0) || !std::isfinite(number))
    line.refuse(word, expected, ", a number above 0");
  return number;
}

std::vector<std::string> host_list(const TextLine& line, std::string_view list) {
  std::vector<std::string> names;
  const std::string wrong = expand(list, names);
  if (!wrong.empty()) line.refuse(list, "a list of hosts such as n[001-016,20]; ", wrong);
  return names;
}

std::string lower_case(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

}  // namespace dash::core::mapping
