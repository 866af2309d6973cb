#pragma once

#include "support/Program.h"

namespace kernels {

/// The units of dash::Team::All().
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

/// The main function of a DASH program.
/// @{
int dash_main(int argc, char** argv, const Program& program);
int dash_main(int argc, char** argv, const std::string& name, const Run& run);
/// @}

}  // namespace kernels
