/* A library that some units load, with a function for remote procedure calls. */

int called_library_answer(int n);
int called_library_answer(int n) {
  return n + 42;
}
