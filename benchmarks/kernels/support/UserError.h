#pragma once

#include <stdexcept>

namespace kernels {

/// An error that the user can fix, such as a wrong option. All units throw the same error at the
/// same point of the program, so all of them end, and unit 0 prints the message.
class UserError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace kernels
