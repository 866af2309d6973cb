#include "input/Pgm.h"

#include <fmt/core.h>

#include <cctype>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <limits>
#include <optional>

#include "common/Error.h"

namespace terrain {

using apps::UserError;

namespace {

constexpr std::size_t max_side = 1u << 20;
constexpr unsigned max_maxval = 65535;

// Reads the tokens of the header. Comments may occur between any two tokens.
class HeaderReader {
 public:
  HeaderReader(std::istream& in, const std::string& path) : _in(in), _path(path) {}

  std::size_t read_number(const char* name, std::size_t max) {
    skip_blanks_and_comments();
    std::optional<std::size_t> value;
    while (std::isdigit(_in.peek()) != 0) {
      const auto digit = static_cast<std::size_t>(_in.get() - '0');
      // Above the bound the value no longer matters, but it must not wrap around.
      value = value.value_or(0) > max ? *value : value.value_or(0) * 10 + digit;
    }
    if (!value) {
      throw UserError(fmt::format(
          "'{}' is not a usable PGM file: the {} in its header is missing or not a number", _path,
          name));
    }
    if (*value < 1 || *value > max) {
      throw UserError(fmt::format("'{}' is not a usable PGM file: its {} must be between 1 and {}",
                                  _path, name, max));
    }
    return *value;
  }

  std::vector<std::string> take_comments() { return std::move(_comments); }

 private:
  void skip_blanks_and_comments() {
    for (;;) {
      const int next = _in.peek();
      if (next == '#') {
        std::string line;
        std::getline(_in, line);
        _comments.push_back(line.substr(1));
      } else if (next != std::istream::traits_type::eof() && std::isspace(next) != 0) {
        _in.get();
      } else {
        return;
      }
    }
  }

  std::istream& _in;
  const std::string& _path;
  std::vector<std::string> _comments;
};

std::size_t bytes_per_sample(unsigned maxval) {
  return maxval > 255 ? 2 : 1;
}

void decode(const std::string& bytes, std::size_t width, std::vector<std::uint16_t>& samples) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
  for (std::size_t i = 0; i < samples.size(); ++i) {
    samples[i] =
        static_cast<std::uint16_t>(width == 2 ? byte(2 * i) << 8 | byte(2 * i + 1) : byte(i));
  }
}

std::string encode(const std::vector<std::uint16_t>& samples, std::size_t width) {
  std::string bytes;
  bytes.reserve(samples.size() * width);
  for (const auto sample : samples) {
    if (width == 2) bytes.push_back(static_cast<char>(sample >> 8));
    bytes.push_back(static_cast<char>(sample & 0xff));
  }
  return bytes;
}

}  // namespace

Pgm read_pgm(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in)
    throw UserError(fmt::format("cannot open the input file '{}': {}", path, std::strerror(errno)));
  char magic[2] = {};
  if (!in.read(magic, 2) || magic[0] != 'P' || magic[1] != '5') {
    throw UserError(
        fmt::format("'{}' is not a raw PGM file: a file that begins with P5 is expected", path));
  }

  HeaderReader header(in, path);
  Pgm image;
  image.cols = header.read_number("width", max_side);
  image.rows = header.read_number("height", max_side);
  image.maxval = static_cast<unsigned>(header.read_number("largest value", max_maxval));
  image.comments = header.take_comments();
  in.get();  // exactly one white-space character separates the header and the samples

  const auto width = bytes_per_sample(image.maxval);
  const auto nsamples = image.rows * image.cols;
  // Check the size before the allocation, so that a wrong header does not cause an allocation of
  // gigabytes.
  const auto begin = in.tellg();
  in.seekg(0, std::ios::end);
  const auto present =
      begin < 0 || in.tellg() < begin ? 0 : static_cast<std::size_t>(in.tellg() - begin);
  if (present < nsamples * width) {
    throw UserError(fmt::format(
        "'{}' is truncated: {} x {} samples need {} bytes after the header, but there are {}", path,
        image.cols, image.rows, nsamples * width, present));
  }
  in.seekg(begin);
  std::string bytes(nsamples * width, '\0');
  if (!in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()))) {
    throw UserError(fmt::format("cannot read the input file '{}': {}", path, std::strerror(errno)));
  }
  image.samples.resize(nsamples);
  decode(bytes, width, image.samples);
  return image;
}

void write_pgm(const std::string& path, const Pgm& image) {
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out << "P5\n";
  for (const auto& comment : image.comments)
    out << '#' << comment << '\n';
  out << image.cols << ' ' << image.rows << '\n' << image.maxval << '\n';
  out << encode(image.samples, bytes_per_sample(image.maxval));
  out.close();
  if (!out)
    throw UserError(
        fmt::format("cannot write the output file '{}': {}", path, std::strerror(errno)));
}

}  // namespace terrain
