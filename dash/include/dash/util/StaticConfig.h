#pragma once

namespace dash::util {

/// The features that the library was built with, as far as they are visible to programs.
/// \ingroup utilities
struct DashConfigType {
  bool avail_papi;            ///< PAPI
  bool avail_hwloc;           ///< hwloc
  bool avail_likwid;          ///< LIKWID
  bool avail_numa;            ///< NUMA domains
  bool avail_plasma;          ///< PLASMA
  bool avail_hdf5;            ///< HDF5
  bool avail_openmp;          ///< OpenMP, in the including source file
  bool avail_mkl;             ///< Intel MKL
  bool avail_blas;            ///< BLAS
  bool avail_lapack;          ///< LAPACK
  bool avail_scalapack;       ///< ScaLAPACK
  bool avail_cuda;            ///< CUDA
  bool avail_thread_support;  ///< calls of several threads
  bool avail_algo_summa;      ///< dash::summa
  bool avail_memkind;         ///< memkind
};

/// The features of this build. Not inline, since avail_openmp differs between translation units.
/// \ingroup utilities
constexpr DashConfigType DashConfig {
  .avail_papi = false, .avail_hwloc = true, .avail_likwid = false, .avail_numa = true,
  .avail_plasma = false, .avail_hdf5 = false,
#if defined(_OPENMP)
  .avail_openmp = true,
#else
  .avail_openmp = false,
#endif
  .avail_mkl = false, .avail_blas = false, .avail_lapack = false, .avail_scalapack = false,
  .avail_cuda = false, .avail_thread_support = true, .avail_algo_summa = true,
  .avail_memkind = false,
};

}  // namespace dash::util
