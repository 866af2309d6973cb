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

/// Selects the progress mode `poll`, unless the environment variable DART_PROGRESS is set: messages
/// progress in calls of the library, not in a thread, which would interrupt the computation. For
/// programs that call the library often enough. \pre DASH is not initialized
void use_polling_progress();

/// The main function of a DASH program.
/// @{
int dash_main(int argc, char** argv, const Program& program);
int dash_main(int argc, char** argv, const std::string& name, const Run& run);
/// @}

}  // namespace kernels
