// expect: pass one extent for each dimension

#include "dash/Matrix.h"

void use() {
#ifdef DASH_CORRECT
  dash::Matrix<int, 3> matrix(4, 5, 6);
#else
  dash::Matrix<int, 3> matrix(4, 5);
#endif
}
