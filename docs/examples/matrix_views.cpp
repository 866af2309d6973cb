// Parts of a matrix without copies: rows, columns and boxes, of all units or of the caller.
// dash-example: units=1,3,4
#include <libdash.h>

#include <algorithm>
#include <vector>

int main(int argc, char** argv) {
  dash::init(&argc, &argv);
  int wrong = 0;
  {
    const long rows = 4 * static_cast<long>(dash::size());
    dash::NArray<long, 2> matrix(rows, 10, dash::BLOCKED, dash::NONE);
    if (dash::myid() == 0) {
      for (long i = 0; i < rows; ++i) {
        auto row = matrix.row(i);  // a view with one dimension
        for (long j = 0; j < 10; ++j)
          row[j] = 100 * i + j;
      }
    }
    dash::barrier();

    // The caller's rows. Each is a range of native memory.
    const long first_row = 4 * dash::myid();
    for (long i = 0; i < 4; ++i) {
      auto row = matrix.local.row(i);
      wrong += row.lbegin()[9] == 100 * (first_row + i) + 9 ? 0 : 1;
      wrong += std::is_sorted(row.lbegin(), row.lend()) ? 0 : 1;
    }
    // A box: some columns of some rows. Its iterators visit all of its elements.
    auto box = matrix.sub<0>(1, 2).sub<1>(3, 4);
    std::vector<long> values(box.begin(), box.end());
    wrong += values == std::vector<long>{103, 104, 105, 106, 203, 204, 205, 206} ? 0 : 1;

    // The same as a lazy expression, whose local part is native memory.
    for (long& element : matrix | dash::sub<0>(1, rows) | dash::sub<1>(0, 2) | dash::local())
      element = -1;
    dash::barrier();
    wrong += matrix(0, 0) == 0 && matrix(rows - 1, 1) == -1 ? 0 : 1;
    wrong += matrix(rows - 1, 2) == 100 * (rows - 1) + 2 ? 0 : 1;
    dash::barrier();
  }
  dash::finalize();
  return wrong == 0 ? 0 : 1;
}
