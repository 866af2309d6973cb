// Selects the nearest cities: repeatedly finds the smallest element with a user-defined order.
// dash-example: units=1,4
#include <libdash.h>

#include <vector>

namespace {

struct City {
  int id;
  double distance;
};

}  // namespace

int main(int argc, char** argv) {
  dash::init(&argc, &argv);
  int wrong = 0;
  {
    dash::Array<City> cities(50);
    for (std::size_t i = 0; i < cities.lsize(); ++i) {
      const auto id = static_cast<int>(cities.pattern().global(static_cast<long>(i)));
      cities.local[i] = City{id, static_cast<double>(id * 37 % 50)};
    }
    cities.barrier();

    const auto nearer = [](const City& a, const City& b) { return a.distance < b.distance; };
    std::vector<double> nearest;
    for (int round = 0; round < 3; ++round) {
      // Collective; all units receive the same iterator.
      const auto found = dash::min_element(cities.begin(), cities.end(), nearer);
      const City city = *found;
      nearest.push_back(city.distance);
      cities.barrier();
      // The owner excludes the city from the next rounds.
      if (found.is_local()) found.local()->distance = 1000;
      cities.barrier();
    }
    wrong += nearest == std::vector<double>{0, 1, 2} ? 0 : 1;
  }
  dash::finalize();
  return wrong == 0 ? 0 : 1;
}
