// Standard algorithms on global ranges: correct for all elements, fastest on local elements.
// dash-example: units=1,4
#include <libdash.h>

#include <algorithm>
#include <numeric>
#include <vector>

int main(int argc, char** argv) {
  dash::init(&argc, &argv);
  int wrong = 0;
  {
    dash::Array<int> array(16 * dash::size());
    if (dash::myid() == 0) {
      std::iota(array.begin(), array.end(), 0);
      std::reverse(array.begin(), array.end());
    }
    array.barrier();

    const auto size = static_cast<int>(array.size());
    const auto is_even = [](dash::GlobRef<const int> element) { return element % 2 == 0; };
    const dash::Array<int>& constant = array;
    std::vector<int> even;
    std::copy_if(constant.begin(), constant.end(), std::back_inserter(even), is_even);
    wrong += even.size() == array.size() / 2 && even.front() == size - 2 ? 0 : 1;
    wrong += std::all_of(array.begin(), array.end(), [&](int x) { return x < size; }) ? 0 : 1;
    wrong += std::accumulate(array.begin(), array.end(), 0) == size * (size - 1) / 2 ? 0 : 1;
    const auto found = std::find(array.begin(), array.end(), 5);
    wrong += found - array.begin() == size - 6 ? 0 : 1;

    // Local elements are native memory.
    array.barrier();
    std::sort(array.lbegin(), array.lend());
    wrong += std::is_sorted(array.local.begin(), array.local.end()) ? 0 : 1;
    array.barrier();
  }
  dash::finalize();
  return wrong == 0 ? 0 : 1;
}
