// expect: this type cannot be sent to another unit

#include <string>

#include "dash/Rpc.h"

struct Person {
  std::string name;

#ifdef DASH_CORRECT
  template <class Archive>
  void serialize(Archive& archive) {
    archive(name);
  }
#endif
};

void use(const Person& person) {
  dash::rpc_ff(
      0, [](const Person&) {}, person);
}
