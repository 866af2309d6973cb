#pragma once

#include <string>

namespace apps {

/// Whether a file can be written: to know it before hours of steps rather than after them. Leaves no
/// new file behind.
/// \param path  empty: none is to be written
/// \throws UserError if not
void check_writable(const std::string& path);

}  // namespace apps
