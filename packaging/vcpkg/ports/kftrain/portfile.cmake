# An overlay port. KFTRAIN_SOURCE_DIR in the environment is the source tree; without it, the tree around the port.
if(DEFINED ENV{KFTRAIN_SOURCE_DIR})
    set(SOURCE_PATH "$ENV{KFTRAIN_SOURCE_DIR}")
else()
    get_filename_component(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../../../.." REALPATH)
endif()
if(NOT EXISTS "${SOURCE_PATH}/include/kftrain/version.hpp")
    message(FATAL_ERROR "expected the sources of kftrain in ${SOURCE_PATH}; set KFTRAIN_SOURCE_DIR, and with it "
        "VCPKG_KEEP_ENV_VARS=KFTRAIN_SOURCE_DIR")
endif()

vcpkg_check_features(OUT_FEATURE_OPTIONS FEATURE_OPTIONS
    FEATURES
        command KFTRAIN_BUILD_COMMAND
        local   KFTRAIN_BUILD_LOCAL
)
vcpkg_cmake_configure(
    SOURCE_PATH "${SOURCE_PATH}"
    OPTIONS
        ${FEATURE_OPTIONS}
        -DCMAKE_INSTALL_LIBEXECDIR=tools # the sandbox helper: tools/kftrain/kftrain-sandbox, beside the command
        -DCMAKE_UNITY_BUILD=ON
        -DKFTRAIN_BUILD_TESTS=OFF
)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/kftrain)
vcpkg_fixup_pkgconfig()
if("command" IN_LIST FEATURES)
    vcpkg_copy_tools(TOOL_NAMES kftrain AUTO_CLEAN)
endif()

# Pages, examples, the manual and the completion of the command are not part of ports.
file(REMOVE_RECURSE
    "${CURRENT_PACKAGES_DIR}/debug/include"
    "${CURRENT_PACKAGES_DIR}/debug/share"
    "${CURRENT_PACKAGES_DIR}/debug/tools"
    "${CURRENT_PACKAGES_DIR}/share/bash-completion"
    "${CURRENT_PACKAGES_DIR}/share/doc"
    "${CURRENT_PACKAGES_DIR}/share/fish"
    "${CURRENT_PACKAGES_DIR}/share/man"
    "${CURRENT_PACKAGES_DIR}/share/zsh"
)
file(INSTALL "${CMAKE_CURRENT_LIST_DIR}/usage" DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}")
set(licenses "${SOURCE_PATH}/LICENSE" "${SOURCE_PATH}/packaging/licenses/range-v3.txt")
if("command" IN_LIST FEATURES)
    list(APPEND licenses "${SOURCE_PATH}/packaging/licenses/CLI11.txt")
endif()
vcpkg_install_copyright(FILE_LIST ${licenses})
