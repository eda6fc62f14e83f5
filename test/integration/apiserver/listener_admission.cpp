#include "integration/apiserver/running_listener.hpp"

#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>

#include <sys/resource.h>

#include <filesystem>
#include <memory>

BOOST_AUTO_TEST_SUITE(apiserver_listener_admission)

using namespace listener_tests;

namespace {

std::string const token = "Authorization: Bearer secret\r\n";

listener_options guarded() {
    listener_options o;
    o.bearer_token = "secret";
    return o;
}

/// The first line of the answer to a request with the token, on a connection of its own.
std::string response_of(running const& s) {
    client c(s);
    c.send(http("GET", "/version", "", token));
    return c.until("\r\n");
}

std::string const ok = "HTTP/1.1 200 OK\r\n";

/// A TLS connection whose handshake is done. Does not check who answers.
struct tls_client : client {
    explicit tls_client(running const& r) : client(r) { stream.handshake(asio::ssl::stream_base::client); }
    asio::ssl::context tls{asio::ssl::context::tls_client};
    asio::ssl::stream<tcp::socket&> stream{socket, tls};
};

/// The limit of open descriptors, restored at the end.
struct descriptor_limit {
    descriptor_limit() { ::getrlimit(RLIMIT_NOFILE, &before); }
    ~descriptor_limit() { ::setrlimit(RLIMIT_NOFILE, &before); }
    bool set(rlim_t n) const {
        rlimit const now{n, before.rlim_max};
        return n <= before.rlim_max && ::setrlimit(RLIMIT_NOFILE, &now) == 0;
    }
    rlimit before{};
};

/// As long as it lives, only descriptors that are open now can be had again once they are closed.
struct no_more_descriptors {
    no_more_descriptors() {
        int highest = 0;
        for (auto const& entry : std::filesystem::directory_iterator("/proc/self/fd"))
            highest = std::max(highest, std::stoi(entry.path().filename().string()));
        int next = 0;
        while ((next = ::dup(0)) <= highest) fillers.push_back(next); // of the holes below
        ::close(next);
        BOOST_REQUIRE(limit.set(static_cast<rlim_t>(next)));
    }
    ~no_more_descriptors() {
        for (int const fd : fillers) ::close(fd);
    }
    descriptor_limit limit;
    std::vector<int> fillers;
};

} // namespace

/// Connections that are accepted, and the time limit of those without a token.

BOOST_AUTO_TEST_CASE(silent_connections_do_not_block_others) {
    auto o = guarded();
    o.max_connections = 16;
    o.max_unauthenticated = 4;
    running s(std::move(o));
    client watching(s);
    watching.send(http("GET", pods + "?watch=1", "", token));
    BOOST_TEST(watching.until("\r\n\r\n").starts_with(ok));
    std::vector<std::unique_ptr<client>> idle;
    for (int i = 0; i < 40; ++i) idle.push_back(std::make_unique<client>(s));
    BOOST_TEST(response_of(s) == ok);
    BOOST_TEST(idle.front()->rest() == "");
    BOOST_TEST(idle.front()->closed); // the oldest had to go
    client c(s);
    c.send(http("POST", pods, pod_json("p"), token));
    BOOST_TEST(c.until("\r\n") == "HTTP/1.1 201 Created\r\n");
    BOOST_TEST(watching.until("\n\r\n").find("ADDED") != std::string::npos); // those that were let in stay
}

BOOST_AUTO_TEST_CASE(connections_with_only_a_handshake_are_closed_for_others) {
    auto o = guarded();
    o.tls = make_self_signed_identity({"localhost"}).value();
    o.max_connections = 8;
    o.max_unauthenticated = 4;
    running s(std::move(o));
    std::vector<std::unique_ptr<tls_client>> idle;
    for (int i = 0; i < 20; ++i) idle.push_back(std::make_unique<tls_client>(s));
    tls_client c(s);
    asio::write(c.stream, asio::buffer(http("GET", "/version", "", token)));
    std::array<char, 17> line{};
    asio::read(c.stream, asio::buffer(line));
    BOOST_TEST(std::string(line.data(), line.size()) == ok);
}

BOOST_AUTO_TEST_CASE(authenticated_connections_are_not_closed_for_unauthenticated_ones) {
    auto o = guarded();
    o.max_connections = 2;
    running s(std::move(o));
    client first(s);
    first.send(http("GET", "/version", "", token));
    BOOST_TEST(first.until("gitVersion").starts_with(ok));
    client second(s);
    second.send(http("GET", "/version", "", token));
    BOOST_TEST(second.until("\r\n") == ok);
    client third(s);
    BOOST_TEST(third.rest() == "");
    BOOST_TEST(third.closed);
    first.send(http("GET", "/version", "", token));
    BOOST_TEST(first.until("HTTP/1.1 200 OK\r\n").ends_with(ok));
}

