// Calls MPI from a thread that must not call it at a low level of thread support. The argument selects the call:
//   none     only the main thread calls MPI
//   other    a second thread calls MPI, while the main thread waits for it outside of MPI
//   at-once  a second thread calls MPI while the main thread is inside MPI

#include <mpi.h>

#include <chrono>
#include <cstdio>
#include <string_view>
#include <thread>

int main(int argc, char** argv) {
  const std::string_view misuse = argc == 2 ? argv[1] : "none";
  int level = MPI_THREAD_SINGLE;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  int queried = MPI_THREAD_MULTIPLE;
  MPI_Query_thread(&queried);
  if (queried != level || level == MPI_THREAD_MULTIPLE) {
    std::printf("the levels are %d (MPI_Init_thread) and %d (MPI_Query_thread)\n", level, queried);
    return 1;
  }
  int value = 1;
  const auto send = [&] { MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_SELF); };
  const auto receive = [] {
    int received = 0;
    MPI_Recv(&received, 1, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
  };
  if (misuse == "at-once") {
    std::thread other([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      send();
    });
    receive();
    other.join();
  } else {
    int size = 0;
    if (misuse == "other") std::thread([&] { MPI_Comm_size(MPI_COMM_WORLD, &size); }).join();
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Finalize();
  std::printf("no misuse was found\n");
}
