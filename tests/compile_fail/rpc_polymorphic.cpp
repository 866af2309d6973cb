// expect: this type cannot be sent to another unit

#include <memory>

#include "dash/Rpc.h"

struct Shape {
  virtual ~Shape() = default;
  double area = 0;

  template <class Archive>
  void serialize(Archive& archive) {
    archive(area);
  }
};
#ifdef DASH_CORRECT
struct Circle final : Shape {};
#else
using Circle = Shape;
#endif

void use(const std::unique_ptr<Circle>& circle) {
  dash::rpc_ff(
      0, [](std::unique_ptr<Circle>) {}, circle);
}
