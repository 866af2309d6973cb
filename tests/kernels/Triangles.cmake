dash_add_kernel_test(TrianglesTest.cpp SERIAL)
dash_add_kernel_cli(triangles)

dash_add_kernel_runs(triangles cyclic OPTIONS -s 10 BASELINES two-sided rma shared)
dash_add_kernel_runs(triangles block FEW OPTIONS -s 8 --distribution block --order degree BASELINES two-sided rma
                     shared)
dash_add_kernel_runs(triangles dynamic FEW OPTIONS -s 8 --chunk 4 --repeat 2 BASELINES rma shared)
# The lists of each batch are removed from the cache.
dash_add_kernel_runs(triangles uncached FEW OPTIONS -s 8 --cache 0 BASELINES rma)
dash_add_kernel_runs(triangles complete FEW OPTIONS --complete 50 --chunk 1 --cache 0)

dash_add_kernel_answer(triangles scale_12 -s 12)

dash_add_run(
  kernels.triangles.large
  COMMAND triangles -s 14 --order degree
  UNITS 2
  FULL_UNITS 7
  LAYOUTS node nolocal
  LABELS kernels
  SMOKE never)
