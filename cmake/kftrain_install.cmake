# Install rules: the libraries with their headers as kftrain::<layer>, the command, and the package config.
include(CMakePackageConfigHelpers)

set(KFTRAIN_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/kftrain CACHE STRING "Where the package config goes")

get_property(kftrain_libraries GLOBAL PROPERTY KFTRAIN_LIBRARIES)
if(BUILD_SHARED_LIBS) # the libraries and the command find each other wherever the tree is moved
  set_target_properties(${kftrain_libraries} PROPERTIES INSTALL_RPATH "$ORIGIN")
  if(TARGET kftrain_cli)
    file(RELATIVE_PATH libraries_from_programs ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
    set_target_properties(kftrain_cli PROPERTIES INSTALL_RPATH "$ORIGIN/${libraries_from_programs}")
  endif()
endif()
install(TARGETS ${kftrain_libraries} EXPORT kftrainTargets
  RUNTIME COMPONENT kftrain_Runtime
  LIBRARY COMPONENT kftrain_Runtime NAMELINK_COMPONENT kftrain_Development
  ARCHIVE COMPONENT kftrain_Development
  FILE_SET public_headers COMPONENT kftrain_Development)
install(EXPORT kftrainTargets NAMESPACE kftrain:: DESTINATION ${KFTRAIN_CMAKE_DIR} COMPONENT kftrain_Development)

# A description for pkg-config: kftrain-NAME for each library, and kftrain for all of them. A program links what static
# libraries use. Shared libraries link it themselves, and their headers include nothing but Boost. It is not listed as
# private either, since pkgconf 1.8 fails without the .pc files of private requirements, even for --cflags.
function(kftrain_pkg_config name description)
  cmake_parse_arguments(A "" "" "REQUIRES;STATIC_REQUIRES;STATIC_LIBS" ${ARGN})
  set(file kftrain-${name})
  set(libs "-L\${libdir} -lkftrain_${name}")
  if(name STREQUAL kftrain)
    set(file kftrain)
    set(libs "")
  endif()
  list(TRANSFORM A_REQUIRES REPLACE "^kftrain.*" "\\0 = ${PROJECT_VERSION}")
  if(NOT BUILD_SHARED_LIBS)
    list(APPEND A_REQUIRES ${A_STATIC_REQUIRES})
    string(JOIN " " libs ${libs} ${A_STATIC_LIBS})
  endif()
  list(JOIN A_REQUIRES ", " requires)
  file(RELATIVE_PATH prefix ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
  string(REGEX REPLACE "/$" "" prefix ${prefix})
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/pkgconfig/${file}.pc @ONLY CONTENT "prefix=\${pcfiledir}/@prefix@
libdir=\${prefix}/@CMAKE_INSTALL_LIBDIR@
includedir=\${prefix}/@CMAKE_INSTALL_INCLUDEDIR@
sandbox_helper=\${prefix}/@CMAKE_INSTALL_LIBEXECDIR@/kftrain/kftrain-sandbox

Name: @file@
Description: @description@; needs C++20
Version: @PROJECT_VERSION@
Requires: @requires@
Libs: @libs@
Cflags: -I\${includedir}
")
  install(FILES ${PROJECT_BINARY_DIR}/pkgconfig/${file}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
    COMPONENT kftrain_Development)
endfunction()
kftrain_pkg_config(core "Training jobs for Kubernetes as data: decode, validate, lint, render, plan"
  STATIC_REQUIRES yaml-0.1 STATIC_LIBS -lboost_json)
kftrain_pkg_config(kube "Client of the Kubernetes API for Asio"
  REQUIRES kftrain-core STATIC_REQUIRES libssl libcrypto STATIC_LIBS -lboost_url -lboost_json -pthread)
kftrain_pkg_config(training "Client of training jobs on Kubernetes" REQUIRES kftrain-kube)
kftrain_pkg_config(control "Kubernetes controllers, leader election and operators of training jobs"
  REQUIRES kftrain-kube)
if(KFTRAIN_BUILD_LOCAL)
  kftrain_pkg_config(local "A Kubernetes cluster in one process"
    REQUIRES kftrain-control STATIC_REQUIRES re2)
  kftrain_pkg_config(kftrain "SDK for training jobs on Kubernetes" REQUIRES kftrain-training kftrain-local)
endif()

# Builds all that is installed and nothing else.
add_custom_target(kftrain_installed DEPENDS ${kftrain_libraries})
foreach(program kftrain_cli kftrain_sandbox)
  if(TARGET ${program})
    add_dependencies(kftrain_installed ${program})
  endif()
endforeach()

# The components that find_package(kftrain COMPONENTS ...) accepts are the libraries by their exported names.
set(KFTRAIN_COMPONENTS "")
foreach(library IN LISTS kftrain_libraries)
  get_target_property(name ${library} EXPORT_NAME)
  list(APPEND KFTRAIN_COMPONENTS ${name})
endforeach()
set(KFTRAIN_HELPER ${CMAKE_INSTALL_LIBEXECDIR}/kftrain/kftrain-sandbox)
configure_package_config_file(cmake/kftrainConfig.cmake.in ${PROJECT_BINARY_DIR}/kftrainConfig.cmake
  INSTALL_DESTINATION ${KFTRAIN_CMAKE_DIR} PATH_VARS KFTRAIN_HELPER NO_SET_AND_CHECK_MACRO)
if(KFTRAIN_BUILD_LOCAL)
  cmake_path(ABSOLUTE_PATH KFTRAIN_CMAKE_DIR BASE_DIRECTORY ${CMAKE_INSTALL_PREFIX} OUTPUT_VARIABLE config_dir)
  file(RELATIVE_PATH helper_from_config ${config_dir} ${CMAKE_INSTALL_FULL_LIBEXECDIR}/kftrain)
  configure_file(cmake/kftrainHelper.cmake.in ${PROJECT_BINARY_DIR}/kftrainHelper.cmake @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/kftrainHelper.cmake DESTINATION ${KFTRAIN_CMAKE_DIR}
    COMPONENT kftrain_Development)
endif()
# While the version is 0.x, a new minor version may break its users; the SOVERSION of the shared libraries changes with
# it.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/kftrainConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/kftrainConfig.cmake ${PROJECT_BINARY_DIR}/kftrainConfigVersion.cmake
  ${PROJECT_SOURCE_DIR}/cmake/FindLibYAML.cmake ${PROJECT_SOURCE_DIR}/cmake/FindRE2.cmake
  DESTINATION ${KFTRAIN_CMAKE_DIR} COMPONENT kftrain_Development)
# Pages and examples keep their places relative to each other, so that links between them work; links to sources do not.
install(FILES ${PROJECT_SOURCE_DIR}/README.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT kftrain_Development)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs ${PROJECT_SOURCE_DIR}/examples DESTINATION ${CMAKE_INSTALL_DOCDIR}
  COMPONENT kftrain_Development)

if(TARGET kftrain_cli)
  install(TARGETS kftrain_cli RUNTIME COMPONENT kftrain_Command)
  kftrain_install_texts_of_command(${CMAKE_INSTALL_DATADIR} COMPONENT kftrain_Command)
endif()

if(KFTRAIN_DEBIAN_PACKAGES)
  include(debian_packages)
else()
  install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT kftrain_Runtime)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/packaging/licenses DESTINATION ${CMAKE_INSTALL_DOCDIR}
    COMPONENT kftrain_Runtime)
  # scripts/sbom.py makes the bill of materials after the build.
  install(FILES ${PROJECT_BINARY_DIR}/kftrain.cdx.json DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT kftrain_Runtime
    OPTIONAL)
endif()
