// Coarrays as in Fortran: every unit has an instance of the variable and can access those of the others.
// dash-example: units=1,3,4
#include <libdash.h>

int main(int argc, char** argv) {
  dash::init(&argc, &argv);
  int wrong = 0;
  {
    const int me = dash::coarray::this_image();
    const int n = static_cast<int>(dash::coarray::num_images());

    dash::Coarray<int> x;  // without an index, x is the caller's instance
    x = me;
    x.sync_all();
    const int neighbour = x((me + 1) % n);
    wrong += neighbour == (me + 1) % n ? 0 : 1;
    dash::Coarray<double[4]> vector;
    for (int i = 0; i < 4; ++i)
      vector[i] = 10 * me + i;
    vector.sync_all();
    wrong += vector(n - 1)[3] == 10 * (n - 1) + 3 ? 0 : 1;
    x.sync_all();

    // The sum over all images, stored in every instance.
    dash::coarray::coreduce(x, dash::plus<int>());
    wrong += static_cast<int>(x) == n * (n - 1) / 2 ? 0 : 1;
    x.sync_all();
  }
  dash::finalize();
  return wrong == 0 ? 0 : 1;
}
