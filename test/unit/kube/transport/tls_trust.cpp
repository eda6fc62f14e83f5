#include "kube/transport/tls_trust.hpp"

#include <kftrain/kube/default_config.hpp>

#include <boost/test/unit_test.hpp>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

namespace {

namespace kube = kftrain::kube;

/// An empty directory for one test.
struct directory {
    directory() : path(std::filesystem::temp_directory_path() / ("authorities-" + std::to_string(::getpid()))) {
        std::filesystem::create_directories(path);
    }
    ~directory() { std::filesystem::remove_all(path); }
    directory(directory const&) = delete;
    directory& operator=(directory const&) = delete;

    std::string operator/(char const* name) const { return (path / name).string(); }

    std::filesystem::path path;
};

} // namespace

BOOST_AUTO_TEST_SUITE(kube_tls_trust)

BOOST_AUTO_TEST_CASE(the_first_file_that_exists_comes_before_directories) {
    directory const d;
    auto const first = d / "first.pem";
    auto const second = d / "second.pem";
    auto const empty = d / "empty";
    auto const full = d / "full";
    std::filesystem::create_directory(empty);
    std::filesystem::create_directory(full);
    std::ofstream(full + "/1.0") << "x";
    std::array const files = {first.c_str(), empty.c_str(), second.c_str()};
    std::array const directories = {empty.c_str(), full.c_str()};
    BOOST_TEST(kube::detail::find_authorities(files, directories) == full);
    std::ofstream(second) << "x";
    BOOST_TEST(kube::detail::find_authorities(files, directories) == second);
    std::ofstream(first) << "x";
    BOOST_TEST(kube::detail::find_authorities(files, directories) == first);
    BOOST_TEST(kube::detail::find_authorities({}, {}) == "");
}

BOOST_AUTO_TEST_CASE(the_variables_of_openssl_come_first) {
    ::unsetenv("SSL_CERT_FILE");
    ::setenv("SSL_CERT_DIR", "/some/directory", 1);
    BOOST_TEST(kube::find_system_authorities() == "/some/directory");
    ::setenv("SSL_CERT_FILE", "/some/file", 1);
    BOOST_TEST(kube::find_system_authorities() == "/some/file");
    ::unsetenv("SSL_CERT_FILE");
    ::unsetenv("SSL_CERT_DIR");
    BOOST_TEST(kube::find_system_authorities() != "/some/directory");
}

BOOST_AUTO_TEST_SUITE_END()
