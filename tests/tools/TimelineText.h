#pragma once

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "Timeline.h"

namespace dash::test {

/// Composes the text of a timeline in the format of the library. Times are in microseconds.
class TimelineText {
 public:
  explicit TimelineText(int units) {
    _text = fmt::format(R"([{{"name":"units","ph":"M","args":{{"units":{}}}}})", units) + "\n";
  }

  TimelineText& unit(int unit) {
    _unit = unit;
    return line(fmt::format(
        R"({{"name":"process_name","ph":"M","pid":{},"args":{{"name":"unit {}"}}}})", unit, unit));
  }
  TimelineText& thread(int number, std::string_view name) {
    _thread = number;
    return line(
        fmt::format(R"({{"name":"thread_name","ph":"M","pid":{},"tid":{},"args":{{"name":"{}"}}}})",
                    _unit, number, name));
  }
  TimelineText& span(std::string_view category, std::string_view name, double begin, double end,
                     std::string_view arguments = "") {
    return line(fmt::format(
        R"({{"name":"{}","cat":"{}","ph":"X","pid":{},"tid":{},"ts":{:.3f},"dur":{:.3f}{}}})", name,
        category, _unit, _thread, begin, end - begin, arguments));
  }
  TimelineText& begin(std::string_view category, std::string_view name, double at, int id,
                      std::string_view arguments = "") {
    return flight_event("b", category, name, at, id, arguments);
  }
  TimelineText& end(std::string_view category, std::string_view name, double at, int id) {
    return flight_event("e", category, name, at, id, "");
  }
  TimelineText& flight(std::string_view category, std::string_view name, double from, double to,
                       int id, std::string_view arguments = "") {
    return begin(category, name, from, id, arguments).end(category, name, to, id);
  }
  TimelineText& line(const std::string& event) {
    _text += "," + event + "\n";
    return *this;
  }

  std::string text() const { return _text + "]\n"; }

 private:
  TimelineText& flight_event(std::string_view phase, std::string_view category,
                             std::string_view name, double at, int id, std::string_view arguments) {
    return line(fmt::format(
        R"({{"name":"{}","cat":"{}","ph":"{}","pid":{},"tid":{},"ts":{:.3f},"id2":{{"local":"0x{:x}"}}{}}})",
        name, category, phase, _unit, _thread, at, id, arguments));
  }

  std::string _text;
  int _unit = 0;
  int _thread = 0;
};

/// A temporary file. The destructor removes it.
class TextFile {
 public:
  explicit TextFile(const std::string& text)
      : _path((std::filesystem::temp_directory_path() /
               fmt::format("dash-trace-test-{}.json", getpid()))
                  .string()) {
    std::ofstream(_path, std::ios::binary) << text;
  }
  ~TextFile() { std::filesystem::remove(_path); }
  TextFile(const TextFile&) = delete;
  TextFile& operator=(const TextFile&) = delete;

  const std::string& path() const noexcept { return _path; }

 private:
  std::string _path;
};

inline trace::Timeline read(const std::string& text) {
  const TextFile file(text);
  return trace::read_timeline(file.path());
}

}  // namespace dash::test
