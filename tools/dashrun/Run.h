#pragma once

#include <string>

#include "Command.h"

namespace dash::run {

/// Runs a command and passes signals on to it.
/// \param timeout_s  seconds after which the command is terminated with all its processes on this host; 0 for none
/// \param program    its name for messages
/// \returns the exit code of the command; 128 + N if signal N has ended it, or if this process has received signal N
///          and the command reports success; 124 after the timeout
/// \throws Error if the command cannot be started
int run(const Command& command, int timeout_s, const std::string& program);

}  // namespace dash::run
