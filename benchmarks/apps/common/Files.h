#pragma once

#include <string>

namespace apps {

/// Checks that a file can be written. Programs call it before a long computation whose result they
/// write. Creates no file.
/// \param path  empty: no check
/// \throws UserError if the file cannot be written
void check_writable(const std::string& path);

}  // namespace apps
