#include "dash/core/CopyKernel.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include "dash/core/Settings.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#if defined(__SANITIZE_ADDRESS__)
#define DASH_CORE_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define DASH_CORE_ASAN 1
#endif
#endif

#if defined(__SANITIZE_THREAD__)
#define DASH_CORE_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define DASH_CORE_TSAN 1
#endif
#endif

#if defined(DASH_CORE_ASAN)
extern "C" void* __asan_region_is_poisoned(void* begin, std::size_t size);
#endif
#if defined(DASH_CORE_TSAN)
extern "C" void __tsan_read_range(void* begin, std::size_t size);
extern "C" void __tsan_write_range(void* begin, std::size_t size);
#endif

namespace dash::core {
namespace {

void copy_cached(void* dst, const void* src, std::size_t n) noexcept {
  if (n > 0) {  // memcpy does not accept null pointers, even for 0 bytes
    std::memcpy(dst, src, n);
  }
}

#if defined(__x86_64__)

// The inner loops copy `n` bytes, a multiple of `step`, to a destination aligned to `alignment`.
// The source need not be aligned. The prefetch distance was found by measurement (docs/decisions). The
// prefetch runs past the end of the source, which is allowed since a prefetch never faults.
constexpr std::size_t alignment = 64;
constexpr std::size_t step = 256;
constexpr std::size_t prefetch_distance = 4096;

using Kernel = void (*)(char* dst, const char* src, std::size_t n) noexcept;

// Into the first level only: each line of the source is used once.
inline void prefetch_ahead(const char* src) noexcept {
  const auto ahead = reinterpret_cast<std::uintptr_t>(src) + prefetch_distance;
  for (std::size_t line = 0; line < step; line += alignment) {
    _mm_prefetch(reinterpret_cast<const char*>(ahead + line), _MM_HINT_NTA);
  }
}

void stream_sse2(char* dst, const char* src, std::size_t n) noexcept {
  for (const char* const end = src + n; src != end; src += step, dst += step) {
    prefetch_ahead(src);
    for (std::size_t half = 0; half < step; half += step / 2) {
      const auto* from = reinterpret_cast<const __m128i*>(src + half);
      auto* to = reinterpret_cast<__m128i*>(dst + half);
      const __m128i a = _mm_loadu_si128(from);
      const __m128i b = _mm_loadu_si128(from + 1);
      const __m128i c = _mm_loadu_si128(from + 2);
      const __m128i d = _mm_loadu_si128(from + 3);
      const __m128i e = _mm_loadu_si128(from + 4);
      const __m128i f = _mm_loadu_si128(from + 5);
      const __m128i g = _mm_loadu_si128(from + 6);
      const __m128i h = _mm_loadu_si128(from + 7);
      _mm_stream_si128(to, a);
      _mm_stream_si128(to + 1, b);
      _mm_stream_si128(to + 2, c);
      _mm_stream_si128(to + 3, d);
      _mm_stream_si128(to + 4, e);
      _mm_stream_si128(to + 5, f);
      _mm_stream_si128(to + 6, g);
      _mm_stream_si128(to + 7, h);
    }
  }
}

__attribute__((target("avx2"))) void stream_avx2(char* dst, const char* src,
                                                 std::size_t n) noexcept {
  for (const char* const end = src + n; src != end; src += step, dst += step) {
    prefetch_ahead(src);
    const auto* from = reinterpret_cast<const __m256i*>(src);
    auto* to = reinterpret_cast<__m256i*>(dst);
    const __m256i a = _mm256_loadu_si256(from);
    const __m256i b = _mm256_loadu_si256(from + 1);
    const __m256i c = _mm256_loadu_si256(from + 2);
    const __m256i d = _mm256_loadu_si256(from + 3);
    const __m256i e = _mm256_loadu_si256(from + 4);
    const __m256i f = _mm256_loadu_si256(from + 5);
    const __m256i g = _mm256_loadu_si256(from + 6);
    const __m256i h = _mm256_loadu_si256(from + 7);
    _mm256_stream_si256(to, a);
    _mm256_stream_si256(to + 1, b);
    _mm256_stream_si256(to + 2, c);
    _mm256_stream_si256(to + 3, d);
    _mm256_stream_si256(to + 4, e);
    _mm256_stream_si256(to + 5, f);
    _mm256_stream_si256(to + 6, g);
    _mm256_stream_si256(to + 7, h);
  }
}

__attribute__((target("avx512f"))) void stream_avx512f(char* dst, const char* src,
                                                       std::size_t n) noexcept {
  for (const char* const end = src + n; src != end; src += step, dst += step) {
    prefetch_ahead(src);
    const __m512i a = _mm512_loadu_si512(src);
    const __m512i b = _mm512_loadu_si512(src + 64);
    const __m512i c = _mm512_loadu_si512(src + 128);
    const __m512i d = _mm512_loadu_si512(src + 192);
    auto* to = reinterpret_cast<__m512i*>(dst);
    _mm512_stream_si512(to, a);
    _mm512_stream_si512(to + 1, b);
    _mm512_stream_si512(to + 2, c);
    _mm512_stream_si512(to + 3, d);
  }
}

struct KernelEntry {
  std::string_view name;
  Kernel kernel;
  bool (*supported)() noexcept;  // by the processor and the operating system
};

// The best one first; every x86-64 processor supports the last one.
constexpr std::array kernels{
    KernelEntry{"avx512f", stream_avx512f,
                []() noexcept { return __builtin_cpu_supports("avx512f") != 0; }},
    KernelEntry{"avx2", stream_avx2, []() noexcept { return __builtin_cpu_supports("avx2") != 0; }},
    KernelEntry{"sse2", stream_sse2, []() noexcept { return true; }},
};

const KernelEntry& chosen_kernel() noexcept {
  static const KernelEntry& chosen = *std::find_if(
      kernels.begin(), kernels.end(), [](const KernelEntry& entry) { return entry.supported(); });
  return chosen;
}

// Reports the accesses to the sanitizers, which do not see streaming stores. Returns false if
// AddressSanitizer would find an error: the caller then uses memcpy, which reports it.
bool report_to_sanitizers([[maybe_unused]] void* dst, [[maybe_unused]] const void* src,
                          [[maybe_unused]] std::size_t n) noexcept {
#if defined(DASH_CORE_TSAN)
  __tsan_read_range(const_cast<void*>(src), n);
  __tsan_write_range(dst, n);
#endif
#if defined(DASH_CORE_ASAN)
  return __asan_region_is_poisoned(dst, n) == nullptr &&
         __asan_region_is_poisoned(const_cast<void*>(src), n) == nullptr;
#else
  return true;
#endif
}

void stream(Kernel kernel, void* dst, const void* src, std::size_t n) noexcept {
  auto* to = static_cast<char*>(dst);
  const auto* from = static_cast<const char*>(src);
  const std::size_t head = -reinterpret_cast<std::uintptr_t>(to) % alignment;
  if (n < head + step || !report_to_sanitizers(dst, src, n)) {
    copy_cached(dst, src, n);
  } else {
    const std::size_t body = (n - head) / step * step;
    const std::size_t tail = n - head - body;
    std::memcpy(to, from, head);
    kernel(to + head, from + head, body);
    std::memcpy(to + head + body, from + head + body, tail);
  }
  // Orders the streaming stores before the store that publishes the copy; nothing else does. Needed for small
  // copies, too: an earlier chunk of the same copy may have used streaming stores.
  _mm_sfence();
}

#endif  // __x86_64__

// For block lengths that are compile-time constants: the compiler copies through registers, without a call.
template <std::size_t blocklen>
void copy_strided_fixed(char* dst, const char* src, std::size_t src_stride, std::size_t dst_stride,
                        std::size_t nblocks) noexcept {
  for (std::size_t i = 0; i < nblocks; ++i) {
    std::memcpy(dst + i * dst_stride, src + i * src_stride, blocklen);
  }
}

}  // namespace

void copy_nontemporal(void* dst, const void* src, std::size_t n) noexcept {
#if defined(__x86_64__)
  stream(chosen_kernel().kernel, dst, src, n);
#else
  copy_cached(dst, src, n);
#endif
}

std::string_view copy_kernel_name() noexcept {
#if defined(__x86_64__)
  return chosen_kernel().name;
#else
  return "memcpy";
#endif
}

bool copy_nontemporal_by([[maybe_unused]] std::string_view kernel, void* dst, const void* src,
                         std::size_t n) noexcept {
#if defined(__x86_64__)
  for (const KernelEntry& entry : kernels) {
    if (entry.name == kernel && entry.supported()) {
      stream(entry.kernel, dst, src, n);
      return true;
    }
  }
#endif
  if (kernel == "memcpy") {
    copy_cached(dst, src, n);
    return true;
  }
  return false;
}

void copy_bytes(void* dst, const void* src, std::size_t n) noexcept {
  if (n >= settings().nontemporal_min) {
    copy_nontemporal(dst, src, n);
  } else {
    copy_cached(dst, src, n);
  }
}

void copy_strided(void* dst, const void* src, std::size_t blocklen, std::size_t src_stride,
                  std::size_t dst_stride, std::size_t nblocks) noexcept {
  if (blocklen == 0 || nblocks == 0) {
    return;
  }
  auto* to = static_cast<char*>(dst);
  const auto* from = static_cast<const char*>(src);
  if (src_stride == blocklen && dst_stride == blocklen) {
    copy_bytes(to, from, blocklen * nblocks);
    return;
  }
  switch (blocklen) {
    case 1:
      return copy_strided_fixed<1>(to, from, src_stride, dst_stride, nblocks);
    case 2:
      return copy_strided_fixed<2>(to, from, src_stride, dst_stride, nblocks);
    case 4:
      return copy_strided_fixed<4>(to, from, src_stride, dst_stride, nblocks);
    case 8:
      return copy_strided_fixed<8>(to, from, src_stride, dst_stride, nblocks);
    case 16:
      return copy_strided_fixed<16>(to, from, src_stride, dst_stride, nblocks);
    case 24:
      return copy_strided_fixed<24>(to, from, src_stride, dst_stride, nblocks);
    case 32:
      return copy_strided_fixed<32>(to, from, src_stride, dst_stride, nblocks);
    case 48:
      return copy_strided_fixed<48>(to, from, src_stride, dst_stride, nblocks);
    case 64:
      return copy_strided_fixed<64>(to, from, src_stride, dst_stride, nblocks);
    case 128:
      return copy_strided_fixed<128>(to, from, src_stride, dst_stride, nblocks);
    default:
      for (std::size_t i = 0; i < nblocks; ++i) {
        copy_bytes(to + i * dst_stride, from + i * src_stride, blocklen);
      }
  }
}

}  // namespace dash::core
