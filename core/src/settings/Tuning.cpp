#include "dash/core/Tuning.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <utility>

#include "dash/Exception.h"

namespace dash::core {
namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r";
  const std::size_t begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

struct Line {
  enum class Kind { nothing, section, value, unreadable };
  Kind kind;
  std::string_view name;  // name of the section or of the setting
  std::string_view value;
};

Line parse_line(std::string_view text) {
  text = trimmed(text);
  if (text.empty() || text.front() == '#') return {Line::Kind::nothing, {}, {}};
  if (text.front() == '[') {
    if (text.back() != ']') return {Line::Kind::unreadable, text, {}};
    return {Line::Kind::section, trimmed(text.substr(1, text.size() - 2)), {}};
  }
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos) return {Line::Kind::unreadable, text, {}};
  return {Line::Kind::value, trimmed(text.substr(0, equals)), trimmed(text.substr(equals + 1))};
}

/// Calls f(number, line) for each line of a text.
template <class F>
void for_each_line(std::string_view text, F f) {
  for (int number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    f(number, text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

std::string processor_model() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("model name")) continue;
    const std::size_t colon = line.find(':');
    if (colon != std::string::npos)
      return std::string(trimmed(std::string_view(line).substr(colon + 1)));
  }
  utsname system{};
  return ::uname(&system) == 0 ? system.machine : "unknown";
}

/// The name in a line "NAME=value".
std::string_view name_in(std::string_view entry) {
  return entry.substr(0, std::min(entry.find('='), entry.size()));
}

/// Resolves symbolic links, including those to files that do not exist.
/// \pre the links do not form a cycle
std::filesystem::path resolve_links(std::filesystem::path file) {
  std::error_code error;
  while (std::filesystem::is_symlink(file, error))
    file = file.parent_path() / std::filesystem::read_symlink(file, error);
  return file;
}

/// \returns 0, or the error code of the call that failed
int write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno != EINTR) return errno;
    text.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(written, 0)));
  }
  // Before the rename: a crash after it could otherwise leave an empty file, and lose the values.
  return ::fsync(descriptor) == 0 ? 0 : errno;
}

/// Replaces a file atomically, since other programs may read it at any time: writes a temporary file with a
/// name that is unique across hosts, in the same folder, then renames it.
void replace_file(const std::filesystem::path& file, std::string_view text) {
  std::error_code error;
  if (file.has_parent_path()) std::filesystem::create_directories(file.parent_path(), error);
  struct ::stat before {};
  const mode_t mode = ::stat(file.c_str(), &before) == 0 ? before.st_mode & 07777 : 0644;
  std::string written = file.string() + ".XXXXXX";
  const int descriptor = ::mkostemp(written.data(), O_CLOEXEC);
  if (descriptor < 0) {
    const int code = errno;
    DASH_THROW(exception::RuntimeError, "cannot create a file in the folder of "
                                            << file.string() << ": " << std::strerror(code));
  }
  int code = write_all(descriptor, text);
  if (code == 0 && ::fchmod(descriptor, mode) != 0) code = errno;
  if (::close(descriptor) != 0 && code == 0) code = errno;
  if (code == 0 && std::rename(written.c_str(), file.c_str()) != 0) code = errno;
  if (code == 0) return;
  std::remove(written.c_str());
  DASH_THROW(exception::RuntimeError,
             "cannot replace " << file.string() << ": " << std::strerror(code));
}

void append_value(std::string& text, std::string_view entry) {
  const std::string_view name = name_in(entry);
  text.append(name).append(" = ").append(entry.substr(std::min(name.size() + 1, entry.size())));
  text += '\n';
}

}  // namespace

std::string tuned_machine(std::string_view mpi) {
  return processor_model() + "; " + std::string(mpi);
}

std::string default_tuning_file() {
  const char* const config = std::getenv("XDG_CONFIG_HOME");
  // The XDG specification requires that relative paths are ignored.
  if (config != nullptr && config[0] == '/') return std::string(config) + "/dash/tuning.conf";
  const char* const home = std::getenv("HOME");
  if (home != nullptr && home[0] == '/') return std::string(home) + "/.config/dash/tuning.conf";
  return {};
}

