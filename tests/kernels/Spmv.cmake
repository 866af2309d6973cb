dash_add_kernel_test(SpmvTest.cpp SERIAL)
dash_add_kernel_cli(spmv)

dash_add_kernel_runs(spmv planes OPTIONS -g 8,8,8 TWINS two-sided rma shared)
# Rows of which some need numbers of two units behind.
dash_add_kernel_runs(spmv rows FEW OPTIONS -g 5,7,3 --split rows --fetch lists TWINS two-sided rma shared)
dash_add_kernel_runs(spmv elements FEW OPTIONS -g 4,4,4 --fetch elements TWINS rma shared)
dash_add_kernel_runs(spmv blocks FEW OPTIONS -g 5,7,3 --block 3 --fetch lists TWINS two-sided rma)
dash_add_kernel_answer(spmv grid16 -g 16,16,16)
dash_add_kernel_answer(spmv grid32 -g 32,32,32)
