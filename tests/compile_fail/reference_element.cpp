// expect: elements have to be trivially copyable and of standard layout

#include <string>

#include "dash/GlobPtr.h"

#ifdef DASH_CORRECT
using Element = char;
#else
using Element = std::string;
#endif

Element use(dash::GlobPtr<Element> pointer) {
  return *pointer;
}
