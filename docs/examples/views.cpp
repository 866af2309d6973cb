// View expressions on an array: sub, local, index and blocks, as nested calls or chained with |.
// dash-example: units=1,2,4
#include <libdash.h>

#include <cstdio>

int main(int argc, char** argv) {
  dash::init(&argc, &argv);
  int wrong = 0;
  {
    // --8<-- [start:overview]
    dash::Array<int> array(40, dash::BLOCKCYCLIC(3));
    for (int& element : array | dash::sub(10, 30) | dash::local())
      element = 1;                                                            // native memory
    const auto indices = dash::index(dash::local(dash::sub(10, 30, array)));  // in local memory
    // --8<-- [end:overview]
    wrong += indices.size() <= array.lsize() ? 0 : 1;
    for (std::size_t i = 0; i < array.lsize(); ++i)
      array.local[i] = static_cast<int>(array.pattern().global(static_cast<long>(i)));
    array.barrier();

    const auto middle = dash::sub(10, 30, array);  // copies and computes nothing
    wrong += middle.size() == 20 && middle[0] == 10 ? 0 : 1;

    // The caller's elements of the view, their local indices and their global indices.
    const auto mine = dash::local(middle);
    const auto in_memory = dash::index(mine);
    const auto in_array = in_memory.global();
    for (std::size_t i = 0; i < mine.size(); ++i) {
      const auto n = static_cast<long>(i);
      wrong += mine.begin()[n] == in_array[n] && array.local[in_memory[n]] == in_array[n] ? 0 : 1;
    }

    // The blocks that contain elements of the view. The first and the last one are clipped.
    for (const auto& block : middle | dash::blocks()) {
      const auto of_block = dash::index(block);
      wrong += block.size() <= 3 && of_block.first() >= 10 && of_block.last() < 30 ? 0 : 1;
    }
    const auto third = array | dash::sub(10, 30) | dash::strided(5) | dash::sub(2, 3);
    wrong += third[0] == 20 ? 0 : 1;
    std::printf("unit %d has %zu of the elements 10 to 29\n", static_cast<int>(dash::myid()),
                mine.size());
    array.barrier();
  }
  dash::finalize();
  return wrong == 0 ? 0 : 1;
}
