#include "kube/http/config_text.hpp"

#include "kube/async/operation.hpp"
#include "kube/http/proxy_address.hpp"
#include "kube/http/transport_request.hpp"
#include "support/temporary_directory.hpp"

#include <boost/test/unit_test.hpp>

#include <sys/stat.h>

#include <exception>
#include <filesystem>
#include <fstream>
#include <ios>
#include <string>

BOOST_AUTO_TEST_SUITE(kube_config_text)

using namespace kftrain::kube::detail;
namespace fs = std::filesystem;

BOOST_AUTO_TEST_CASE(only_regular_files_of_a_bounded_size_are_read) {
    kftrain::test::temporary_directory const made;
    auto const& directory = made.path;
    made.write("text", std::string(40'000, 'x'));
    BOOST_TEST(content_of(directory / "text", 40'000).value().size() == 40'000U);
    auto const fault = [](fs::path const& file) {
        auto const text = content_of(file, 39'999);
        return text ? std::string("none") : text.error().detail.message;
    };
    BOOST_TEST(fault(directory / "text") == "larger than 39999 bytes");
    BOOST_TEST(fault(directory) == "Is a directory");
    BOOST_TEST(fault(directory / "none") == "No such file or directory");
    BOOST_TEST(fault(directory / "text" / "none") == "Not a directory");
    fs::permissions(directory / "text", fs::perms::none);
    if (::geteuid() != 0) BOOST_TEST(fault(directory / "text") == "Permission denied");
    fs::permissions(directory / "text", fs::perms::owner_all);
    BOOST_TEST_REQUIRE(::mkfifo((directory / "pipe").c_str(), 0600) == 0);
    BOOST_TEST(fault(directory / "pipe") == "not a regular file"); // without a writer, a read would not end
    BOOST_TEST(fault("/dev/zero") == "not a regular file");
    BOOST_TEST(content_of("/proc/self/status").value().starts_with("Name:")); // a file whose reported size is 0
    BOOST_TEST(!content_of(fs::path((directory / "text").string() + std::string("\0.pem", 5))).has_value());
}

BOOST_AUTO_TEST_CASE(exceptions_of_files_become_error_codes) {
    try {
        throw std::ios_base::failure("read error", std::make_error_code(std::errc::is_a_directory));
    } catch (...) {
        BOOST_TEST(code_of(std::current_exception()) == make_error_code(boost::system::errc::is_a_directory));
    }
}

BOOST_AUTO_TEST_CASE(control_characters_in_messages_are_escaped) {
    BOOST_TEST(plain(" a\tb\x1b[2Jc\n") == "a b [2Jc");
    BOOST_TEST(plain("a\xc2\x9b"
                     "2Jb\xc2\x85") == "a 2Jb ");
    BOOST_TEST(plain("\x9b"
                     "2J\x80 \xed\xa0\x80\xf0\x80\x80\x80") == "?2J? ???????");
    BOOST_TEST(plain("gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x98\x80") ==
               "gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x98\x80");
    BOOST_TEST(plain("half \xe2\x82") == "half ??");
}

BOOST_AUTO_TEST_CASE(hosts_are_names_or_addresses) {
    for (auto const* good : {"https://api.example.com:6443", "https://10.0.0.1", "https://[fd00::1]:6443", "my_host"})
        BOOST_TEST(parse_server_url(good, true).has_value(), good);
    BOOST_TEST(parse_server_url("HTTPS://h", false)->tls);
    BOOST_TEST(!parse_server_url("Http://h", true)->tls);
    BOOST_TEST(parse_proxy_url("HTTP://p").has_value());
    BOOST_TEST(parse_proxy_url("SOCKS5://p").has_value());
    for (auto const* bad : {"https://h%0d%0aX:%20y", "https://h%00.example.com", "https://a%20b", "https://h%2fx"}) {
        BOOST_TEST(parse_server_url(bad, true).has_error(), bad);
        BOOST_TEST(parse_proxy_url("http" + std::string(bad).substr(5)).has_error(), bad);
    }
    BOOST_TEST(parse_proxy_url("socks5://p.example.com").has_value());
    for (auto const* good : {"1", "443", "65535"}) {
        BOOST_TEST(parse_server_url(std::string("https://h:") + good, true).has_value(), good);
        BOOST_TEST(parse_proxy_url(std::string("http://h:") + good).has_value(), good);
    }
    for (auto const* bad : {"0", "65536", "65537", "65979", "4294967739", "99999999999999999999"}) {
        BOOST_TEST(parse_server_url(std::string("https://h:") + bad, true).has_error(), bad);
        BOOST_TEST(parse_proxy_url(std::string("http://h:") + bad).has_error(), bad);
    }
}

BOOST_AUTO_TEST_SUITE_END()
