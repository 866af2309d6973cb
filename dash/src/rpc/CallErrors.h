#pragma once

#include <exception>
#include <string>

namespace dash::internal {

/// An exception as it is sent to another unit.
struct CallError {
  std::string type;  // the registered name, or empty
  std::string text;
};

CallError describe_error(const std::exception_ptr& error);
/// An exception of the registered type; exception::Remote if there is none. \param unit  global id of the sender
std::exception_ptr make_error(const CallError& error, int unit);

}  // namespace dash::internal
