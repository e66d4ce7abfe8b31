# kiln_library(NAME storage SRCS a.cc b.cc DEPS fhir kiln_rocksdb)
# One static library per folder: warnings on, includes from the repository root.
function(kiln_library)
  cmake_parse_arguments(A "" "NAME" "SRCS;DEPS;PRIVATE_DEPS" ${ARGN})
  add_library(${A_NAME} STATIC ${A_SRCS})
  target_include_directories(${A_NAME} PUBLIC ${PROJECT_SOURCE_DIR})
  target_link_libraries(${A_NAME} PUBLIC ${A_DEPS} PRIVATE ${A_PRIVATE_DEPS} kiln_warnings)
endfunction()

# kiln_test_binary(NAME x SRCS x_test.cc DEPS storage LABELS e2e [TIMEOUT 60])
# One ctest case for the whole binary, for tests that share something expensive.
function(kiln_test_binary)
  kiln_add_test_executable(${ARGN})
  add_test(NAME ${A_NAME} COMMAND ${A_NAME})
  set_tests_properties(${A_NAME} PROPERTIES LABELS "${A_LABELS}" TIMEOUT ${A_TIMEOUT})
endfunction()

# kiln_test(...), the same: one ctest case per test.
function(kiln_test)
  kiln_add_test_executable(${ARGN})
  gtest_discover_tests(${A_NAME} DISCOVERY_MODE PRE_TEST
    PROPERTIES LABELS "${A_LABELS}" TIMEOUT ${A_TIMEOUT})
endfunction()

macro(kiln_add_test_executable)
  cmake_parse_arguments(A "" "NAME;LABELS;TIMEOUT" "SRCS;DEPS" ${ARGN})
  if(NOT A_TIMEOUT)
    set(A_TIMEOUT 120)
  endif()
  add_executable(${A_NAME} ${A_SRCS})
  target_link_libraries(${A_NAME} PRIVATE ${A_DEPS} kiln_warnings GTest::gtest GTest::gmock GTest::gtest_main)
  target_compile_definitions(${A_NAME} PRIVATE KILN_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
endmacro()

# kiln_benchmark(NAME x SRCS x_bench.cc DEPS storage)
# ctest runs one iteration of each, so that a benchmark cannot rot; figures come from the binary.
function(kiln_benchmark)
  cmake_parse_arguments(A "" "NAME" "SRCS;DEPS" ${ARGN})
  add_executable(${A_NAME} ${A_SRCS})
  target_link_libraries(${A_NAME} PRIVATE ${A_DEPS} kiln_warnings benchmark::benchmark benchmark::benchmark_main)
  target_compile_definitions(${A_NAME} PRIVATE KILN_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  add_test(NAME ${A_NAME} COMMAND ${A_NAME} --benchmark_min_time=0)
  set_tests_properties(${A_NAME} PROPERTIES LABELS bench TIMEOUT 300)
endfunction()
