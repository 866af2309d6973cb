dash_add_kernel_test(SpmvTest.cpp SERIAL)
dash_add_kernel_cli(spmv)

dash_add_kernel_runs(spmv planes OPTIONS -g 8,8,8 BASELINES two-sided rma shared)
# Some rows depend on two units on the same side.
dash_add_kernel_runs(spmv rows FEW OPTIONS -g 5,7,3 --split rows --fetch lists BASELINES two-sided rma shared)
dash_add_kernel_runs(spmv elements FEW OPTIONS -g 4,4,4 --fetch elements BASELINES rma shared)
dash_add_kernel_runs(spmv blocks FEW OPTIONS -g 5,7,3 --block 3 --fetch lists BASELINES two-sided rma)
dash_add_kernel_answer(spmv grid16 -g 16,16,16)
dash_add_kernel_answer(spmv grid32 -g 32,32,32)
