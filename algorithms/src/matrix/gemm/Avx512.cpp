#include "matrix/gemm/MicroKernel.h"

#if defined(__x86_64__)

namespace dash::internal {

template <>
MicroKernel<double> avx512_kernel() {
  return RegisterTile<double, 64, 12>::kernel();
}
template <>
MicroKernel<float> avx512_kernel() {
  return RegisterTile<float, 64, 12>::kernel();
}

}  // namespace dash::internal

#endif  // __x86_64__
