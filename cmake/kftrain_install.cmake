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

if(TARGET kftrain_cli)
  install(TARGETS kftrain_cli RUNTIME COMPONENT kftrain_Runtime)
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
# While the version is 0.x, a new minor version may break its users; the shared libraries' SOVERSION says the same.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/kftrainConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/kftrainConfig.cmake ${PROJECT_BINARY_DIR}/kftrainConfigVersion.cmake
  ${PROJECT_SOURCE_DIR}/cmake/FindLibYAML.cmake ${PROJECT_SOURCE_DIR}/cmake/FindRE2.cmake
  DESTINATION ${KFTRAIN_CMAKE_DIR} COMPONENT kftrain_Development)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT kftrain_Runtime)

# Pages and examples keep their places relative to each other, so that links between them work; links to sources do not.
install(FILES ${PROJECT_SOURCE_DIR}/README.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT kftrain_Documentation)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs ${PROJECT_SOURCE_DIR}/examples DESTINATION ${CMAKE_INSTALL_DOCDIR}
  COMPONENT kftrain_Documentation PATTERN CMakeLists.txt EXCLUDE)
install(FILES ${PROJECT_SOURCE_DIR}/packaging/kftrain.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1
  COMPONENT kftrain_Documentation)
install(FILES ${PROJECT_SOURCE_DIR}/packaging/kftrain.bash RENAME kftrain
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT kftrain_Runtime)
