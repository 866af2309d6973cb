// The report of LULESH.

#include "mesh/Mesh.h"
#include "mesh/PlainState.h"
#include "report/Report.h"
#include "support/Catch.h"

using namespace lulesh;

TEST_CASE("asymmetry compares the elements of the plane z = 0 with those at swapped x and y") {
  const Mesh mesh({1, 1, 1}, {3, 3, 2}, 0);
  const PlainState state(mesh);
  double* const energy = state.fields().energy;
  const auto set = [&](int x, int y, double value) { energy[mesh.element(x, y, 0)] = value; };
  set(0, 0, 50);
  set(1, 1, 60);
  set(2, 2, 70);
  set(1, 0, 3);
  set(0, 1, 4);
  set(2, 0, 10);
  set(0, 2, 16);
  set(2, 1, 3);
  set(1, 2, 2);
  // Other planes are ignored.
  energy[mesh.element(2, 0, 1)] = 1000;
  const Asymmetry asymmetry = asymmetry_of(mesh, state.fields());
  CHECK(asymmetry.pairs == 3);
  CHECK(asymmetry.largest == 6);
  CHECK(asymmetry.total == 8);
  CHECK(asymmetry.largest_relative == 0.5);

  // Pairs without energy have no relative difference.
  set(1, 2, 0);
  const Asymmetry with_none = asymmetry_of(mesh, state.fields());
  CHECK(with_none.total == 10);
  CHECK(with_none.largest_relative == 0.375);
}
