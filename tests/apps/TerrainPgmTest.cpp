// dash-test: serial

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "TemporaryFile.h"
#include "common/Error.h"
#include "input/Dem.h"
#include "input/Pgm.h"
#include "support/Catch.h"

namespace {

using apps::UserError;
using terrain::Pgm;
using terrain::test::TemporaryFile;

Pgm read(const std::string& bytes) {
  const TemporaryFile file(".pgm", bytes);
  return terrain::read_pgm(file.path());
}

// The error message of reading these bytes; empty if there is no error.
std::string failure(const std::string& bytes) {
  try {
    read(bytes);
    return "";
  } catch (const UserError& error) {
    return error.what();
  }
}

using namespace std::string_literals;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("pgm: samples of 16 bits are read most significant byte first") {
  const auto image = read("P5 2 1 65535\n\x01\x02\xff\x00"s);
  CHECK(image.cols == 2);
  CHECK(image.rows == 1);
  CHECK(image.samples == std::vector<std::uint16_t>{0x0102, 0xff00});
}

TEST_CASE("pgm: samples of 8 bits are read as they are") {
  const auto image = read("P5\n3 1\n255\n\x00\x7f\xff"s);
  CHECK(image.samples == std::vector<std::uint16_t>{0, 127, 255});
}

TEST_CASE("pgm: comments anywhere in the header are accepted and kept") {
  const auto image = read("P5\n# one\n2 # two\n 1\n#three\n255\n\x01\x02"s);
  CHECK(image.comments == std::vector<std::string>{" one", " two", "three"});
  CHECK(image.samples == std::vector<std::uint16_t>{1, 2});
}

TEST_CASE("pgm: a sample that looks like white space or a comment is a sample") {
  CHECK(read("P5 2 1 255\n #"s).samples == std::vector<std::uint16_t>{' ', '#'});
}

TEST_CASE("pgm: an image that is written and read back is unchanged") {
  const unsigned maxval = GENERATE(1u, 255u, 256u, 65535u);
  Pgm image;
  image.rows = 3;
  image.cols = 5;
  image.maxval = maxval;
  image.comments = {" a comment"};
  for (unsigned i = 0; i < 15; ++i)
    image.samples.push_back(static_cast<std::uint16_t>(i * 7919 % (maxval + 1)));
  const TemporaryFile file(".pgm", "");
  terrain::write_pgm(file.path(), image);
  const auto copy = terrain::read_pgm(file.path());
  CHECK(copy.rows == image.rows);
  CHECK(copy.cols == image.cols);
  CHECK(copy.maxval == image.maxval);
  CHECK(copy.comments == image.comments);
  CHECK(copy.samples == image.samples);
}

TEST_CASE("pgm: an invalid or truncated file is rejected with a reason") {
  CHECK_THAT(failure("P2 1 1 255 7"), ContainsSubstring("raw PGM") && ContainsSubstring("P5"));
  CHECK_THAT(failure(""), ContainsSubstring("raw PGM"));
  CHECK_THAT(failure("P"), ContainsSubstring("raw PGM"));
  CHECK_THAT(failure("P5"), ContainsSubstring("width"));
  CHECK_THAT(failure("P5 3"), ContainsSubstring("height"));
  CHECK_THAT(failure("P5 3 4"), ContainsSubstring("largest value"));
  CHECK_THAT(failure("P5 3 x 255\n"), ContainsSubstring("height"));
  CHECK_THAT(failure("P5 0 4 255\n"),
             ContainsSubstring("width") && ContainsSubstring("between 1 and"));
  CHECK_THAT(failure("P5 3 99999999999999999999999 255\n"),
             ContainsSubstring("height") && ContainsSubstring("between 1 and"));
  CHECK_THAT(failure("P5 1 1 65536\n\x01\x02"),
             ContainsSubstring("largest value") && ContainsSubstring("between 1 and 65535"));
  CHECK_THAT(failure("P5 2 2 65535\n1234567"), ContainsSubstring("truncated") &&
                                                   ContainsSubstring("8 bytes") &&
                                                   ContainsSubstring("there are 7"));
  CHECK_THAT(failure("P5 1000000 1000000 65535\n1"), ContainsSubstring("truncated"));
  CHECK_THAT(failure("P5 1 1 255"), ContainsSubstring("truncated"));
}

TEST_CASE("pgm: a missing file or a folder is rejected with a reason") {
  CHECK_THROWS_WITH(terrain::read_pgm("/nowhere/at/all.pgm"),
                    ContainsSubstring("cannot open") && ContainsSubstring("No such file"));
  CHECK_THROWS_AS(terrain::read_pgm("/"), UserError);
}

TEST_CASE("pgm: writing to an unwritable path is rejected with a reason") {
  CHECK_THROWS_WITH(terrain::write_pgm("/nowhere/at/all.pgm", Pgm{}),
                    ContainsSubstring("cannot write"));
}

TEST_CASE("dem: the cell size is read from the header") {
  using terrain::cell_size_from_comment;
  CHECK(cell_size_from_comment(" metres; cell 0.000833333 deg; north up").value() ==
        Approx(92.6).margin(0.001));
  CHECK(cell_size_from_comment("cell 30 m").value() == 30);
  CHECK(cell_size_from_comment(" elevation in metres; cell 12.5 m; north up").value() == 12.5);
  CHECK_FALSE(cell_size_from_comment("CREATOR: a program"));
  CHECK_FALSE(cell_size_from_comment("cell 30 feet"));
  CHECK_FALSE(cell_size_from_comment("cell -3 m"));
  CHECK_FALSE(cell_size_from_comment("cell"));
}

TEST_CASE("dem: mirrored copies have equal cells at the seam") {
  std::string order;
  for (std::size_t i = 0; i < 12; ++i)
    order += static_cast<char>('0' + terrain::mirrored_index(i, 4));
  CHECK(order == "012332100123");
  CHECK(terrain::mirrored_index(5, 1) == 0);
}

TEST_CASE("dem: written elevations are rounded and clamped to the range of the file format") {
  terrain::Field field(1, 4);
  field.cells = {-3.0, 0.5, 1234.4, 70000.0};
  const TemporaryFile file(".pgm", "");
  terrain::write_dem(file.path(), field, 92.5);
  const auto dem = terrain::read_dem(file.path());
  CHECK(dem.rows == 1);
  CHECK(dem.cols == 4);
  CHECK(dem.cell_size.value() == 92.5);
  CHECK(dem.elevations == std::vector<std::uint16_t>{0, 1, 1234, 65535});
}

}  // namespace
