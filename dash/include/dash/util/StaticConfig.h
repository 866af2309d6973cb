#pragma once

namespace dash::util {

/// The features that the library was built with, as far as they are visible to programs.
struct DashConfigType {
  bool avail_papi;
  bool avail_hwloc;
  bool avail_likwid;
  bool avail_numa;
  bool avail_plasma;
  bool avail_hdf5;
  bool avail_openmp;
  bool avail_mkl;
  bool avail_blas;
  bool avail_lapack;
  bool avail_scalapack;
  bool avail_cuda;
  bool avail_thread_support;
};

// Not inline: its value differs between translation units.
constexpr DashConfigType DashConfig {
  .avail_papi = false, .avail_hwloc = true, .avail_likwid = false, .avail_numa = true,
  .avail_plasma = false, .avail_hdf5 = false,
#if defined(_OPENMP)
  .avail_openmp = true,
#else
  .avail_openmp = false,
#endif
  .avail_mkl = false, .avail_blas = false, .avail_lapack = false, .avail_scalapack = false,
  .avail_cuda = false, .avail_thread_support = true,
};

}  // namespace dash::util
