# Every third-party library, from Debian 12's packages (scripts/setup), under one name each.
# docs/decisions/0001-dependencies.md says why each was chosen.
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
find_package(GTest REQUIRED)
find_package(benchmark REQUIRED)
find_package(yaml-cpp REQUIRED)
include(GoogleTest)

# Boost: Asio and Beast are headers, compiled once (server/runtime/asio_impl.cc, server/http/beast_impl.cc).
find_path(BOOST_INCLUDE boost/version.hpp REQUIRED)
find_library(BOOST_URL boost_url REQUIRED)
add_library(kiln_boost INTERFACE)
target_include_directories(kiln_boost SYSTEM INTERFACE ${BOOST_INCLUDE})
target_compile_definitions(kiln_boost INTERFACE
  BOOST_ASIO_SEPARATE_COMPILATION BOOST_BEAST_SEPARATE_COMPILATION BOOST_ASIO_NO_DEPRECATED
  BOOST_ASIO_DISABLE_BOOST_COROUTINE)
target_link_libraries(kiln_boost INTERFACE Threads::Threads)

add_library(kiln_boost_url INTERFACE)
target_link_libraries(kiln_boost_url INTERFACE kiln_boost ${BOOST_URL})

# RocksDB: the release build where KILN_ROCKSDB names it, otherwise Debian's own binary,
# whose compiled-in assertions find misuse (dev, asan, tsan).
set(KILN_ROCKSDB "" CACHE PATH "Prefix of a release build of RocksDB (scripts/setup makes one)")
add_library(kiln_rocksdb INTERFACE)
if(KILN_ROCKSDB)
  target_include_directories(kiln_rocksdb SYSTEM INTERFACE ${KILN_ROCKSDB}/include)
  target_link_libraries(kiln_rocksdb INTERFACE
    ${KILN_ROCKSDB}/lib/librocksdb.a lz4 zstd Threads::Threads ${CMAKE_DL_LIBS})
else()
  target_link_libraries(kiln_rocksdb INTERFACE rocksdb Threads::Threads)
endif()

pkg_check_modules(SPDLOG REQUIRED IMPORTED_TARGET spdlog)
pkg_check_modules(ICU REQUIRED IMPORTED_TARGET icu-uc icu-i18n)
pkg_check_modules(XXHASH REQUIRED IMPORTED_TARGET libxxhash)
pkg_check_modules(JEMALLOC REQUIRED IMPORTED_TARGET jemalloc)
pkg_check_modules(RE2 REQUIRED IMPORTED_TARGET re2)
pkg_check_modules(PUGIXML REQUIRED IMPORTED_TARGET pugixml)  # Tests only.

find_path(RAPIDJSON_INCLUDE rapidjson/reader.h REQUIRED)
add_library(kiln_rapidjson INTERFACE)
target_include_directories(kiln_rapidjson SYSTEM INTERFACE ${RAPIDJSON_INCLUDE})

find_library(ROARING roaring REQUIRED)
add_library(kiln_roaring INTERFACE)
target_link_libraries(kiln_roaring INTERFACE ${ROARING})
