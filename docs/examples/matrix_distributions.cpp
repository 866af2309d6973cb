// Distributions of a matrix: prints the owner of each element for several of them.
// dash-example: units=1,4
#include <libdash.h>

#include <cstdio>
#include <set>

namespace {

int print_owners(const char* name, const dash::Distribution& rows, const dash::Distribution& cols,
                 const dash::TeamSpec<2>& units) {
  constexpr long extent = 12;
  const dash::Pattern<2> pattern(dash::SizeSpec<2>(extent, extent),
                                 dash::DistributionSpec<2>(rows, cols), units);
  // A pattern is a value: each unit can query the elements of all units without communication.
  std::size_t elements = 0;
  for (const int unit : pattern.team())
    elements += pattern.local_size(dash::team_unit_t(unit));
  std::set<int> owners;
  if (dash::myid() == 0) std::printf("%s\n", name);
  for (long i = 0; i < extent; ++i) {
    for (long j = 0; j < extent; ++j) {
      const int owner = pattern.unit_at({i, j});
      owners.insert(owner);
      if (dash::myid() == 0) std::printf(" %d%s", owner, j + 1 == extent ? "\n" : "");
    }
  }
  return elements == extent * extent && owners.size() == units.size() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  dash::init(&argc, &argv);
  const int n = static_cast<int>(dash::size());
  const dash::TeamSpec<2> column(n, 1);
  const dash::TeamSpec<2> row(1, n);
  dash::TeamSpec<2> grid(dash::Team::All());
  grid.balance_extents();

  int wrong = 0;
  wrong += print_owners("BLOCKED, NONE", dash::BLOCKED, dash::NONE, column);
  wrong += print_owners("NONE, CYCLIC", dash::NONE, dash::CYCLIC, row);
  wrong += print_owners("BLOCKED, BLOCKED", dash::BLOCKED, dash::BLOCKED, grid);
  wrong += print_owners("TILE(2), TILE(3)", dash::TILE(2), dash::TILE(3), grid);
  wrong += print_owners("CYCLIC, BLOCKCYCLIC(2)", dash::CYCLIC, dash::BLOCKCYCLIC(2), grid);
  dash::finalize();
  return wrong == 0 ? 0 : 1;
}
