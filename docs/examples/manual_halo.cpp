// A blur filter on an image that is distributed by rows: copies the neighbours' rows while it computes the
// inner rows. The library's halo module does the same for any stencil, see halo_heat.cpp.
// dash-example: units=1,2,4
#include <libdash.h>

#include <vector>

namespace {

constexpr long cols = 64;
constexpr long rows_each = 6;

void blur(const int* above, const int* row, const int* below, int* out) {
  for (long j = 0; j < cols; ++j) {
    const int west = row[j > 0 ? j - 1 : j];
    const int east = row[j + 1 < cols ? j + 1 : j];
    out[j] = (above[j] + below[j] + west + east + 4 * row[j]) / 8;
  }
}

/// Initial value of a pixel, by global coordinates.
int pixel(long i, long j) {
  return static_cast<int>((i * 31 + j * 17) % 256);
}

}  // namespace

int main(int argc, char** argv) {
  dash::init(&argc, &argv);
  int wrong = 0;
  {
    const long rows = rows_each * static_cast<long>(dash::size());
    dash::NArray<int, 2> image(rows, cols);  // the first dimension is blocked
    dash::NArray<int, 2> blurred(rows, cols);
    dash::generate_with_index(image.begin(), image.end(),
                              [](long i) { return pixel(i / cols, i % cols); });
    dash::barrier();

    const long first = rows_each * dash::myid();
    const long last = first + rows_each;
    std::vector<int> north(cols);
    std::vector<int> south(cols);
    const auto above = image.row(first > 0 ? first - 1 : first);
    const auto below = image.row(last < rows ? last : last - 1);
    auto from_north = dash::copy_async(above.begin(), above.end(), north.data());
    auto from_south = dash::copy_async(below.begin(), below.end(), south.data());

    const int* in = image.lbegin();
    int* out = blurred.lbegin();
    for (long i = 1; i + 1 < rows_each; ++i)
      blur(in + (i - 1) * cols, in + i * cols, in + (i + 1) * cols, out + i * cols);
    from_north.wait();
    from_south.wait();
    blur(north.data(), in, in + cols, out);
    const long end = (rows_each - 1) * cols;
    blur(in + end - cols, in + end, south.data(), out + end);
    dash::barrier();

    for (long i = 1; i + 1 < rows; ++i) {  // each unit verifies a column
      const long j = 1 + dash::myid();
      const int sum = pixel(i - 1, j) + pixel(i + 1, j) + pixel(i, j - 1) + pixel(i, j + 1);
      wrong += blurred(i, j) == (sum + 4 * pixel(i, j)) / 8 ? 0 : 1;
    }
    dash::barrier();
  }
  dash::finalize();
  return wrong == 0 ? 0 : 1;
}
