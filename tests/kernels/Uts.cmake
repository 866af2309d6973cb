dash_add_kernel_test(UtsTest.cpp SERIAL)
dash_add_kernel_cli(uts)

dash_add_kernel_runs(uts geometric OPTIONS --depth 7 --repeat 2 BASELINES two-sided rma shared)
dash_add_kernel_runs(uts binomial FEW OPTIONS --tree T3 --roots 60 BASELINES two-sided rma shared)
# Units exchange as many nodes as possible.
dash_add_kernel_runs(uts small_chunks FEW OPTIONS --tree T5 --depth 8 --chunk 1 --interval 1 --repeat 3 BASELINES two-sided
                     rma shared)
dash_add_kernel_runs(uts no_polls FEW OPTIONS --depth 7 --repeat 2 --no-polls BASELINES rma)

dash_add_kernel_answer(uts t1 --tree T1)
dash_add_kernel_answer(uts t2 --tree T2)
dash_add_kernel_answer(uts t3 --tree T3)
