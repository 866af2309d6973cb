#pragma once

/// \file
/// Properties of the machine, compiler and build that programs may test with #if.

#define DASH__ARCH__CACHE_LINE_SIZE 64
#define DASH__ARCH__PAGE_SIZE 0x1000

#if defined(__x86_64__)
#define DASH__ARCH__ARCH_X86_64
#define DASH__ARCH__IS_64_BIT
#define DASH__ARCH__HAS_RDTSC
#elif defined(__aarch64__)
#define DASH__ARCH__ARCH_ARM
#define DASH__ARCH__IS_64_BIT
#endif

#if defined(__clang__)
#define DASH_COMPILER_ID "Clang-" __clang_version__
#elif defined(__GNUC__)
#define DASH_COMPILER_ID "GNU-" __VERSION__
#else
#define DASH_COMPILER_ID "unknown"
#endif

#if defined(__linux__)
#define DASH__PLATFORM__LINUX
#endif
#if defined(__unix__)
#define DASH__PLATFORM__POSIX
#define DASH__PLATFORM__UNIX
#endif

#if defined(_OPENMP) && !defined(DASH_ENABLE_OPENMP)
#define DASH_ENABLE_OPENMP
#endif
#ifndef DASH_ENABLE_HWLOC
#define DASH_ENABLE_HWLOC
#endif
#ifndef DASH_ENABLE_THREADSUPPORT
#define DASH_ENABLE_THREADSUPPORT
#endif
#ifndef DASH_MPI_IMPL_ID
#define DASH_MPI_IMPL_ID "mpich"
#endif
#ifndef DART_MPI
#define DART_MPI
#endif
