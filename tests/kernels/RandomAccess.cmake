dash_add_kernel_test(RandomAccessTest.cpp SERIAL)
dash_add_kernel_cli(random_access)

dash_add_kernel_runs(random_access bucketed OPTIONS -m 10 TWINS two-sided rma shared)
dash_add_kernel_runs(random_access atomic FEW OPTIONS -m 10 --variant atomic TWINS rma shared)
# (MPI's flushes take milliseconds each where more units spin than there are processors.)
dash_add_kernel_runs(random_access get_put FEW OPTIONS -m 16 --updates 12000 --variant get-put TWINS
                     rma shared)
dash_add_kernel_answer(random_access get_put_long -m 16 --updates 40000 --variant get-put)
# More rounds than places of batches, twice, with words that no number of units divides.
dash_add_kernel_runs(random_access repeated FEW OPTIONS -m 13 --updates 30011 --repeat 2 TWINS two-sided)
dash_add_kernel_answer(random_access m16 -m 16)
dash_add_kernel_answer(random_access m20 -m 20)
