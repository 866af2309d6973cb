// ISx and NAS IS with DASH: see DashExchange.h.

#include "DashExchange.h"
#include "support/DashProgram.h"

int main(int argc, char** argv) {
  return kernels::dash_main(
      argc, argv, isx::kernel("isx", [](kernels::World&, const std::string&, std::size_t capacity) {
        return std::unique_ptr<isx::Exchange>(std::make_unique<isx::DashExchange>(capacity));
      }));
}
