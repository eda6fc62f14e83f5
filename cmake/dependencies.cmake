# What the project stands on; docs/design/decisions says why each is here.
set(KFTRAIN_BOOST_MIN 1.81)
find_package(Boost ${KFTRAIN_BOOST_MIN} CONFIG REQUIRED COMPONENTS json url)
find_package(OpenSSL 3.0 REQUIRED)
find_package(Threads REQUIRED)
find_package(range-v3 CONFIG REQUIRED) # its version file accepts exact versions only
find_package(LibYAML REQUIRED)
find_package(RE2 REQUIRED)
find_package(CLI11 REQUIRED)
if(KFTRAIN_BUILD_TESTS)
  find_package(Boost ${KFTRAIN_BOOST_MIN} CONFIG REQUIRED COMPONENTS unit_test_framework)
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
endif()
