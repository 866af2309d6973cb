#include <string>

#include "dash/Serialization.h"

namespace dash {

void OutputArchive::throw_no_space(std::size_t nbytes) const {
  throw exception::RuntimeError(
      "a serialization function has written more than when it was called to count the bytes: " +
      std::to_string(nbytes) + " bytes for " + std::to_string(_nbytes - _position) +
      "; it must write the same each time");
}

void InputArchive::throw_too_short(std::uint64_t nbytes) const {
  throw exception::RuntimeError("a message is too short: " + std::to_string(nbytes) +
                                " bytes or elements are expected, but " +
                                std::to_string(remaining()) + " bytes are left");
}

}  // namespace dash
