// expect: elements have to be trivially copyable and of standard layout

#include <memory>

#include "dash/Coarray.h"

#ifdef DASH_CORRECT
using Element = int*;
#else
using Element = std::shared_ptr<int>;
#endif

void use() {
  dash::Coarray<Element[5]> coarray;
  coarray[2] = Element();
}
