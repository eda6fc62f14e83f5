#include "control/key_worker.hpp"

#include "model/scalars/base64.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

BOOST_AUTO_TEST_SUITE(control_content_maker)

using namespace kftrain;
using rules::ssh_key;
namespace asio = boost::asio;
using made_key = result<rules::key_texts>;

namespace {

rules::key_texts key(ssh_key::algorithm a) { return control::make_content_maker()->make(ssh_key(a)).value(); }

/// The bytes of a PEM text, which has this label.
std::string der_of(std::string const& pem, std::string const& label) {
    std::string const first = "-----BEGIN " + label + "-----\n", last = "-----END " + label + "-----\n";
    BOOST_TEST_REQUIRE(pem.starts_with(first), pem.substr(0, 40));
    BOOST_TEST_REQUIRE(pem.ends_with(last));
    auto const text = pem.substr(first.size(), pem.size() - first.size() - last.size());
    for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1)
        BOOST_TEST(text.find('\n', at) - at <= 64U); // as Go breaks its lines
    return base64_decode(text).value();
}

/// The public line that `ssh-keygen` derives from a private key; empty if `ssh-keygen` is not installed.
std::string line_by_keygen(std::string const& pem) {
    auto const file = std::filesystem::temp_directory_path() / "kftrain_content_maker_key";
    std::ofstream(file) << pem;
    std::filesystem::permissions(file, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
    std::string text;
    if (auto* out = popen(("ssh-keygen -y -f " + file.string() + " 2>/dev/null").c_str(), "r")) {
        for (int c = std::fgetc(out); c != EOF; c = std::fgetc(out)) text += static_cast<char>(c);
        pclose(out);
    }
    std::filesystem::remove(file);
    return text;
}

} // namespace

// Upstream: Go crypto/x509, MarshalECPrivateKey, of a key on P-521, and golang.org/x/crypto/ssh, MarshalAuthorizedKey.
BOOST_AUTO_TEST_CASE(a_p521_key_is_encoded_as_in_go) {
    auto const k = key(ssh_key::algorithm::ecdsa_p521);
    auto const der = der_of(k.private_pem, "EC PRIVATE KEY");
    BOOST_TEST(der.size() == 223U);
    // Version 1, 66 bytes of the number, the curve by its name.
    BOOST_TEST(der.substr(0, 8) == std::string("\x30\x81\xdc\x02\x01\x01\x04\x42"));
    BOOST_TEST(der.find(std::string("\xa0\x07\x06\x05\x2b\x81\x04\x00\x23", 9)) != std::string::npos);
    BOOST_TEST(k.public_line.size() == 253U);
    BOOST_TEST(k.public_line.starts_with("ecdsa-sha2-nistp521 AAAAE2VjZHNhLXNoYTItbmlzdHA1MjEAAAAIbmlzdHA1MjEAAACFBA"));
    BOOST_TEST(k.public_line.back() == '\n');
    auto const point = base64_decode(k.public_line.substr(20)).value().substr(39);
    BOOST_TEST(point.size() == 133U);
    BOOST_TEST(der.ends_with(point)); // the private key has its public one at the end
    if (auto const line = line_by_keygen(k.private_pem); !line.empty()) BOOST_TEST(line == k.public_line);
}

// Upstream: Go crypto/x509, MarshalPKCS1PrivateKey.
BOOST_AUTO_TEST_CASE(an_rsa_key_is_encoded_as_in_go) {
    auto const k = key(ssh_key::algorithm::rsa_2048);
    auto const der = der_of(k.private_pem, "RSA PRIVATE KEY");
    BOOST_TEST(std::abs(static_cast<long>(der.size()) - 1190L) <= 5L);
    BOOST_TEST(k.public_line.starts_with("ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQ")); // exponent 65537, 257 bytes follow
    BOOST_TEST(k.public_line.back() == '\n');
    auto const modulus = base64_decode(k.public_line.substr(8)).value().substr(22);
    BOOST_TEST(modulus.size() == 257U);
    BOOST_TEST(der.find(modulus) != std::string::npos);
    if (auto const line = line_by_keygen(k.private_pem); !line.empty()) BOOST_TEST(line == k.public_line);
}

