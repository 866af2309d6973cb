#pragma once

#include <stdexcept>

namespace terrain {

/// Wrong use or an unusable file: the text is one sentence for the person who started the program,
/// naming what was given and what is expected.
class UserError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace terrain
