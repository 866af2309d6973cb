// a[i] is a reference to an element of any unit. A conversion reads the element, an assignment writes it.
// dash-example: units=1,2,4
#include <libdash.h>

namespace {

struct Particle {
  double mass;
  int charge;
};

/// Global references are passed by value.
void neutralize(dash::GlobRef<int> charge) {
  charge = 0;
}

}  // namespace

int main(int argc, char** argv) {
  dash::init(&argc, &argv);
  int wrong = 0;
  {
    dash::Array<int> charges(2 * dash::size());
    dash::Array<Particle> particles(dash::size());
    const auto next = (dash::myid() + 1) % static_cast<int>(dash::size());

    charges[2 * next] = 7;  // two elements of the next unit
    charges[2 * next + 1] = 3;
    swap(charges[2 * next], charges[2 * next + 1]);
    charges[2 * next] += 10;
    auto element = charges[2 * next];  // a reference, not a copy of the value
    const int value = element;
    wrong += value == 13 ? 0 : 1;
    neutralize(charges[2 * next + 1]);

    // Writes one member of a remote struct, and transfers only this member.
    particles[next].member(&Particle::charge) = -1;
    charges.barrier();
    wrong += charges.local[0] == 13 && charges.local[1] == 0 ? 0 : 1;
    wrong += particles.local[0].charge == -1 && particles.local[0].mass == 0 ? 0 : 1;
    charges.barrier();
  }
  dash::finalize();
  return wrong == 0 ? 0 : 1;
}
