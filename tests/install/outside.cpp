// A program outside of the build tree, which uses the installed copy only.

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
  int value = -1;
  dash::copy_async(array.begin() + static_cast<long>(10 * neighbour),
                   array.begin() + static_cast<long>(10 * neighbour + 1), &value)
      .wait();
  const bool correct = value == static_cast<int>(neighbour);
  if (!correct) {
    std::fprintf(stderr, "unit %d read %d\n", static_cast<int>(dash::myid()), value);
  }
  array.barrier();
  dash::finalize();
  return correct ? 0 : 1;
}
