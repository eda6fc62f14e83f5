# One function for every compiled target, so that flags and the precompiled header are the same everywhere.
function(kftrain_compile_options target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF DEFINE_SYMBOL "" UNITY_BUILD_MODE GROUP)
  # The precompiled header fits equal flags only, so everything gets -fPIC, and gets it once: CMake gives it to shared
  # libraries. The objects of static and shared libraries are then the same for a compiler cache.
  get_target_property(type ${target} TYPE)
  if(NOT type STREQUAL SHARED_LIBRARY)
    target_compile_options(${target} PRIVATE -fPIC)
  endif()
  set(is_gcc_12 "$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>")
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion
    # g++ 12 reports these two falsely about coroutine frames and constant tables once it optimises
    $<$<CXX_COMPILER_ID:GNU>:-Wno-mismatched-new-delete -Wno-maybe-uninitialized>
    # ... and its version 12 these about `"text" + string` at -O3 (GCC bug 105651)
    "$<$<AND:${is_gcc_12},$<NOT:$<CONFIG:Debug>>>:-Wno-array-bounds;-Wno-restrict>"
    "$<$<AND:${is_gcc_12},$<NOT:$<CONFIG:Debug>>>:-Wno-stringop-overflow;-Wno-stringop-overread>"
    # what one source keeps to itself is no header's where several are compiled together
    $<$<AND:$<CXX_COMPILER_ID:GNU>,$<BOOL:${CMAKE_UNITY_BUILD}>>:-Wno-subobject-linkage>
    $<$<BOOL:${KFTRAIN_WERROR}>:-Werror>)
  target_compile_definitions(${target} PRIVATE BOOST_ASIO_NO_DEPRECATED)
endfunction()

# Builds the header once, as part of kftrain_core, and lends it to every other target.
function(kftrain_use_pch target)
  target_link_libraries(${target} PRIVATE Boost::json) # its definitions reach the header
  if(target STREQUAL kftrain_core)
    target_precompile_headers(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src/pch.hpp)
  else()
    target_precompile_headers(${target} REUSE_FROM kftrain_core)
  endif()
endfunction()

# Chooses which sources of this folder are compiled together if CMAKE_UNITY_BUILD is on, since headers take most of the
# time of a compilation. Sources that describe members define a macro before their first header, so they form groups of
# their own. The tables of a job kind or of conversions precede the sources of their folder instead: a program links
# whole groups, and a program that uses one kind must not link the tables of others.
function(kftrain_unity_groups target)
  foreach(source IN LISTS ARGN)
    file(RELATIVE_PATH group ${PROJECT_SOURCE_DIR}/src ${CMAKE_CURRENT_SOURCE_DIR})
    file(STRINGS ${source} first_line LIMIT_COUNT 1)
    if(first_line MATCHES KFTRAIN_DESCRIBE_MEMBERS)
      if(group MATCHES "^(kinds/|convert)" AND NOT source MATCHES "tables.cpp$")
        string(APPEND group _descriptions)
      elseif(group MATCHES "^(kinds/|convert)")
        string(MAKE_C_IDENTIFIER ${target}_${group}_0 group)
        set_source_files_properties(${source} TARGET_DIRECTORY ${target} PROPERTIES UNITY_GROUP ${group})
        continue()
      elseif(group STREQUAL kinds)
        set(group descriptions_of_kinds) # of all of them
      elseif(source MATCHES "objects_(apps|authorization|discovery|events|jobset|networking|rbac|scheduling|trainer)_")
        set(group descriptions_of_further_apis) # most job kinds need none of these
      else()
        set(group descriptions)
      endif()
    endif()
    string(MAKE_C_IDENTIFIER ${target}_${group} group)
    get_property(count GLOBAL PROPERTY ${group})
    math(EXPR count "${count} + 1")
    set_property(GLOBAL PROPERTY ${group} ${count})
    math(EXPR number "(${count} - 1) / 10")
    set_source_files_properties(${source} TARGET_DIRECTORY ${target} PROPERTIES UNITY_GROUP ${group}_${number})
  endforeach()
endfunction()

# Moves the sources that describe members to the front of the list.
function(kftrain_described_first list)
  set(described "")
  set(others "")
  foreach(source IN LISTS ${list})
    file(STRINGS ${source} first_line LIMIT_COUNT 1)
    if(first_line MATCHES KFTRAIN_DESCRIBE_MEMBERS)
      list(APPEND described ${source})
    else()
      list(APPEND others ${source})
    endif()
  endforeach()
  set(${list} ${described} ${others} PARENT_SCOPE)
endfunction()