bool read_file(const std::string& file, std::string& text, std::string& error) {
  // Reading a pipe would block every program until another process writes to it.
  std::error_code unknown;
  if (std::filesystem::is_fifo(file, unknown)) {
    error = "it is a pipe";
    errno = EINVAL;
    return false;
  }
  errno = 0;
  std::FILE* const stream = std::fopen(file.c_str(), "re");
  if (stream != nullptr) {
    std::array<char, 4096> part;
    for (std::size_t n = 1; n != 0;) {
      n = std::fread(part.data(), 1, part.size(), stream);
      text.append(part.data(), n);
    }
    // A folder, for example, can be opened but not read.
    const bool is_read = std::ferror(stream) == 0;
    const int code = errno;
    std::fclose(stream);
    if (is_read) return true;
    errno = code;
  }
  error = std::strerror(errno);
  return false;
}

Tuning parse_tuning(std::string_view text, std::string_view file, std::string_view machine) {
  Tuning tuning;
  tuning.source = std::string(file) + " has no values of " + std::string(machine);
  bool in_section = false;
  bool before_sections = true;
  for_each_line(text, [&](int number, std::string_view line) {
    const Line parsed = parse_line(line);
    const auto mistake = [&](const std::string& what) {
      tuning.mistakes.push_back(std::string(file) + ":" + std::to_string(number) + ": " + what);
    };
    switch (parsed.kind) {
      case Line::Kind::nothing:
        break;
      case Line::Kind::section:
        in_section = parsed.name == machine;
        before_sections = false;
        if (in_section) tuning.source = std::string(file) + ", " + std::string(machine);
        break;
      case Line::Kind::unreadable:
        if (in_section || before_sections) {
          mistake("\"" + std::string(parsed.name) +
                  "\" is neither \"[machine]\" nor \"NAME = value\"; it has no effect");
        }
        break;
      case Line::Kind::value:
        if (before_sections) {
          mistake(std::string(parsed.name) + " precedes the first \"[machine]\"; it has no effect");
        } else if (in_section) {
          const std::string wrong = apply_tuned_value(tuning.settings, parsed.name, parsed.value);
          if (wrong.empty()) {
            tuning.names.emplace_back(parsed.name);
          } else {
            mistake(wrong + "; it has no effect");
          }
        }
        break;
    }
  });
  return tuning;
}

std::string merge_tuning(std::string_view text, std::string_view machine,
                         std::span<const std::string> values) {
  const auto is_replaced = [&](std::string_view name) {
    return std::any_of(values.begin(), values.end(),
                       [&](const std::string& entry) { return name_in(entry) == name; });
  };
  std::string result;
  bool in_section = false;
  bool is_written = false;
  for_each_line(text, [&](int /*number*/, std::string_view line) {
    const Line parsed = parse_line(line);
    if (in_section && parsed.kind == Line::Kind::value && is_replaced(parsed.name)) return;
    result.append(line) += '\n';
    if (parsed.kind != Line::Kind::section) return;
    in_section = parsed.name == machine;
    if (!in_section || is_written) return;
    for (const std::string& entry : values)
      append_value(result, entry);
    is_written = true;
  });
  if (is_written) return result;
  if (result.empty()) result = "# Measured by dash-tune; see docs/reference/settings.md.\n";
  result += "\n[" + std::string(machine) + "]\n";
  for (const std::string& entry : values)
    append_value(result, entry);
  return result;
}

void store_tuning(const std::string& file, std::string_view machine,
                  std::span<const std::string> values) {
  std::string text;
  std::string reason;
  // The file need not exist; but existing values of other machines must not be lost.
  if (!read_file(file, text, reason) && errno != ENOENT && errno != ENOTDIR)
    DASH_THROW(exception::RuntimeError, "cannot read " << file << " to add values: " << reason);
  replace_file(resolve_links(file), merge_tuning(text, machine, values));
}

}  // namespace dash::core
