dash_add_kernel_test(StencilTest.cpp SERIAL)
dash_add_kernel_cli(stencil)

# Runs that end by the tolerance also verify the number of sweeps.
dash_add_kernel_runs(stencil jacobi OPTIONS --rows 100 --cols 37 --tolerance 1e-4 --sweeps 1000
                     BASELINES two-sided rma shared)
dash_add_kernel_runs(stencil red_black FEW OPTIONS --method red-black --start rough --sweeps 100 --repeat 2
                     BASELINES two-sided rma shared)
# Rows of more than a page, and a residual only every fifth sweep.
dash_add_kernel_runs(stencil block_gs FEW OPTIONS --method block-gs --start rough --rows 9 --cols 3000 --sweeps 21
                                              --check-every 5 BASELINES two-sided rma shared)
# 100 and 1000 sweeps of Jacobi, and red-black until the tolerance.
dash_add_kernel_answer(stencil jacobi_100 --rows 100 --cols 37 --sweeps 100)
dash_add_kernel_answer(stencil jacobi_64 --rows 64 --cols 64 --sweeps 1000)
dash_add_kernel_answer(stencil red_black_64 --method red-black --rows 64 --cols 64 --tolerance 1e-4
                       --sweeps 2000)