BOOST_AUTO_TEST_CASE(connections_without_a_token_are_closed) {
    auto o = guarded();
    o.authentication_timeout = 400ms;
    running s(std::move(o));
    client known(s), silent(s), trickling(s), probing(s);
    known.send(http("GET", "/version", "", token));
    BOOST_TEST(known.until("gitVersion").starts_with(ok));
    std::thread drip([&] { // bytes of a head that never ends
        for (int i = 0; i < 40; ++i) {
            trickling.send(i == 0 ? "GET /version HTTP/1.1\r\nX: " : "x");
            std::this_thread::sleep_for(20ms);
        }
    });
    std::string answers;
    auto const patience = std::chrono::steady_clock::now() + 10s;
    while (!probing.closed && std::chrono::steady_clock::now() < patience) { // is answered without a token
        probing.send(http("GET", "/healthz"));
        answers += probing.until("\r\n\r\nok");
    }
    BOOST_TEST(probing.closed);
    BOOST_TEST(answers.starts_with(ok));
    BOOST_TEST(silent.rest() == "");
    BOOST_TEST(silent.closed);
    BOOST_TEST(trickling.rest() == "");
    BOOST_TEST(trickling.closed);
    drip.join();
    known.text.clear();
    known.send(http("GET", "/version", "", token));
    BOOST_TEST(known.until("HTTP/1.1 200 OK\r\n").ends_with(ok));
}

BOOST_AUTO_TEST_CASE(the_body_of_an_unauthenticated_request_is_not_read) {
    running s(guarded());
    std::string const announced = "Host: x\r\nContent-Length: 1000000\r\n\r\n",
                      huge = "Host: x\r\nContent-Length: 99999999\r\n\r\n";
    for (std::string const& request :
         {"POST " + pods + " HTTP/1.1\r\n" + announced, "POST " + pods + " HTTP/1.1\r\n" + huge,
          "POST " + pods + " HTTP/1.1\r\nExpect: 100-continue\r\n" + announced,
          "GET /healthz HTTP/1.1\r\nAuthorization: Bearer wrong\r\n" + announced}) {
        client c(s);
        c.send(request);
        BOOST_TEST(c.until("\r\n") == "HTTP/1.1 401 Unauthorized\r\n", request);
    }
    client probe(s); // answered without a token, but not with a body
    probe.send("GET /healthz HTTP/1.1\r\n" + announced);
    BOOST_TEST(probe.until("\r\n").starts_with("HTTP/1.1 413 "));
    client chunked(s);
    chunked.send("GET /healthz HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx");
    BOOST_TEST(chunked.until("\r\n").starts_with("HTTP/1.1 413 "));
}

