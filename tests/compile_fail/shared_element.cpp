// expect: elements have to be trivially copyable and of standard layout

#include <vector>

#include "dash/Shared.h"

#ifdef DASH_CORRECT
using Element = int;
#else
using Element = std::vector<int>;
#endif

Element use() {
  dash::Shared<Element> shared;
  shared.set(Element(3));
  return shared.get();
}
