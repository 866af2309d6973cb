// expect: pass one coordinate for each dimension

#include "dash/Matrix.h"

int use(dash::Matrix<int, 2>& matrix) {
#ifdef DASH_CORRECT
  return matrix(1, 2);
#else
  return matrix(1, 2, 3);
#endif
}
