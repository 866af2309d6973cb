// An array that is distributed over all units: any unit reads and writes any element.
// dash-example: units=1,2,4
#include <libdash.h>

#include <cstdio>

int main(int argc, char** argv) {
  dash::init(&argc, &argv);
  int wrong = 0;
  {
    dash::Array<int> squares(10 * dash::size());  // equal blocks, initialized with zero

    if (dash::myid() == 0) {
      for (std::size_t i = 0; i < squares.size(); ++i)
        squares[i] = static_cast<int>(i * i);  // the assignment writes to the owner's memory
    }
    squares.barrier();  // after it, all units see what any unit wrote before it

    // Iterators follow the standard library. An access reads the owner's memory.
    int expected_root = 0;
    for (auto element : squares) {
      wrong += element == expected_root * expected_root ? 0 : 1;
      ++expected_root;
    }
    if (dash::myid() == 0) {
      const int last = squares[squares.size() - 1];
      std::printf("%zu elements, the last one %d\n", squares.size(), last);
    }
    squares.barrier();  // no unit may free the array while others read it
  }
  dash::finalize();
  return wrong == 0 ? 0 : 1;
}
