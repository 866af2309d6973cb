dash_add_kernel_test(ScfTest.cpp SERIAL)
dash_add_kernel_cli(scf)

# The last block is smaller than the others.
dash_add_kernel_runs(scf dynamic OPTIONS --size 16 --block 5 --repeat 2 BASELINES rma shared)
dash_add_kernel_runs(scf static FEW OPTIONS --size 16 --block 4 --schedule static --accumulate
                                            task BASELINES two-sided rma
                                                                                    shared)
dash_add_kernel_runs(scf chunks FEW OPTIONS --size 8 --block 3 --chunk 5 --spin 20 --accumulate task
                     BASELINES rma)
# Runs that end within a chunk: a request for more tasks is then pending, and the next run must not get its
# result.
dash_add_kernel_runs(scf rest FEW OPTIONS --size 8 --block 3 --chunk 5 --repeat 100 BASELINES rma shared)
# Blocks that do not fit into one message.
dash_add_kernel_runs(scf large FEW OPTIONS --size 70 --block 35 --schedule static BASELINES two-sided)
dash_add_kernel_runs(scf no_polls FEW OPTIONS --size 16 --block 5 --repeat 2 --no-polls BASELINES rma)
dash_add_kernel_answer(scf n30 --size 30 --block 7)
dash_add_kernel_answer(scf n32 --size 32 --block 8 --accumulate task)
