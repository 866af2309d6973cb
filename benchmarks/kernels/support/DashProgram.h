#pragma once

#include "support/Program.h"

namespace kernels {

/// The units of the library.
class DashWorld final : public World {
 public:
  int unit() const override;
  int units() const override;
  void barrier() override;
  void reduce(std::span<double> values, Reduction reduction) override;
  void reduce(std::span<std::uint64_t> values, Reduction reduction) override;
  bool is_one_node() const override;
  std::string progress() const override;

 private:
  void end_job() override;
};

/// Unless DART_PROGRESS says otherwise, messages are looked after in calls of the library, not by a
/// thread, which would interrupt what the units compute: for programs that call often enough.
void progress_in_calls();

/// The main function of a program on the library.
/// @{
int dash_main(int argc, char** argv, const Program& program);
int dash_main(int argc, char** argv, const std::string& name, const Run& run);
/// @}

}  // namespace kernels
