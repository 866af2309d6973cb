dash_add_kernel_test(RandomAccessTest.cpp SERIAL)
dash_add_kernel_cli(random_access)

dash_add_kernel_runs(random_access bucketed OPTIONS -m 10 BASELINES two-sided rma shared)
dash_add_kernel_runs(random_access atomic FEW OPTIONS -m 10 --variant atomic BASELINES rma shared)
# (If there are more spinning units than processors, a flush of MPI takes milliseconds.)
dash_add_kernel_runs(random_access get_put FEW OPTIONS -m 16 --updates 12000 --variant get-put BASELINES
                     rma shared)
dash_add_kernel_answer(random_access get_put_long -m 16 --updates 40000 --variant get-put)
# More rounds than batches in flight, two runs, and a number of updates that is not divisible by the number
# of units.
dash_add_kernel_runs(random_access repeated FEW OPTIONS -m 13 --updates 30011 --repeat 2 BASELINES two-sided)
dash_add_kernel_answer(random_access m16 -m 16)
dash_add_kernel_answer(random_access m20 -m 20)
