// The smallest program: every unit prints its number.
// dash-example: units=1,3
#include <libdash.h>

#include <cstdio>

int main(int argc, char** argv) {
  dash::init(&argc, &argv);

  const auto me = dash::myid();
  std::printf("unit %d of %zu\n", static_cast<int>(me), dash::size());

  // Returns when all units have called it.
  dash::barrier();
  const bool is_valid = me >= 0 && me < static_cast<int>(dash::size());

  dash::finalize();
  return is_valid ? 0 : 1;
}
