dash_add_kernel_test(HistogramTest.cpp SERIAL)
dash_add_kernel_cli(histogram)

dash_add_kernel_runs(histogram gather OPTIONS --class S --repeat 2 TWINS two-sided rma shared)
dash_add_kernel_runs(histogram accumulate FEW OPTIONS --class S --by accumulate TWINS rma shared)
# Several locks a unit.
dash_add_kernel_runs(histogram locks FEW OPTIONS --keys 12 --bins 14 --by accumulate TWINS shared)
# Each key is a message to another node.
dash_add_kernel_runs(histogram keys FEW OPTIONS --keys 10 --bins 7 --rounds 3 --by keys TWINS rma)
# Bins of a unit in more than a page, which no number of units divides.
dash_add_kernel_runs(histogram large FEW OPTIONS --keys 16 --bins 18 --rounds 2 TWINS two-sided)
dash_add_kernel_answer(histogram class_a --class A)
