dash_add_kernel_test(ScfTest.cpp SERIAL)
dash_add_kernel_cli(scf)

# The last block is smaller than the others.
dash_add_kernel_runs(scf dynamic OPTIONS --size 16 --block 5 --repeat 2 TWINS rma shared)
dash_add_kernel_runs(scf static FEW OPTIONS --size 16 --block 4 --schedule static --accumulate
                                            task TWINS two-sided rma
                                                                                    shared)
dash_add_kernel_runs(scf chunks FEW OPTIONS --size 8 --block 3 --chunk 5 --spin 20 --accumulate task
                     TWINS rma)
# Runs that end with a part of a chunk: a unit has asked for more tasks by then, which the next run must not
# get.
dash_add_kernel_runs(scf rest FEW OPTIONS --size 8 --block 3 --chunk 5 --repeat 100 TWINS rma shared)
# Blocks of more than a message.
dash_add_kernel_runs(scf large FEW OPTIONS --size 70 --block 35 --schedule static TWINS two-sided)
dash_add_kernel_answer(scf n30 --size 30 --block 7)
dash_add_kernel_answer(scf n32 --size 32 --block 8 --accumulate task)
