#pragma once

#include <string>
#include <vector>

#include "support/ComparisonSet.h"
#include "support/ProgramComparison.h"

namespace dash::bench {

/// A run of a kernel of ours. Each unit is bound to its own core, as in the baselines, so that one worker
/// thread is compared with one process. If there are more units than cores, the units are not bound.
ProgramRun make_kernel_run(const std::string& program, const std::vector<std::string>& arguments,
                           int units = 2);

/// The same run with each unit as a separate node.
ProgramRun on_separate_nodes(ProgramRun run);

/// The same run in a layout and a progress mode, with a time limit of two minutes. If there are more units and progress
/// processes than cores, they are not bound.
ProgramRun with_mode(ProgramRun run, const std::string& layout, const std::string& mode);

/// Compares a kernel on 2 units with its MPI baselines, and adds the rows with the goals of all kernels. On
/// one node, communication takes at most half the time of the RMA baseline's, and the total speed is at
/// least that of the best baseline. With each unit as a separate node the speed is at least 0.97 of the
/// best baseline's; quick sampling omits this part.
/// \param has_communication  whether our kernel reports its communication time
/// \param vias               the exchange methods of the baselines that implement the same variant
void add_kernel_rows(ComparisonSet& comparisons, const std::string& name, const std::string& size,
                     const std::string& program, const std::vector<std::string>& arguments,
                     bool has_communication = true,
                     const std::vector<std::string>& vias = {"two-sided", "rma", "shared"});

/// Adds rows of strong scaling on one node: a program with 1, 2, 4 and 8 units, compared with its
/// shared-memory baseline. Rows in which each unit has its own core are compared with the two-sided
/// baseline, too; with fewer cores, its processes would spin while others need the processor. The
/// rows have no goal; the report plots them over the number of units. With quick sampling, no rows
/// are added.
/// \param name  includes the size of the problem, which is the same for all numbers of units
void add_scaling_rows(ComparisonSet& comparisons, const std::string& name,
                      const std::string& program, const std::vector<std::string>& arguments);

}  // namespace dash::bench
