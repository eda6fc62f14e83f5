# cmake -D BUILD=... -D PROJECT=... -D WORK=... -P consumer.cmake: see CMakeLists.txt for the rest.
cmake_minimum_required(VERSION 3.25)
function(run)
  execute_process(COMMAND ${ARGV} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(REMOVE_RECURSE ${WORK})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/staged)
file(RENAME ${WORK}/staged ${WORK}/prefix) # an installed tree can be moved

# No file of the package may point back into the build tree or the place of installation, nor need a library that only
# the build of kftrain needs.
file(GLOB_RECURSE texts ${WORK}/prefix/*.cmake)
foreach(text IN LISTS texts)
  file(READ ${text} content)
  foreach(word ${BUILD} ${WORK} range-v3 CLI11)
    string(FIND "${content}" "${word}" at)
    if(NOT at EQUAL -1)
      message(SEND_ERROR "${text} names ${word}")
    endif()
  endforeach()
endforeach()

foreach(file doc/kftrain/README.md doc/kftrain/docs/index.md doc/kftrain/examples/3_custom_kind/sweep.hpp
    man/man1/kftrain.1 bash-completion/completions/kftrain zsh/site-functions/_kftrain
    fish/vendor_completions.d/kftrain.fish)
  if(NOT EXISTS ${WORK}/prefix/share/${file})
    message(SEND_ERROR "share/${file} is not installed")
  endif()
endforeach()

# While the version is 0.x, each minor version has its own SONAME; from 1.0 on, each major version.
if(NOT IS_STATIC)
  string(REGEX MATCH "^(0[.][0-9]+|[1-9][0-9]*)" soversion ${VERSION})
  foreach(name core kube training control local)
    file(GLOB_RECURSE library ${WORK}/prefix/libkftrain_${name}.so.${VERSION})
    execute_process(COMMAND readelf -d ${library} OUTPUT_VARIABLE dynamic COMMAND_ERROR_IS_FATAL ANY)
    string(REGEX MATCH "SONAME[^\n]*\\[([^]\n]*)" soname "${dynamic}")
    if(NOT CMAKE_MATCH_1 STREQUAL "libkftrain_${name}.so.${soversion}")
      message(SEND_ERROR "expected the SONAME libkftrain_${name}.so.${soversion} of ${library}, got ${CMAKE_MATCH_1}")
    endif()
  endforeach()
endif()

run(${CMAKE_COMMAND} -S ${PROJECT} -B ${WORK}/build -G ${GENERATOR} -D CMAKE_PREFIX_PATH=${WORK}/prefix
  -D CMAKE_CXX_COMPILER=${COMPILER} "-DCMAKE_CXX_FLAGS=${FLAGS}" "-DCMAKE_EXE_LINKER_FLAGS=${LINKER_FLAGS}"
  -D KFTRAIN_VERSION_WANTED=${VERSION} -D KFTRAIN_EXAMPLE=${EXAMPLE})

# Each component alone: a program is linked and run while the command is absent, and for the lower ones also the parts
# that run jobs.
run(${CMAKE_COMMAND} -S ${COMPONENTS} -B ${WORK}/components -G ${GENERATOR} -D CMAKE_PREFIX_PATH=${WORK}/prefix
  -D CMAKE_CXX_COMPILER=${COMPILER} "-DCMAKE_CXX_FLAGS=${FLAGS}" "-DCMAKE_EXE_LINKER_FLAGS=${LINKER_FLAGS}"
  -D KFTRAIN_IS_STATIC=${IS_STATIC})
file(RENAME ${WORK}/prefix/bin ${WORK}/prefix/bin.away)
file(GLOB runners ${WORK}/prefix/lib*/libkftrain_local.* ${WORK}/prefix/lib*/libkftrain_control.*
  ${WORK}/prefix/lib*/*/libkftrain_local.* ${WORK}/prefix/lib*/*/libkftrain_control.*)
if(NOT runners MATCHES "local.*control|control.*local")
  message(SEND_ERROR "expected the libraries local and control below ${WORK}/prefix, got \"${runners}\"")
endif()
foreach(library IN LISTS runners)
  file(RENAME ${library} ${library}.away)
endforeach()
run(${CMAKE_COMMAND} --build ${WORK}/components --target core_only kube_only training_only)
foreach(component core kube training)
  run(${WORK}/components/${component}/${component}_only)
endforeach()

