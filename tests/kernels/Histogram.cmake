dash_add_kernel_test(HistogramTest.cpp SERIAL)
dash_add_kernel_cli(histogram)

dash_add_kernel_runs(histogram gather OPTIONS --class S --repeat 2 BASELINES two-sided rma shared)
dash_add_kernel_runs(histogram accumulate FEW OPTIONS --class S --by accumulate BASELINES rma shared)
# Several locks per unit.
dash_add_kernel_runs(histogram locks FEW OPTIONS --keys 12 --bins 14 --by accumulate BASELINES shared)
# A message to another node for each key.
dash_add_kernel_runs(histogram keys FEW OPTIONS --keys 10 --bins 7 --rounds 3 --by keys BASELINES rma)
# The bins of a unit take more than a page, and the number of bins is not divisible by the number of units.
dash_add_kernel_runs(histogram large FEW OPTIONS --keys 16 --bins 18 --rounds 2 BASELINES two-sided)
dash_add_kernel_answer(histogram class_a --class A)
