// An array whose elements are spread over all units: any unit reads and writes any element.
// dash-example: units=1,2,4
#include <libdash.h>

#include <cstdio>

int main(int argc, char** argv) {
  dash::init(&argc, &argv);
  int wrong = 0;
  {
    dash::Array<int> squares(10 * dash::size());  // in equal blocks, zero at first

    if (dash::myid() == 0) {
      for (std::size_t i = 0; i < squares.size(); ++i)
        squares[i] = static_cast<int>(i * i);  // an assignment moves the value to where it belongs
    }
    squares.barrier();  // what was written before it is seen by all behind it

    // Iterators are those of the standard library. Reading goes to the owner's memory.
    int expected_root = 0;
    for (auto element : squares) {
      wrong += element == expected_root * expected_root ? 0 : 1;
      ++expected_root;
    }
    if (dash::myid() == 0) {
      const int last = squares[squares.size() - 1];
      std::printf("%zu elements, the last one %d\n", squares.size(), last);
    }
    squares.barrier();  // nobody may free the array while others read
  }
  dash::finalize();
  return wrong == 0 ? 0 : 1;
}
