# Packages for Debian 12, which scripts/deb makes with CPack: the shared libraries, their headers with pages and
# examples, the command, and the Python package.
set(KFTRAIN_PACKAGE_CONTACT "kftrain authors <noreply@kftrain.invalid>" CACHE STRING "The maintainer of the packages")
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME kftrain)
set(CPACK_PACKAGE_CONTACT ${KFTRAIN_PACKAGE_CONTACT})
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL kftrain_Runtime kftrain_Development kftrain_Command kftrain_Python)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_LIBRARY_OUTPUT_DIRECTORY})
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC) # that of SOURCE_DATE_EPOCH, if it is set
file(WRITE ${PROJECT_BINARY_DIR}/changelog.Debian "kftrain (${PROJECT_VERSION}-1) unstable; urgency=medium

  * kftrain ${PROJECT_VERSION}; docs/changelog.md in libkftrain-dev lists the changes.

 -- ${CPACK_PACKAGE_CONTACT}  ${date}
")
execute_process(COMMAND gzip -9nf ${PROJECT_BINARY_DIR}/changelog.Debian COMMAND_ERROR_IS_FATAL ANY)

# kftrain_debian_package(component NAME ... SECTION ... SUMMARY ... TEXT ...
#                        [DEPENDS ...] [RECOMMENDS ...] [SUGGESTS ...])
macro(kftrain_debian_package component)
  cmake_parse_arguments(A "" "NAME;SECTION;SUMMARY;TEXT;DEPENDS;RECOMMENDS;SUGGESTS" "" ${ARGN})
  string(TOUPPER CPACK_DEBIAN_${component}_ prefix)
  set(${prefix}PACKAGE_NAME ${A_NAME})
  set(${prefix}PACKAGE_SECTION ${A_SECTION})
  set(${prefix}PACKAGE_DEPENDS "${A_DEPENDS}")
  set(${prefix}PACKAGE_RECOMMENDS "${A_RECOMMENDS}")
  set(${prefix}PACKAGE_SUGGESTS "${A_SUGGESTS}")
  set(${prefix}DESCRIPTION "${A_SUMMARY}\n${A_TEXT}")
  install(FILES ${PROJECT_BINARY_DIR}/changelog.Debian.gz ${PROJECT_SOURCE_DIR}/packaging/debian/copyright
    ${PROJECT_BINARY_DIR}/kftrain.cdx.json # the bill of materials, which scripts/deb makes after the build
    DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${A_NAME} COMPONENT ${component})
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/packaging/licenses DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${A_NAME}
    COMPONENT ${component})
endmacro()

set(soversion ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
set(library libkftrain${soversion})
set(same_library "${library} (= ${PROJECT_VERSION}-1)")
foreach(name core kube training control local)
  string(APPEND shlibs "libkftrain_${name} ${soversion} ${library} (>= ${PROJECT_VERSION})\n")
endforeach()
file(WRITE ${PROJECT_BINARY_DIR}/control/shlibs "${shlibs}")
file(WRITE ${PROJECT_BINARY_DIR}/control/triggers "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_KFTRAIN_RUNTIME_PACKAGE_CONTROL_EXTRA
  ${PROJECT_BINARY_DIR}/control/shlibs ${PROJECT_BINARY_DIR}/control/triggers)
kftrain_debian_package(kftrain_Runtime NAME ${library} SECTION libs
  SUMMARY "SDK for training jobs on Kubernetes - shared libraries"
  TEXT "Models and checks of the jobs of Kubeflow Training Operator, MPI Operator,
Volcano and Kubeflow Trainer, an asynchronous Kubernetes client, operators,
and a local cluster in one process.
This package contains the shared libraries and the helper program of local
clusters."
  RECOMMENDS ca-certificates)
kftrain_debian_package(kftrain_Development NAME libkftrain-dev SECTION libdevel
  SUMMARY "SDK for training jobs on Kubernetes - headers, pages and examples"
  TEXT "This package contains what is needed to compile programs in C++20 with
kftrain: headers, the configuration for CMake and pkg-config, the
documentation, and examples."
  DEPENDS "${same_library}, libboost1.81-dev, libboost-json1.81-dev, libboost-url1.81-dev"
  RECOMMENDS "g++ (>= 4:12), cmake (>= 3.25) | pkgconf")
kftrain_debian_package(kftrain_Command NAME kftrain SECTION utils
  SUMMARY "Training jobs for Kubernetes, with and without a cluster"
  TEXT "The command checks, renders, submits, follows and explains the jobs of
Kubeflow Training Operator, MPI Operator, Volcano and Kubeflow Trainer. It
also runs them on this machine, without containers and without Kubernetes."
  DEPENDS "${same_library}" RECOMMENDS "bind9-dnsutils, ca-certificates" SUGGESTS "kubernetes-client, skopeo, umoci")
set(CPACK_DEBIAN_KFTRAIN_PYTHON_PACKAGE_CONTROL_EXTRA
  ${PROJECT_SOURCE_DIR}/packaging/debian/python3-kftrain/postinst
  ${PROJECT_SOURCE_DIR}/packaging/debian/python3-kftrain/prerm)
kftrain_debian_package(kftrain_Python NAME python3-kftrain SECTION python
  SUMMARY "Training jobs on Kubernetes in Python"
  TEXT "Typed models, a blocking and an asynchronous client, a local cluster, and
training of Python functions as jobs. A pytest plugin gives tests an API
server or a local cluster."
  DEPENDS "${same_library}, python3 (>= 3.11), python3 (<< 3.12)" RECOMMENDS "bind9-dnsutils, kftrain"
  SUGGESTS "python3-torch, python3-pytest, skopeo, umoci")
include(CPack)