# kftrain_library(name LINK ...): a library that users link as kftrain::name. Its files come by kftrain_sources().
function(kftrain_library name)
  cmake_parse_arguments(A "" "" "LINK" ${ARGN})
  add_library(kftrain_${name})
  add_library(kftrain::${name} ALIAS kftrain_${name})
  kftrain_compile_options(kftrain_${name})
  set_target_properties(kftrain_${name} PROPERTIES VERSION ${PROJECT_VERSION}
    SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR} EXPORT_NAME ${name})
  target_sources(kftrain_${name} PUBLIC FILE_SET public_headers TYPE HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR}/include)
  target_include_directories(kftrain_${name} PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(kftrain_${name} ${A_LINK})
  kftrain_use_pch(kftrain_${name})
  set_property(GLOBAL APPEND PROPERTY KFTRAIN_LIBRARIES kftrain_${name})
endfunction()

# Writes a source that defines the tables of the structs that a public header describes, and the special members that
# they declare. The macros of the header name them all, so nothing has to be listed twice.
function(kftrain_write_tables header source)
  set(path ${PROJECT_SOURCE_DIR}/include/kftrain/${header})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${path})
  file(READ ${path} text)
  string(REGEX MATCHALL "namespace [a-z0-9_:]+( {)?|KFTRAIN_DE(SCRIBE|CLARE)[A-Z_]*\\([^,)]+(, [a-z0-9_]+)?" found
    "${text}")
  set(definitions "")
  set(namespace "")
  set(opened "")
  foreach(item IN LISTS found)
    string(REGEX REPLACE "[^(]*\\(" "" arguments "${item}")
    if(item MATCHES "^namespace (kftrain[^ ]*) {")
      set(namespace "::${CMAKE_MATCH_1}")
      continue()
    elseif(item MATCHES "^namespace ([^ ]+) {")
      string(APPEND namespace "::${CMAKE_MATCH_1}")
      continue()
    elseif(item MATCHES "^namespace (.+)") # in the comment at its end
      string(REGEX REPLACE "::${CMAKE_MATCH_1}$" "" namespace "${namespace}")
      continue()
    elseif(NOT namespace STREQUAL opened)
      string(SUBSTRING "${namespace}" 2 -1 name)
      string(APPEND definitions "${close}namespace ${name} {\n")
      set(close "}\n")
      set(opened "${namespace}")
    endif()
    if(item MATCHES "^KFTRAIN_DECLARE_SPECIAL_MEMBERS")
      string(APPEND definitions "KFTRAIN_DEFINE_SPECIAL_MEMBERS(${arguments});\n")
    elseif(item MATCHES "^KFTRAIN_DECLARE_TABLE")
      string(APPEND definitions "KFTRAIN_DEFINE_TABLE(${arguments})\n")
    elseif(item MATCHES "^KFTRAIN_DESCRIBE_RESOURCE")
      string(APPEND definitions "KFTRAIN_RESOURCE_TABLE(${arguments})\n")
    else()
      string(APPEND definitions "KFTRAIN_TABLE(${arguments})\n")
    endif()
  endforeach()
  file(CONFIGURE OUTPUT ${source} @ONLY CONTENT "#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp
#include <kftrain/model/reflect.hpp>
#include <kftrain/${header}>
${definitions}${close}")
endfunction()

# kftrain_sources(name HEADERS ... DESCRIBED ... SOURCES ...): public headers relative to include/kftrain, sources to
# this folder. The structs of the headers in DESCRIBED get their tables without a source of their own.
function(kftrain_sources name)
  cmake_parse_arguments(A "" "" "HEADERS;DESCRIBED;SOURCES" ${ARGN})
  list(TRANSFORM A_SOURCES PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
  foreach(header IN LISTS A_DESCRIBED)
    string(REGEX REPLACE "[/.]" "_" source ${header})
    set(source ${CMAKE_CURRENT_BINARY_DIR}/${source}_tables.cpp)
    kftrain_write_tables(${header} ${source})
    list(APPEND A_SOURCES ${source})
  endforeach()
  list(APPEND A_HEADERS ${A_DESCRIBED})
  list(TRANSFORM A_HEADERS PREPEND ${PROJECT_SOURCE_DIR}/include/kftrain/)
  kftrain_described_first(A_SOURCES)
  target_sources(kftrain_${name} PRIVATE ${A_SOURCES})
  kftrain_unity_groups(kftrain_${name} ${A_SOURCES})
  target_sources(kftrain_${name} PUBLIC FILE_SET public_headers FILES ${A_HEADERS})
  set_property(GLOBAL APPEND PROPERTY KFTRAIN_PUBLIC_HEADERS ${A_HEADERS})
endfunction()

# kftrain_embed(name file symbol): the text of a file of this folder as `kftrain::embedded::symbol`, a constant
# `std::string_view const` that sources declare themselves.
function(kftrain_embed name file symbol)
  set(path ${CMAKE_CURRENT_SOURCE_DIR}/${file})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${path})
  file(READ ${path} text)
  set(source ${CMAKE_CURRENT_BINARY_DIR}/embedded_${symbol}.cpp)
  file(CONFIGURE OUTPUT ${source} @ONLY CONTENT "#include <string_view>
namespace kftrain::embedded {
extern std::string_view const @symbol@;
constinit std::string_view const @symbol@ = R\"json(@text@)json\";
} // namespace kftrain::embedded
")
  target_sources(kftrain_${name} PRIVATE ${source})
endfunction()

# kftrain_install_texts_of_command(share ...): the manual page and the completion for shells. The other arguments go to
# install().
function(kftrain_install_texts_of_command share)
  set(packaging ${PROJECT_SOURCE_DIR}/packaging)
  set(manual_page ${packaging}/kftrain.1)
  if(KFTRAIN_DEBIAN_PACKAGES)
    set(manual_page ${PROJECT_BINARY_DIR}/kftrain.1.gz)
    execute_process(COMMAND gzip -9nc ${packaging}/kftrain.1 OUTPUT_FILE ${manual_page} COMMAND_ERROR_IS_FATAL ANY)
  endif()
  install(FILES ${manual_page} DESTINATION ${share}/man/man1 ${ARGN})
  install(FILES ${packaging}/completion/kftrain.bash RENAME kftrain
    DESTINATION ${share}/bash-completion/completions ${ARGN})
  install(FILES ${packaging}/completion/_kftrain DESTINATION ${share}/zsh/site-functions ${ARGN})
  install(FILES ${packaging}/completion/kftrain.fish DESTINATION ${share}/fish/vendor_completions.d ${ARGN})
endfunction()
