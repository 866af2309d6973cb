#pragma once
// Parallel input and output does not exist yet; see docs/reference/compatibility.md. As in a build of DASH 0.4 without
// HDF5, this header defines nothing.