BOOST_AUTO_TEST_CASE(generated_keys_differ) {
    BOOST_TEST(key(ssh_key::algorithm::ecdsa_p521).public_line != key(ssh_key::algorithm::ecdsa_p521).public_line);
}

BOOST_AUTO_TEST_CASE(random_texts_have_the_given_length_and_a_uniform_alphabet) {
    auto const maker = control::make_content_maker();
    std::string alphabet; // of bytes taken modulo 200, the first 56 would come twice as often as the rest
    for (int c = 0; c < 200; ++c) alphabet += static_cast<char>(c);
    std::string all;
    for (int i = 0; i < 10; ++i) all += maker->make(rules::random_text(4096, alphabet)).value();
    BOOST_TEST(all.size() == 40960U);
    auto const first = std::count_if(all.begin(), all.end(), [](char c) { return static_cast<unsigned char>(c) < 56; });
    BOOST_TEST(std::abs(first - 11469L) < 640L, first); // seven standard deviations
    for (char const c : alphabet) BOOST_TEST(all.find(c) != std::string::npos);
    BOOST_TEST(maker->make(rules::random_text(0)).value() == "");
    BOOST_TEST(maker->make(rules::random_text(20)).value() != maker->make(rules::random_text(20)).value());
}

BOOST_AUTO_TEST_CASE(invalid_random_text_requests_are_rejected) {
    auto const maker = control::make_content_maker();
    for (auto const& wrong : {rules::random_text(3, ""), rules::random_text(4097)}) {
        auto const text = maker->make(wrong);
        BOOST_TEST_REQUIRE(!text.has_value());
        BOOST_TEST((text.error().code == errc::invalid_argument));
    }
}

// Handlers that are already queued run before the key arrives, because its thread posts it behind them.
BOOST_AUTO_TEST_CASE(a_key_worker_does_not_block_other_handlers) {
    asio::io_context io;
    control::key_worker keys(io.get_executor());
    std::vector<std::string> order;
    asio::co_spawn(io, keys.make(ssh_key(ssh_key::algorithm::rsa_2048)), [&](std::exception_ptr e, made_key made) {
        BOOST_TEST(!e);
        BOOST_TEST_REQUIRE(made.has_value());
        BOOST_TEST(made->private_pem.starts_with("-----BEGIN RSA PRIVATE KEY-----"));
        order.emplace_back("key");
    });
    asio::post(io, [&] { order.emplace_back("other"); });
    io.run(); // the key keeps it running
    BOOST_TEST(order == (std::vector<std::string>{"other", "key"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(closing_a_key_worker_completes_all_callers) {
    asio::io_context io;
    control::key_worker keys(io.get_executor());
    std::size_t answered = 0, aborted = 0;
    auto const request_key = [&] {
        asio::co_spawn(io, keys.make(ssh_key(ssh_key::algorithm::rsa_2048)), [&](std::exception_ptr e, made_key made) {
            BOOST_TEST(!e);
            ++answered;
            if (made) return;
            ++aborted;
            BOOST_TEST((made.error().code == asio::error::operation_aborted));
        });
    };
    for (int i = 0; i != 20; ++i) request_key();
    io.poll();
    keys.close();
    request_key();
    io.restart();
    io.run();
    BOOST_TEST(answered == 21U);
    BOOST_TEST(aborted >= 1U); // the one behind the end at least
}

BOOST_AUTO_TEST_CASE(destroying_the_io_context_destroys_a_key_worker_with_waiting_callers) {
    auto const kept = std::make_shared<int>(0);
    {
        asio::io_context io;
        control::key_worker keys(io.get_executor());
        asio::co_spawn(io, keys.make(ssh_key()), [kept](std::exception_ptr, made_key const&) {});
        io.poll();
    }
    BOOST_TEST(kept.use_count() == 1);
}

BOOST_AUTO_TEST_SUITE_END()
