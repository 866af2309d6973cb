dash_add_kernel_test(IsxTest.cpp SERIAL)
dash_add_kernel_cli(isx)

# Numbers of keys that are not divisible by the number of units, and buckets of unequal width.
dash_add_kernel_runs(isx weak OPTIONS -n 20011 --max-key 1000003 --repeat 3 BASELINES two-sided rma shared)
dash_add_kernel_runs(isx strong FEW OPTIONS --mode strong -n 100003 --max-key 300007)
dash_add_kernel_runs(isx iso FEW OPTIONS --mode iso -n 20000)
dash_add_kernel_runs(isx nas FEW OPTIONS --mode nas --class S --repeat 2 BASELINES two-sided rma shared)
dash_add_kernel_answer(isx nas_w --mode nas --class W)
dash_add_kernel_answer(isx nas_a --mode nas --class A)
