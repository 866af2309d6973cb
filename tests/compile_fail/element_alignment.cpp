// expect: the memory of containers is aligned to 64 bytes

#include "dash/Array.h"

#ifdef DASH_CORRECT
struct alignas(64) Element {
#else
struct alignas(128) Element {
#endif
  double values[16];
};

void use(const Element& element) {
  dash::Array<Element> array(10);
  array[3] = element;
}
