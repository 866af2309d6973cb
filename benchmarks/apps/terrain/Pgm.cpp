#include "Pgm.h"

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

// Takes the tokens of the header one by one. Comments may stand between any two of them.
class HeaderReader {
 public:
  HeaderReader(std::istream& in, const std::string& path) : _in(in), _path(path) {}

  std::size_t number(const char* what, std::size_t most) {
    skip_blanks_and_comments();
    std::optional<std::size_t> value;
    while (std::isdigit(_in.peek()) != 0) {
      const auto digit = static_cast<std::size_t>(_in.get() - '0');
      // Past the bound the value no longer matters, only that it does not wrap around.
      value = value.value_or(0) > most ? *value : value.value_or(0) * 10 + digit;
    }
    if (!value) {
      throw UserError(fmt::format(
          "'{}' is not a usable PGM file: its header ends or goes wrong where the {} should stand",
          _path, what));
    }
    if (*value < 1 || *value > most) {
      throw UserError(fmt::format(
          "'{}' is not a usable PGM file: its {} has to be between 1 and {}", _path, what, most));
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

std::size_t bytes_a_sample(unsigned maxval) {
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
  image.cols = header.number("width", max_side);
  image.rows = header.number("height", max_side);
  image.maxval = static_cast<unsigned>(header.number("largest value", max_maxval));
  image.comments = header.take_comments();
  in.get();  // exactly one white-space character stands between the header and the samples

  const auto width = bytes_a_sample(image.maxval);
  const auto nsamples = image.rows * image.cols;
  // Measured before the memory is taken, so that a wrong header does not ask for gigabytes.
  const auto begin = in.tellg();
  in.seekg(0, std::ios::end);
  const auto present =
      begin < 0 || in.tellg() < begin ? 0 : static_cast<std::size_t>(in.tellg() - begin);
  if (present < nsamples * width) {
    throw UserError(fmt::format(
        "'{}' is truncated: {} x {} samples need {} bytes after the header, {} are there", path,
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
  out << encode(image.samples, bytes_a_sample(image.maxval));
  out.close();
  if (!out)
    throw UserError(
        fmt::format("cannot write the output file '{}': {}", path, std::strerror(errno)));
}

}  // namespace terrain