BOOST_AUTO_TEST_CASE(few_clients_without_authentication_may_send_large_heads) {
    auto o = guarded();
    o.authentication_timeout = 10min;
    o.request_timeout = 10min;
    running s(std::move(o));
    std::string large = "GET /version HTTP/1.1\r\nHost: x\r\n";
    for (int i = 0; i < 4; ++i) large += "X-" + std::to_string(i) + ": " + std::string(50'000, 'x') + "\r\n";
    auto const first_line = [&](std::string const& more) {
        client c(s);
        c.send(large + more + "\r\n");
        return c.until("\r\n");
    };
    auto const give_up = std::chrono::steady_clock::now() + 2min;
    auto const until = [&](std::string const& line) {
        while (first_line(token) != line && std::chrono::steady_clock::now() < give_up)
            std::this_thread::sleep_for(1ms);
        return first_line(token) == line;
    };
    BOOST_TEST(until(ok));
    client known(s);
    known.send(http("GET", "/version", "", token));
    BOOST_TEST(known.until("gitVersion").starts_with(ok));
    std::vector<std::unique_ptr<client>> strangers;
    for (int i = 0; i < 16; ++i) {
        strangers.push_back(std::make_unique<client>(s));
        strangers.back()->send(large); // and no end of it
    }
    BOOST_TEST(until("HTTP/1.1 431 Request Header Fields Too Large\r\n"));
    BOOST_TEST(response_of(s) == ok); // with a head of the usual size
    for (int i = 0; i < 2; ++i) {     // on a connection that has shown its token
        known.text.clear();
        known.send(large + token + "\r\n");
        BOOST_TEST(known.until("gitVersion").find(ok) != std::string::npos);
    }
    strangers.clear();
    BOOST_TEST(until(ok));
}

BOOST_AUTO_TEST_CASE(unauthenticated_connections_are_closed_when_descriptors_run_out) {
    running s(guarded());
    std::vector<std::unique_ptr<client>> strangers;
    for (int i = 0; i < 3; ++i) {
        strangers.push_back(std::make_unique<client>(s));
        strangers.back()->send(http("GET", "/healthz")); // its place is taken when it is answered
        BOOST_TEST(strangers.back()->until("\r\n\r\nok").starts_with(ok));
    }
    client late; // opened before there is none left
    no_more_descriptors const limit;
    late.connect(s.port);
    BOOST_TEST(strangers.front()->rest() == "");
    BOOST_TEST(strangers.front()->closed);
    late.send(http("GET", "/version", "", token));
    BOOST_TEST(late.until("\r\n") == ok);
}

BOOST_AUTO_TEST_CASE(a_listener_survives_a_shortage_of_descriptors) {
    running s(guarded());
    client known(s);
    known.send(http("GET", "/version", "", token));
    BOOST_TEST(known.until("gitVersion").starts_with(ok));
    client late;
    {
        no_more_descriptors const limit;
        late.connect(s.port);
        known.send(http("GET", "/version", "", token)); // others are served meanwhile
        BOOST_TEST(known.until("HTTP/1.1 200 OK\r\n").ends_with(ok));
    }
    late.send(http("GET", "/version", "", token));
    BOOST_TEST(late.until("\r\n") == ok);
}

BOOST_AUTO_TEST_CASE(two_thousand_watches_are_served_at_once) {
    constexpr rlim_t enough = 6000; // both ends of each connection are ours
    descriptor_limit limit;
    if (limit.before.rlim_cur < enough && !limit.set(enough)) {
        std::cout << "not tested: this needs " << enough << " open files, the hard limit is " << limit.before.rlim_max
                  << '\n';
        return;
    }
    running s(guarded());
    std::vector<std::unique_ptr<client>> watches;
    for (int i = 0; i < 2000; ++i) {
        watches.push_back(std::make_unique<client>(s));
        watches.back()->send(http("GET", pods + "?watch=1", "", token));
        if (watches.back()->until("\r\n\r\n").starts_with(ok)) continue;
        BOOST_FAIL("watch " << i << " was refused");
    }
    client c(s);
    c.send(http("POST", pods, pod_json("p"), token));
    BOOST_TEST(c.until("\r\n") == "HTTP/1.1 201 Created\r\n");
    std::size_t notified = 0;
    for (auto const& w : watches)
        if (w->until("\n\r\n").find("ADDED") != std::string::npos) ++notified;
    BOOST_TEST(notified == 2000U);
}

BOOST_AUTO_TEST_CASE(each_request_has_the_permissions_of_its_token) {
    auto o = guarded();
    o.users.emplace_back("of-jane", user_info("jane"));
    o.users.emplace_back("", user_info("nobody"));
    running s(o);
    client c(s); // one connection for all users
    auto const answer = [&](std::string const& target, std::string const& name) {
        c.send(http("GET", target, "", "Authorization: Bearer " + name + "\r\n"));
        auto const line = c.until("\r\n");
        auto const head = c.until("\r\n\r\n");
        auto const length = head.find("Content-Length: ");
        auto const size = std::stoul(head.substr(length + 16));
        std::array<char, 4096> part{};
        while (c.text.size() < size) {
            auto const n = ::recv(c.socket.native_handle(), part.data(), part.size(), 0);
            BOOST_REQUIRE(n > 0);
            c.text.append(part.data(), static_cast<std::size_t>(n));
        }
        c.text.erase(0, size);
        return line.substr(9, 3);
    };
    BOOST_TEST(answer("/api/v1/nodes", "secret") == "200");
    BOOST_TEST(answer("/api/v1/nodes", "of-jane") == "403");
    BOOST_TEST(answer("/version", "of-jane") == "200");
    BOOST_TEST(answer("/api/v1/nodes", s.server.service_account_token("default", "trainer")) == "403");
    BOOST_TEST(answer("/api/v1/nodes", "secret") == "200");
    BOOST_TEST(answer("/version", "other") == "401");
    client stranger(s);
    stranger.send(http("GET", "/version", "", "Authorization: Bearer \r\n"));
    BOOST_TEST(stranger.until("\r\n") == "HTTP/1.1 401 Unauthorized\r\n");
}

BOOST_AUTO_TEST_SUITE_END()
