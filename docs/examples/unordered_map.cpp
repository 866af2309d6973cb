// A distributed hash map: any unit inserts, finds and erases keys of any owner.
// dash-example: units=1,3,4
#include <libdash.h>

namespace {

// --8<-- [start:hasher]
/// Chooses the owner of a key. A hash function for dash is constructed from a team and returns a unit.
class ByRemainder {
 public:
  explicit ByRemainder(dash::Team& team) : _units(static_cast<int>(team.size())) {}
  dash::team_unit_t operator()(int key) const { return dash::team_unit_t(key % _units); }

 private:
  int _units;
};
// --8<-- [end:hasher]

}  // namespace

int main(int argc, char** argv) {
  dash::init(&argc, &argv);
  int wrong = 0;
  {
    const int units = static_cast<int>(dash::size());
    // --8<-- [start:with-hasher]
    dash::UnorderedMap<int, double, ByRemainder> roots(100);
    // --8<-- [end:with-hasher]

    // Keys that no other unit inserts. Other units own most of them.
    for (int i = 0; i < 50; ++i) {
      const int key = 50 * dash::myid() + i;
      roots.insert({key, 0.5 * key});
    }
    roots.barrier();
    wrong += roots.size() == static_cast<std::size_t>(50 * units) ? 0 : 1;

    const int some = (50 * dash::myid() + 77) % (50 * units);
    const auto found = roots.find(some);
    wrong += found != roots.end() && found->second == 0.5 * some ? 0 : 1;
    wrong += roots.insert({some, 0.0}).second ? 1 : 0;  // the key exists
    wrong += roots.find(50 * units) == roots.end() ? 0 : 1;

    // Iterating over the caller's own part needs no communication.
    for (auto it = roots.lbegin(); it != roots.lend(); ++it) {
      const std::pair<const int, double> entry = *it;
      wrong += entry.first % units == dash::myid() ? 0 : 1;
    }
    roots.barrier();
    if (dash::myid() == 0) roots.erase(49);
    roots.barrier();
    wrong += roots.count(49) == 0 ? 0 : 1;
    roots.barrier();
  }
  dash::finalize();
  return wrong == 0 ? 0 : 1;
}
