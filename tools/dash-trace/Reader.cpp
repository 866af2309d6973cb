// Reads the trace event format (Chrome) as the library writes it: an array of events, the first of which contains
// the number of units. Passes each event to the TimelineBuilder when its object ends, since a JSON document of all
// events would need several times the memory.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string_view>

#include "TimelineBuilder.h"

namespace dash::trace {

namespace {

/// Callbacks of nlohmann's SAX parser for an array of objects, whose members may be objects.
class Handler {
 public:
  using Json = nlohmann::json;

  explicit Handler(TimelineBuilder& builder) : _builder(builder) {}

  const std::string& syntax_error() const noexcept { return _syntax_error; }
  std::size_t error_position() const noexcept { return _error_position; }

  bool null() { return value("null"); }
  bool boolean(bool /*value*/) { return value("true or false"); }
  bool number_integer(Json::number_integer_t number) {
    if (!value("a number")) return false;
    set_integer(number);
    return set_number(static_cast<double>(number));
  }
  bool number_unsigned(Json::number_unsigned_t number) {
    if (!value("a number")) return false;
    set_unsigned(number);
    set_integer(static_cast<std::int64_t>(std::min<std::uint64_t>(number, INT64_MAX)));
    return set_number(static_cast<double>(number));
  }
  bool number_float(Json::number_float_t number, const std::string& /*text*/) {
    return value("a number") && set_number(number);
  }
  bool string(std::string& text) {
    if (!value("a string")) return false;
    if (_depth == 2) {
      if (_path[0] == "name") _event.name = text;
      if (_path[0] == "cat") _event.category = text;
      if (_path[0] == "ph") _event.phase = text;
      if (_path[0] == "id" || _path[0] == "id2") _event.id = text;
    } else if (_depth == 3) {
      if (_path[0] == "id2") _event.id = text;
      if (_path[0] == "args" && _path[1] == "name") _event.text = text;
    }
    return true;
  }
  bool binary(Json::binary_t& /*bytes*/) { return true; }

  bool start_array(std::size_t /*size*/) {
    if (_depth == 1) fail("an array", "an event");
    ++_depth;
    return true;
  }
  bool end_array() {
    --_depth;
    return true;
  }
  bool start_object(std::size_t /*size*/) {
    if (_depth == 0) fail("an object", "an array of events");
    if (_depth == 1) _event.clear();
    ++_depth;
    clear_path();
    return true;
  }
  bool end_object() {
    --_depth;
    clear_path();
    if (_depth == 1) _builder.add(_event, ++_count);
    return true;
  }
  bool key(std::string& name) {
    if (_depth == 2) _path[0].swap(name);
    if (_depth == 3) _path[1].swap(name);
    return true;
  }

  bool parse_error(std::size_t position, const std::string& /*token*/,
                   const nlohmann::detail::exception& error) {
    const std::string_view message = error.what();
    constexpr std::string_view prefix = "parse error at ";
    const std::size_t at = message.find(prefix);
    _syntax_error = at == message.npos ? message : message.substr(at + prefix.size());
    _error_position = position;
    return false;
  }

  std::uint64_t count() const noexcept { return _count; }

 private:
  [[noreturn]] static void fail(const char* found, const char* expected) {
    throw Error(fmt::format("is JSON, but not a timeline of DART_TRACE: {} where {} was expected",
                            found, expected));
  }

  /// Values are allowed in events and their members only.
  bool value(const char* found) const {
    if (_depth == 0) fail(found, "an array of events");
    if (_depth == 1) fail(found, "an event");
    return true;
  }

  void clear_path() {
    if (_depth < 3) _path[1].clear();
  }

  void set_unsigned(std::uint64_t number) {
    if (_depth != 3 || _path[0] != "args") return;
    if (_path[1] == "bytes") _event.nbytes = number;
    if (_path[1] == "units" || _path[1] == "events") _event.count = number;
  }
  void set_integer(std::int64_t number) {
    if (_depth == 2 && _path[0] == "pid") _event.pid = number;
    if (_depth == 2 && _path[0] == "tid") _event.tid = number;
    if (_depth == 3 && _path[0] == "args" && _path[1] == "peer")
      _event.peer = static_cast<std::int32_t>(std::clamp<std::int64_t>(number, -1, INT32_MAX));
  }
  bool set_number(double number) {
    if (_depth != 2) return true;
    if (_path[0] == "ts") _event.ts_us = number;
    if (_path[0] == "dur") _event.dur_us = number;
    return true;
  }

  TimelineBuilder& _builder;
  RawEvent _event;
  std::array<std::string, 2> _path;  // keys of the current member and of its current member
  int _depth = 0;
  std::uint64_t _count = 0;
  std::string _syntax_error;
  std::size_t _error_position = 0;
};

[[noreturn]] void report_syntax_error(const Handler& handler, std::uintmax_t size) {
  const std::string& error = handler.syntax_error();
  if (handler.error_position() < size || handler.count() == 0)
    throw Error("is not JSON: at " + error);
  throw Error(fmt::format(
      "is not complete: it ends after {} events without the expected ']'; did the program "
      "terminate before it had written everything? At {}",
      handler.count(), error));
}

Timeline parse(std::istream& file, std::uintmax_t size) {
  if (size == 0) throw Error("is empty, not a timeline of DART_TRACE");
  TimelineBuilder builder;
  Handler handler(builder);
  if (!nlohmann::json::sax_parse(file, &handler)) report_syntax_error(handler, size);
  Timeline timeline = builder.finish();
  if (timeline.units.empty()) throw Error("is a timeline without units");
  return timeline;
}

}  // namespace

Timeline read_timeline(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Error(fmt::format("{} cannot be read: {}", path, std::strerror(errno)));
  if (!std::filesystem::is_regular_file(path)) throw Error(path + " is not a file");
  try {
    return parse(file, std::filesystem::file_size(path));
  } catch (const Error& error) {
    throw Error(path + (std::strncmp(error.what(), "event ", 6) == 0 ? ": " : " ") + error.what());
  }
}

}  // namespace dash::trace
