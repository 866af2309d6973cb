// Tutorial, chapter 1: units, a shared array, and a barrier between two steps.
// dash-example: units=1,3,4
// --8<-- [start:program]
#include <libdash.h>

#include <cstdio>

int main(int argc, char** argv) {
  // --8<-- [start:units]
  dash::init(&argc, &argv);
  const int me = dash::myid();
  const std::size_t size = dash::size();
  std::printf("Hello from unit %d of %zu\n", me, size);
  // --8<-- [end:units]

  int sum = 0;
  {
    // --8<-- [start:write]
    dash::Array<int> numbers(size);  // one element on each unit
    numbers[me] = 10 * me;           // each unit writes one element
    // --8<-- [end:write]
    // --8<-- [start:read]
    dash::barrier();  // waits until all units have written their elements
    if (me == 0) {
      for (std::size_t i = 0; i < size; ++i)
        sum += numbers[i];  // unit 0 reads the elements of all units
      std::printf("The sum is %d\n", sum);
    }
    // --8<-- [end:read]
    // --8<-- [start:end]
  }  // destroys the array
  dash::finalize();
  // --8<-- [end:end]

  // 0 if the result is right: 10 * (0 + 1 + ... + size - 1)
  return me != 0 || sum == 5 * static_cast<int>(size * (size - 1)) ? 0 : 1;
}
// --8<-- [end:program]
