// A program outside of the build tree: everything comes from the installed copy.

#include <libdash.h>

#include <cstdio>

int main(int argc, char** argv) {
  dash::init(&argc, &argv);
  dash::Array<int> array(10 * dash::size());
  for (auto& element : array.local) {
    element = static_cast<int>(dash::myid());
  }
  array.barrier();

  // Every unit reads an element of its neighbour.
  const auto neighbour = (static_cast<size_t>(dash::myid()) + 1) % dash::size();
  int seen = -1;
  dash::copy_async(array.begin() + static_cast<long>(10 * neighbour),
                   array.begin() + static_cast<long>(10 * neighbour + 1), &seen)
      .wait();
  const bool right = seen == static_cast<int>(neighbour);
  if (!right) {
    std::fprintf(stderr, "unit %d read %d\n", static_cast<int>(dash::myid()), seen);
  }
  array.barrier();
  dash::finalize();
  return right ? 0 : 1;
}
