# How our own targets are compiled. Third-party headers are SYSTEM and not warned about.
option(KILN_WERROR "Warnings are errors (off for people who only build it)" OFF)
set(KILN_SANITIZE "" CACHE STRING "Sanitizers, as -fsanitize takes them")

find_program(CCACHE ccache)
if(CCACHE)
  set(CMAKE_C_COMPILER_LAUNCHER ${CCACHE})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()

# Release keeps our own FHIR_CHECKs; assert() goes. x86-64-v2 is what RocksDB's CRC wants.
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")
if(CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
  add_compile_options(-march=x86-64-v2)
endif()
add_link_options(-fuse-ld=lld)

add_library(kiln_warnings INTERFACE)
target_compile_options(kiln_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wold-style-cast
  -Wnon-virtual-dtor -Woverloaded-virtual -Wthread-safety -Werror=switch -Werror=unused-result
  $<$<BOOL:${KILN_WERROR}>:-Werror>)

if(KILN_SANITIZE)
  add_compile_options(-fsanitize=${KILN_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=undefined)
  add_link_options(-fsanitize=${KILN_SANITIZE})
endif()
