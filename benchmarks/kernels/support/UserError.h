#pragma once

#include <stdexcept>

namespace kernels {

/// What a person can mend. All units throw the same one at the same place, so all of them end, and
/// unit 0 says why.
class UserError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace kernels
