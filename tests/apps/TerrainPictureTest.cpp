// dash-test: serial

#include <cmath>
#include <fstream>
#include <random>
#include <string>

#include "TemporaryFile.h"
#include "common/Canvas.h"
#include "common/ProgressBar.h"
#include "common/StrokeFont.h"
#include "report/Palette.h"
#include "report/Picture.h"
#include "report/Relief.h"
#include "support/Catch.h"
#include "support/Runner.h"

namespace {

using apps::Canvas;
using apps::Color;
using Catch::Matchers::ContainsSubstring;
using terrain::Field;

Field random_field(std::size_t rows, std::size_t cols) {
  std::mt19937 random(dash::test::seed());
  std::uniform_real_distribution<double> elevation(0, 1000);
  Field field(rows, cols);
  for (auto& z : field.cells)
    z = elevation(random);
  return field;
}

double mean(const Field& field) {
  double sum = 0;
  for (const double z : field.cells)
    sum += z;
  return sum / static_cast<double>(field.cells.size());
}

// A roof whose ridge runs from north to south.
Field roof() {
  Field field(9, 21);
  for (std::size_t r = 0; r < 9; ++r) {
    for (std::size_t c = 0; c < 21; ++c)
      field.at(r, c) = 10 - std::abs(static_cast<double>(c) - 10);
  }
  return field;
}

std::size_t dark_pixels(const Canvas& canvas) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < canvas.pixels().size(); i += 3)
    count += canvas.pixels()[i] < 128 ? 1 : 0;
  return count;
}

TEST_CASE("relief: coarsening keeps the mean, and resampling keeps constants") {
  const auto field = random_field(37, 53);
  CHECK(mean(terrain::resample(field, 10, 7)) == Approx(mean(field)).epsilon(1e-9));
  Field flat(5, 4);
  for (auto& z : flat.cells)
    z = 3;
  for (const double z : terrain::resample(flat, 13, 2).cells)
    CHECK(z == Approx(3));
}

TEST_CASE("relief: resampling to the same extents changes nothing") {
  const auto field = random_field(8, 6);
  const auto same = terrain::resample(field, 8, 6);
  for (std::size_t i = 0; i < field.cells.size(); ++i)
    CHECK(same.cells[i] == Approx(field.cells[i]));
}

TEST_CASE(
    "relief: slopes facing the light are brighter than level ground, other slopes are darker") {
  const auto shade = terrain::hill_shade(roof(), 1, 1);
  const auto level = terrain::hill_shade(Field(3, 3), 1, 1);
  CHECK(shade.at(4, 5) > level.at(1, 1));
  CHECK(shade.at(4, 15) < level.at(1, 1));
}

TEST_CASE("relief: a single row, column or cell has a valid shade") {
  for (const auto& [rows, cols] : {std::pair{1, 1}, std::pair{1, 5}, std::pair{5, 1}}) {
    const Field field(static_cast<std::size_t>(rows), static_cast<std::size_t>(cols));
    for (const double shade : terrain::hill_shade(field, 1, 1).cells)
      CHECK((shade > 0 && shade < 1));
  }
}

TEST_CASE("relief: the local height of a ridge is positive, that of level terrain zero") {
  CHECK(terrain::local_height(roof(), 2).at(4, 10) > 0);
  CHECK(terrain::local_height(Field(5, 5), 2).at(2, 2) == 0);
}

TEST_CASE("relief: the quantile of magnitudes") {
  Field field(1, 5);
  field.cells = {-5, 1, 2, -3, 4};
  CHECK(terrain::magnitude_quantile(field, 0) == 1);
  CHECK(terrain::magnitude_quantile(field, 0.5) == 3);
  CHECK(terrain::magnitude_quantile(field, 1) == 5);
}