# The same with make and pkg-config, in the moved tree.
file(GLOB_RECURSE modules ${WORK}/prefix/*.pc)
list(LENGTH modules count)
if(NOT count EQUAL 6)
  message(SEND_ERROR "expected six modules for pkg-config, got ${modules}")
endif()
list(GET modules 0 module)
cmake_path(GET module PARENT_PATH folder)
set(ENV{PKG_CONFIG_PATH} ${folder})
file(MAKE_DIRECTORY ${WORK}/make)
cmake_path(GET folder PARENT_PATH libraries)
run(${CMAKE_COMMAND} -E env CXX=${COMPILER} CXXFLAGS=${FLAGS} "LDFLAGS=${LINKER_FLAGS} -Wl,-rpath,${libraries}"
  make -s -C ${WORK}/make -f ${PROJECT}/Makefile VPATH=${PROJECT})
run(${WORK}/make/client_only)
execute_process(COMMAND pkg-config --variable=sandbox_helper kftrain OUTPUT_VARIABLE helper
  OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
if(NOT EXISTS ${helper})
  message(SEND_ERROR "pkg-config says that the sandbox helper is ${helper}, where nothing is")
endif()
foreach(library IN LISTS runners)
  file(RENAME ${library}.away ${library})
endforeach()
run(${CMAKE_COMMAND} --build ${WORK}/components)
foreach(component control local)
  run(${WORK}/components/${component}/${component}_only)
endforeach()
file(RENAME ${WORK}/prefix/bin.away ${WORK}/prefix/bin)

run(${CMAKE_COMMAND} --build ${WORK}/build)
if(GENERATOR STREQUAL "Ninja") # which headers the consumers read
  foreach(tree build components)
    execute_process(COMMAND ninja -C ${WORK}/${tree} -t deps OUTPUT_VARIABLE headers COMMAND_ERROR_IS_FATAL ANY)
    if(NOT headers MATCHES "/kftrain/version.hpp|/kftrain/base/error.hpp")
      message(SEND_ERROR "expected headers of kftrain among the dependencies of ${WORK}/${tree}, got:\n${headers}")
    endif()
    string(REGEX REPLACE "[^ \n]*/boost/json/(fwd|detail/config)\.hpp" "" headers "${headers}") # forward declarations
    string(REGEX MATCHALL "[^ \n]*/(range/v3|CLI|openssl|boost/beast|boost/json)/[^\n]*" foreign "${headers}")
    if(foreign)
      message(SEND_ERROR "public headers include those of private dependencies: ${foreign}")
    endif()
  endforeach()
endif()
run(${WORK}/build/consumer ${MANIFEST})
run(${WORK}/build/widget_operator)
run(${WORK}/prefix/bin/kftrain render ${MANIFEST} OUTPUT_QUIET)

# The installed examples are a project of their own; one of them is built and run.
run(${CMAKE_COMMAND} -S ${WORK}/prefix/share/doc/kftrain/examples -B ${WORK}/examples -G ${GENERATOR}
  -D CMAKE_PREFIX_PATH=${WORK}/prefix -D CMAKE_CXX_COMPILER=${COMPILER} "-DCMAKE_CXX_FLAGS=${FLAGS}"
  "-DCMAKE_EXE_LINKER_FLAGS=${LINKER_FLAGS}")
run(${CMAKE_COMMAND} --build ${WORK}/examples --target example_03_render)
run(${WORK}/examples/example_03_render OUTPUT_QUIET)

# A local cluster needs the helper, wherever the tree was moved to: the README's program, and the command.
foreach(program ${WORK}/build/01_submit_and_wait "${WORK}/prefix/bin/kftrain;run")
  execute_process(COMMAND ${program} ${LIGHT} OUTPUT_VARIABLE output COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
  if(NOT output MATCHES "light from light-master-0" OR NOT output MATCHES "light Succeeded\n$")
    message(SEND_ERROR "${program} did not run the job on a local cluster:\n${output}")
  endif()
endforeach()

# Without the helper, the message lists the searched paths, including the one in the moved tree.
set(helper ${WORK}/prefix/libexec/kftrain/kftrain-sandbox)
file(RENAME ${helper} ${helper}.away)
execute_process(COMMAND ${WORK}/build/01_submit_and_wait ${LIGHT} RESULT_VARIABLE refused OUTPUT_QUIET
  ERROR_VARIABLE message)
file(RENAME ${helper}.away ${helper})
string(FIND "${message}" "the searched places are ${WORK}/build/kftrain-sandbox, " at)
string(FIND "${message}" ", ${helper}" there)
if(refused EQUAL 0 OR at EQUAL -1 OR there EQUAL -1)
  message(SEND_ERROR "without ${helper} the program ended with ${refused} and printed\n${message}")
endif()

# The version file refuses what would not fit: another minor version.
execute_process(COMMAND ${CMAKE_COMMAND} -S ${PROJECT} -B ${WORK}/refused -G ${GENERATOR}
  -D CMAKE_PREFIX_PATH=${WORK}/prefix -D CMAKE_CXX_COMPILER=${COMPILER} -D KFTRAIN_VERSION_WANTED=0.99
  RESULT_VARIABLE refused OUTPUT_QUIET ERROR_QUIET)
if(refused EQUAL 0)
  message(SEND_ERROR "find_package(kftrain 0.99) accepted ${VERSION}")
endif()

# kftrain as a part of the project: static by add_subdirectory(), shared by FetchContent. Here one source is compiled;
# scripts/embed builds and runs the programs.
foreach(way "add_subdirectory;OFF" "FetchContent;ON")
  list(POP_BACK way is_shared)
  run(${CMAKE_COMMAND} -S ${EMBEDDED} -B ${WORK}/${way} -G ${GENERATOR} -D KFTRAIN_SOURCE=${SOURCE} -D WAY=${way}
    -D BUILD_SHARED_LIBS=${is_shared} -D CMAKE_CXX_COMPILER=${COMPILER} "-DCMAKE_CXX_FLAGS=${FLAGS}"
    -D CMAKE_DISABLE_FIND_PACKAGE_CLI11=ON -D CMAKE_DISABLE_FIND_PACKAGE_Python3=ON OUTPUT_QUIET)
endforeach()
run(${CMAKE_COMMAND} --build ${WORK}/add_subdirectory --target compile_only)
