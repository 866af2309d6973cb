// Misuses the memory of a window or of a transfer in the way that the argument names, for a test of
// the simulated network.

#include <fcntl.h>
#include <mpi.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string>

int main(int argc, char** argv) {
  const std::string misuse = argc > 1 ? argv[1] : "";
  constexpr std::size_t nbytes = std::size_t{1} << 20;
  constexpr int writable = PROT_READ | PROT_WRITE;
  MPI_Init(&argc, &argv);
  const int file = ::memfd_create("window", MFD_CLOEXEC);
  if (file < 0 || ::ftruncate(file, nbytes) != 0) return 1;
  void* const memory = ::mmap(nullptr, nbytes, writable, MAP_SHARED, file, 0);
  if (memory == MAP_FAILED) return 1;
  MPI_Win window = MPI_WIN_NULL;
  MPI_Win_create(memory, nbytes / 2, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);

  // The second half is in no window.
  char* const second_half = static_cast<char*>(memory) + nbytes / 2;
  if (::madvise(second_half, nbytes / 2, MADV_REMOVE) != 0) return 1;
  if (misuse == "madvise") ::madvise(memory, 4096, MADV_REMOVE);
  if (misuse == "munmap") ::munmap(memory, nbytes);
  if (misuse == "mmap")
    ::mmap(memory, 4096, writable, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  if (misuse == "fallocate")
    ::fallocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 8192, 4096);
  if (misuse == "ftruncate" && ::ftruncate(file, nbytes / 4) != 0) return 1;

  int rank = 0;
  int size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  void* const buffer = ::mmap(nullptr, nbytes, writable, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (buffer == MAP_FAILED) return 1;
  MPI_Request received = MPI_REQUEST_NULL;
  MPI_Irecv(buffer, 4096, MPI_BYTE, (rank + size - 1) % size, 0, MPI_COMM_WORLD, &received);
  if (misuse == "buffer in flight") ::munmap(buffer, nbytes);
  if (misuse == "free") {
    void* const freed = std::malloc(4096);
    MPI_Request never = MPI_REQUEST_NULL;
    MPI_Irecv(freed, 4096, MPI_BYTE, rank, 1, MPI_COMM_WORLD, &never);
    std::free(freed);
  }
  const char message[4096] = {};
  MPI_Send(message, sizeof message, MPI_BYTE, (rank + 1) % size, 0, MPI_COMM_WORLD);
  MPI_Wait(&received, MPI_STATUS_IGNORE);
  if (::munmap(buffer, nbytes) != 0) return 1;

  MPI_Win_free(&window);
  if (::madvise(memory, nbytes, MADV_REMOVE) != 0) return 1;
  MPI_Finalize();
  // The launcher may mix the output of several processes within a line.
  if (rank == 0) std::puts("no misuse found");
  return 0;
}
