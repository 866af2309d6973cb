dash_add_kernel_test(MinElementTest.cpp SERIAL)
dash_add_kernel_cli(min_element)

dash_add_kernel_runs(min_element small OPTIONS --elements 10 --calls 30 --repeat 2 BASELINES two-sided
                                                                                        rma shared)
dash_add_kernel_runs(min_element few FEW OPTIONS --elements 4)
