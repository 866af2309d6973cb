// A library to preload: madvise() reports success for MADV_REMOVE, but ignores it, as qemu does.

#include <stddef.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

int madvise(void* address, size_t nbytes, int advice) {
  if (advice == MADV_REMOVE) return 0;
  return (int)syscall(SYS_madvise, address, nbytes, advice);
}
