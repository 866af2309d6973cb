// A histogram: each unit counts its own keys, then adds its counts to the bins atomically. The owners of
// the bins take no part.
// dash-example: units=1,3,4
#include <libdash.h>

#include <vector>

int main(int argc, char** argv) {
  dash::init(&argc, &argv);
  int wrong = 0;
  {
    constexpr int nbins = 20;
    constexpr std::size_t nkeys = 1000;
    dash::Array<int> keys(nkeys * dash::size());
    dash::Array<dash::Atomic<int>> bins(nbins);
    std::size_t next = 17 + 5 * static_cast<std::size_t>(dash::myid());
    for (int& key : keys.local) {
      next = (next * 1103515245 + 12345) % 2147483648;
      key = static_cast<int>(next >> 16) % nbins;
    }

    std::vector<int> mine(nbins);
    for (const int key : keys.local)
      ++mine[static_cast<std::size_t>(key)];

    for (int bin = 0; bin < nbins; ++bin)
      bins[bin].add(mine[static_cast<std::size_t>(bin)]);
    bins.barrier();

    // Each key was counted exactly once.
    int total = 0;
    for (int bin = 0; bin < nbins; ++bin) {
      const int count = bins[bin].load();
      wrong += count >= mine[static_cast<std::size_t>(bin)] ? 0 : 1;
      total += count;
    }
    wrong += total == static_cast<int>(keys.size()) ? 0 : 1;
    bins.barrier();
  }
  dash::finalize();
  return wrong == 0 ? 0 : 1;
}
