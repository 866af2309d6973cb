// expect: pass one extent for each dimension

#include "dash/Cartesian.h"

#ifdef DASH_CORRECT
const dash::SizeSpec<2> sizes(10, 20);
#else
const dash::SizeSpec<2> sizes(10, 20, 30);
#endif
