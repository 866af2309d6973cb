#include "matrix/gemm/MicroKernel.h"

#if defined(__x86_64__)

namespace dash::internal {

template <>
MicroKernel<double> avx2_kernel() {
  return RegisterTile<double, 32, 6>::kernel();
}
template <>
MicroKernel<float> avx2_kernel() {
  return RegisterTile<float, 32, 6>::kernel();
}

}  // namespace dash::internal

#endif  // __x86_64__
