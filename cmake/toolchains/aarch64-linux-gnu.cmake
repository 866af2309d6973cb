# Cross compilation for 64-bit Arm with Debian's g++-aarch64-linux-gnu. CMAKE_SYSROOT is a folder with the arm64
# packages of the libraries; tests/platforms/aarch64.sh makes one. Tests run under qemu-aarch64 if it is installed.
#   cmake -DCMAKE_TOOLCHAIN_FILE=cmake/toolchains/aarch64-linux-gnu.cmake -DCMAKE_SYSROOT=FOLDER ...

set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(libraries "${CMAKE_SYSROOT}/usr/lib/aarch64-linux-gnu")

# Libraries and headers of the target only; programs, such as Python and mpiexec, of the host only.
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_LIBDIR} "${libraries}/pkgconfig:${CMAKE_SYSROOT}/usr/share/pkgconfig")
set(ENV{PKG_CONFIG_SYSROOT_DIR} "${CMAKE_SYSROOT}")

# The compiler wrapper of the host's MPI names the host's libraries.
set(MPI_SKIP_COMPILER_WRAPPER TRUE)
set(MPI_C_LIB_NAMES mpich CACHE STRING "")
set(MPI_C_HEADER_DIR "${CMAKE_SYSROOT}/usr/include/aarch64-linux-gnu/mpich" CACHE PATH "")
set(MPI_mpich_LIBRARY "${libraries}/libmpich.so" CACHE FILEPATH "")

find_program(QEMU_AARCH64 NAMES qemu-aarch64-static qemu-aarch64)
mark_as_advanced(QEMU_AARCH64)
if(QEMU_AARCH64)
  set(CMAKE_CROSSCOMPILING_EMULATOR "${QEMU_AARCH64};-L;${CMAKE_SYSROOT}")
endif()
