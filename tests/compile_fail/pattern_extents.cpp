// expect: pass one extent for each dimension

#include "dash/Pattern.h"

void use() {
#ifdef DASH_CORRECT
  const dash::Pattern<2> pattern(10, 20);
#else
  const dash::Pattern<2> pattern(10, 20, 30);
#endif
  static_cast<void>(pattern.size());
}
