// expect: the arguments of an Aggregator cannot be views

#include <string>
#include <string_view>

#include "dash/Aggregator.h"

#ifdef DASH_CORRECT
using Text = std::string;
#else
using Text = std::string_view;
#endif

void use() {
  dash::Aggregator<void(Text)> print([](const Text&) {});
  print(0, "text");
}
