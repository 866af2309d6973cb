dash_add_test(kernels support SOURCES SupportTest.cpp SERIAL SMOKE never)
target_link_libraries(test_kernels_support PRIVATE kernel_support CLI11::CLI11
                                                   nlohmann_json::nlohmann_json)
