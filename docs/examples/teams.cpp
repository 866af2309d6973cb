// Teams: each half of the units allocates its own container, next to one of all units.
// dash-example: units=1,3,4
#include <libdash.h>

int main(int argc, char** argv) {
  dash::init(&argc, &argv);
  int wrong = 0;
  {
    dash::Team& all = dash::Team::All();
    dash::Array<int> results(all.size());

    dash::Team& part = all.split(2);  // contiguous halves; Null if there is only one unit
    dash::Team& team = part.is_null() ? all : part;
    {
      // A container of this half only. The other half works independently.
      dash::Array<int> numbers(10 * team.size(), dash::BLOCKED, team);
      for (int& number : numbers.local)
        number = team.position() == 0 ? 1 : 2;
      numbers.barrier();
      results[all.myid()] = dash::reduce(numbers.begin(), numbers.end(), 0);
    }
    results.barrier();

    const int expected = static_cast<int>(10 * team.size()) * (team.position() == 0 ? 1 : 2);
    wrong += results[all.myid()] == expected ? 0 : 1;
    wrong += team.global_id(team.myid()) == dash::myid() ? 0 : 1;
    results.barrier();
  }
  dash::finalize();
  return wrong == 0 ? 0 : 1;
}
