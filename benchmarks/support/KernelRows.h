#pragma once

#include <string>
#include <vector>

#include "support/Contests.h"
#include "support/Programs.h"

namespace dash::bench {

/// A kernel of ours, each unit on a core of its own as its twins are, so that one worker is compared
/// with one process. More units than cores are not bound.
ProgramRun kernel_run(const std::string& program, const std::vector<std::string>& arguments,
                      int units = 2);

/// The same where each unit is a node of its own.
ProgramRun between_nodes(ProgramRun run);

/// A kernel with 2 units against its twins by MPI, as all kernels have to be: on one node
/// communication takes at most half the time of the RMA twin's and the total is at least equal to the
/// best twin; where each unit is a node of its own the total is at least 0.97 of it. With quick effort
/// on one node only.
/// \param has_communication  whether ours tells communication apart
/// \param vias               those of the twins that can do the same
void add_kernel_rows(Contests& contests, const std::string& what, const std::string& size,
                     const std::string& program, const std::vector<std::string>& arguments,
                     bool has_communication = true,
                     const std::vector<std::string>& vias = {"two-sided", "rma", "shared"});

/// Strong scaling on one node: a program with 1, 2, 4 and 8 units against its twin that shares memory
/// and, while each unit has a core of its own, the two-sided one, which would spin through the time
/// slices of others. Rows without a bar, which the page plots over the units. None with quick effort.
/// \param what  with the size of the problem, which is the same for all
void add_scaling_rows(Contests& contests, const std::string& what, const std::string& program,
                      const std::vector<std::string>& arguments);

}  // namespace dash::bench
