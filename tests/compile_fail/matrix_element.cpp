// expect: instead of std::pair there is dash::Pair

#include <utility>

#include "dash/Matrix.h"
#include "dash/Pair.h"

#ifdef DASH_CORRECT
using Element = dash::Pair<int, double>;
#else
using Element = std::pair<int, double>;
#endif

void use() {
  dash::Matrix<Element, 2> matrix(10, 20);
  matrix[3][4] = Element(1, 0.5);
}
