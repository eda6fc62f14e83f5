# Everything that a program needs beside the C library becomes part of it, so that it runs on other distributions.
# Archives of libyaml and OpenSSL must be position independent, as those of Debian are.
if(BUILD_SHARED_LIBS)
  message(FATAL_ERROR "KFTRAIN_STATIC_DEPS needs BUILD_SHARED_LIBS=OFF")
endif()
set(OPENSSL_USE_STATIC_LIBS ON)
set(CMAKE_FIND_LIBRARY_SUFFIXES .a)
add_compile_options(-ffunction-sections -fdata-sections)
# Equal functions become one: that saves a twentieth.
add_link_options(-static-libstdc++ -fuse-ld=lld LINKER:--gc-sections,--icf=all,-u,arc4random)

# Debian's archives of Boost are not position independent: both libraries are compiled from their headers.
find_package(Boost ${KFTRAIN_BOOST_MIN} CONFIG REQUIRED COMPONENTS headers)
if(NOT KFTRAIN_LIBRARY_TREE)
  foreach(library json url)
    file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/boost_${library}.cpp
      CONTENT "#include <boost/@library@/src.hpp>\n" @ONLY)
    add_library(kftrain_boost_${library} STATIC ${CMAKE_CURRENT_BINARY_DIR}/boost_${library}.cpp)
    add_library(Boost::${library} ALIAS kftrain_boost_${library})
    set_target_properties(kftrain_boost_${library} PROPERTIES EXPORT_NAME boost_${library} POSITION_INDEPENDENT_CODE ON)
    target_compile_features(kftrain_boost_${library} PUBLIC cxx_std_20)
    target_link_libraries(kftrain_boost_${library} PUBLIC Boost::headers)
    set_property(GLOBAL APPEND PROPERTY KFTRAIN_TREE_TARGETS kftrain_boost_${library})
  endforeach()
  target_sources(kftrain_boost_json PRIVATE ${CMAKE_CURRENT_LIST_DIR}/arc4random.cpp) # every program links this one
endif()
