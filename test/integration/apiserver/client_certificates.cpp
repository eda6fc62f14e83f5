#include "integration/apiserver/running_listener.hpp"
#include "support/certificates.hpp"

#include <boost/asio/read_until.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>

#include <atomic>
#include <memory>

BOOST_AUTO_TEST_SUITE(apiserver_client_certificates)

using namespace listener_tests;

namespace {

std::string const token = "Authorization: Bearer secret\r\n";

/// A TLS connection with or without a client certificate. Does not check the server.
struct certified_client : client {
    explicit certified_client(running const& r) : client(r) {
        stream.emplace(socket, tls);
        stream->handshake(asio::ssl::stream_base::client);
    }
    certified_client(running const& r, std::string const& certificate_pem, std::string const& key_pem) : client(r) {
        tls.use_certificate_chain(asio::buffer(certificate_pem));
        tls.use_private_key(asio::buffer(key_pem), asio::ssl::context::pem);
        stream.emplace(socket, tls);
        stream->handshake(asio::ssl::stream_base::client);
    }
    certified_client(running const& r, tls_identity const& i) : certified_client(r, i.certificate_pem, i.key_pem) {}
    certified_client(running const& r, test::identity const& i) : certified_client(r, i.certificate, i.key) {}

    /// Returns the status and the body of the answer.
    std::string answer(std::string const& method, std::string const& target, std::string const& body = "",
                       std::string const& fields = "") {
        asio::write(*stream, asio::buffer(http(method, target, body, "Content-Type: application/json\r\n" + fields)));
        std::string text;
        auto const head = asio::read_until(*stream, asio::dynamic_buffer(text), "\r\n\r\n");
        auto const size = std::stoul(text.substr(text.find("Content-Length: ") + 16));
        if (text.size() < head + size)
            asio::read(*stream, asio::dynamic_buffer(text), asio::transfer_exactly(head + size - text.size()));
        return text.substr(9, 3) + " " + text.substr(head);
    }
    std::string status(std::string const& target, std::string const& fields = "") {
        return answer("GET", target, "", fields).substr(0, 3);
    }
    asio::ssl::context tls{asio::ssl::context::tls_client};
    std::optional<asio::ssl::stream<tcp::socket&>> stream;
};

/// With TLS, for client certificates of these authorities.
listener_options certified(std::string const& authorities) {
    listener_options o;
    o.bearer_token = "secret";
    o.tls = make_self_signed_identity().value();
    o.client_ca_pem = authorities;
    return o;
}

} // namespace

BOOST_AUTO_TEST_CASE(a_client_certificate_authenticates_its_common_name_and_organizations) {
    auto const authority = make_client_authority().value();
    running s(certified(authority.certificate_pem));
    user_info jane("jane", {"team-a", "team b"});
    certified_client c(s, make_client_identity(authority, jane).value());
    auto const review = c.answer("POST", "/apis/authentication.k8s.io/v1/selfsubjectreviews",
                                 R"({"apiVersion":"authentication.k8s.io/v1","kind":"SelfSubjectReview"})");
    BOOST_TEST(review.starts_with("201 "), review);
    auto const user = R"("userInfo":{"username":"jane","groups":["team-a","team b","system:authenticated"],)"
                      R"("extra":{"authentication.kubernetes.io/credential-id":["X509SHA256=)";
    BOOST_TEST(review.find(user) != std::string::npos, review);
    BOOST_TEST(c.status("/api/v1/nodes") == "403");
    BOOST_TEST(c.status("/api/v1/nodes", token) == "403"); // the certificate comes first
    user_info const root("root", {"system:masters"});
    BOOST_TEST(certified_client(s, make_client_identity(authority, root).value()).status("/api/v1/nodes") == "200");
    BOOST_TEST(certified_client(s).status("/api/v1/nodes", token) == "200");
    BOOST_TEST(certified_client(s).status("/api/v1/nodes") == "401");
}

BOOST_AUTO_TEST_CASE(certificates_that_do_not_authenticate_leave_it_to_the_token) {
    test::certificate_authority const known, unknown;
    test::certificate_authority const intermediate("test intermediate", known);
    running s(certified(known.certificate()));
    BOOST_TEST(certified_client(s, known.issue("jane", "")).status("/version") == "200");
    auto chained = intermediate.issue("jane", "");
    BOOST_TEST(certified_client(s, chained).status("/version") == "401");
    chained.certificate += intermediate.certificate();
    BOOST_TEST(certified_client(s, chained).status("/version") == "200");

    test::certificate_form expired, early;
    expired.begins_in = -7200;
    expired.ends_in = -60;
    early.begins_in = 3600;
    early.ends_in = 7200;
    auto const server = make_self_signed_identity().value(); // for servers only
    for (auto const& wrong :
         {unknown.issue("jane", ""), known.issue("jane", "", expired), known.issue("jane", "", early),
          known.issue("", "DNS:jane"), test::identity{server.certificate_pem, server.key_pem}}) {
        auto const answer = certified_client(s, wrong).answer("GET", "/api/v1/nodes");
        BOOST_TEST(answer == R"(401 {"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure",)"
                             R"("message":"Unauthorized","reason":"Unauthorized","code":401})");
        BOOST_TEST(certified_client(s, wrong).status("/api/v1/nodes", token) == "200");
    }
}

BOOST_AUTO_TEST_CASE(a_client_certificate_is_valid_by_the_clock_of_the_server) {
    auto const hours = std::make_shared<std::atomic<int>>(0);
    api_server_options of_server;
    of_server.clock = [hours] {
        auto const now = std::chrono::system_clock::now() + std::chrono::hours(*hours);
        return std::chrono::floor<std::chrono::seconds>(now);
    };
    auto const authority = make_client_authority().value();
    running s(certified(authority.certificate_pem), of_server);
    certified_client c(s, make_client_identity(authority, user_info("jane")).value());
    *hours = 364 * 24;
    BOOST_TEST(c.status("/version") == "200");
    *hours = 366 * 24;
    BOOST_TEST(c.status("/version") == "401");
    *hours = -48; // the certificate begins later
    BOOST_TEST(certified_client(s, make_client_identity(authority, user_info("jane")).value()).status("/version") ==
               "401");
}

BOOST_AUTO_TEST_CASE(unusable_client_authorities_are_reported) {
    asio::io_context context;
    api_server server(context.get_executor());
    auto const why = [&](listener_options const& o) { return listener::open(server, o).error().to_string(); };
    auto const authority = make_client_authority().value();
    auto o = certified("no PEM");
    BOOST_TEST(why(o).find("client_ca_pem: expected a PEM certificate") != std::string::npos, why(o));
    for (bool const secure : {false, true}) {
        o = certified(authority.certificate_pem);
        if (secure)
            o.bearer_token.clear();
        else
            o.tls.reset();
        BOOST_TEST(why(o).find("client_ca_pem: expected tls and bearer_token") != std::string::npos, why(o));
    }
    std::string const long_name(65, 'x');
    for (auto const& user : {user_info(""), user_info(long_name), user_info("jane", {""}), user_info("\xff"),
                             user_info("jane", {long_name})}) {
        auto const made = make_client_identity(authority, user);
        BOOST_TEST_REQUIRE(!made.has_value());
        BOOST_TEST(made.error().to_string().find("1 to 64 characters") != std::string::npos);
    }
    auto foreign = authority;
    foreign.key_pem = make_client_authority().value().key_pem;
    BOOST_TEST(!make_client_identity(foreign, user_info("jane")).has_value());
}

BOOST_AUTO_TEST_SUITE_END()
