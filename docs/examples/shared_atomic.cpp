// One value for all units: a shared value, and an atomic counter that distributes work items.
// dash-example: units=1,3,4
#include <libdash.h>

int main(int argc, char** argv) {
  dash::init(&argc, &argv);
  int wrong = 0;
  {
    const int units = static_cast<int>(dash::size());
    dash::Shared<double> step(0.5);  // in the memory of unit 0, visible to all units
    wrong += step.get() == 0.5 ? 0 : 1;

    // --8<-- [start:counter]
    // Dynamic distribution of work: each idle unit takes the next item, and each item is taken once.
    constexpr int nitems = 100;
    dash::Shared<dash::Atomic<int>> next_item;
    dash::Array<dash::Atomic<int>> done(nitems);
    dash::barrier();
    for (int item; (item = next_item.get().fetch_add(1)) < nitems;)
      done[item].add(1);
    done.barrier();
    // --8<-- [end:counter]
    for (int item = 0; item < nitems; ++item)
      wrong += done[item].load() == 1 ? 0 : 1;
    wrong += next_item.get().load() == nitems + units ? 0 : 1;
    done.barrier();
  }
  dash::finalize();
  return wrong == 0 ? 0 : 1;
}
