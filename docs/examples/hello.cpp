// Every unit says who it is. The smallest program: init, finalize, and what is between.
// dash-example: units=1,3
#include <libdash.h>

#include <cstdio>

int main(int argc, char** argv) {
  dash::init(&argc, &argv);

  const auto me = dash::myid();
  std::printf("unit %d of %zu\n", static_cast<int>(me), dash::size());

  // A barrier is passed when all units have come to it.
  dash::barrier();
  const bool right = me >= 0 && me < static_cast<int>(dash::size());

  dash::finalize();
  return right ? 0 : 1;
}