TEST_CASE("palette: values outside of the range get the colors of the ends") {
  CHECK(terrain::elevation_color(-1).r == terrain::elevation_color(0).r);
  CHECK(terrain::elevation_color(7).g == terrain::elevation_color(1).g);
  CHECK(terrain::change_color(-9).b == terrain::change_color(-1).b);
  CHECK(terrain::change_color(-1).r > terrain::change_color(1).r);
}

TEST_CASE("canvas: drawing is clipped to the image") {
  Canvas canvas(10, 10, {255, 255, 255});
  canvas.fill_rectangle(-5, -5, 7, 7, {0, 0, 0});
  CHECK(dark_pixels(canvas) == 4);
  canvas.draw_line({{-20, 5}, {30, 5}}, 2, {0, 0, 0});
  CHECK(dark_pixels(canvas) == 4 + 20);
  canvas.draw_line({}, 2, {0, 0, 0});
}

TEST_CASE("font: every character of the font draws pixels, unknown characters draw none") {
  for (const char c : std::string("abcdefghijklmnopqrstuvwxyz0123456789.,+-=:()/%ABCDJNTU")) {
    Canvas canvas(40, 40, {255, 255, 255});
    apps::draw_text(canvas, {12, 28}, 18, std::string(1, c), {0, 0, 0});
    INFO(c);
    CHECK(dark_pixels(canvas) > 3);
  }
  Canvas canvas(40, 40, {255, 255, 255});
  apps::draw_text(canvas, {12, 28}, 18, " \x01", {0, 0, 0});
  CHECK(dark_pixels(canvas) == 0);
  CHECK(apps::text_width(18, "") == 0);
  CHECK(apps::text_width(18, "mm") > apps::text_width(18, "m"));
}

TEST_CASE("picture: the written file has the signature of PNG for terrains of any extents") {
  for (const auto& [rows, cols] : {std::pair{1, 1}, std::pair{900, 3}, std::pair{2, 900}}) {
    auto before = random_field(static_cast<std::size_t>(rows), static_cast<std::size_t>(cols));
    auto after = before;
    for (auto& z : after.cells)
      z *= 0.9;
    const terrain::test::TemporaryFile file(".png", "");
    terrain::write_picture(file.path(), before, after, {92.6, 25, 5.4e6});
    std::ifstream in(file.path(), std::ios::binary);
    std::string head(8, '\0');
    in.read(head.data(), 8);
    CHECK(head == "\x89PNG\r\n\x1a\n");
  }
}

TEST_CASE("picture: a level terrain without any change can be drawn") {
  const terrain::test::TemporaryFile file(".png", "");
  CHECK_NOTHROW(terrain::write_picture(file.path(), Field(20, 20), Field(20, 20), {1, 0, 0}));
}

TEST_CASE("picture: writing to an unwritable path is rejected with a reason") {
  CHECK_THROWS_WITH(apps::write_png("/nowhere/at/all.png", Canvas(2, 2, {})),
                    ContainsSubstring("cannot write"));
}

TEST_CASE("picture: years are formatted with thousand, million and billion") {
  CHECK(terrain::years_in_words(850) == "850 years");
  CHECK(terrain::years_in_words(12500) == "12.5 thousand years");
  CHECK(terrain::years_in_words(42.87e6) == "42.9 million years");
  CHECK(terrain::years_in_words(2e9) == "2 billion years");
}

TEST_CASE("progress bar: the text fits the width and shows the progress") {
  CHECK(apps::bar_text(50, 200, "steps", 40).size() <= 40);
  CHECK_THAT(apps::bar_text(50, 200, "steps", 60),
             ContainsSubstring(" 25 % of 200 steps") && ContainsSubstring("#....."));
  CHECK_THAT(apps::bar_text(200, 200, "steps", 60),
             ContainsSubstring("100 %") && !ContainsSubstring("."));
  CHECK_THAT(apps::bar_text(0, 0, "steps", 10), ContainsSubstring("100 %"));
  CHECK(apps::bar_text(1, 2, "steps", 300).size() < 100);
}

}  // namespace
