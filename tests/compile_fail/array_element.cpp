// expect: elements have to be trivially copyable and of standard layout

#include <string>

#include "dash/Array.h"

#ifdef DASH_CORRECT
using Element = char;
#else
using Element = std::string;
#endif

void use(const Element& element) {
  dash::Array<Element> array(10);
  array[3] = element;
  const Element read = array[4];
  array.local[0] = read;
}
