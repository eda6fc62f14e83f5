#include "integration/kube/credentials/credential_plugin.hpp"

#include <boost/asio/error.hpp>

#include <string>
#include <vector>

BOOST_AUTO_TEST_SUITE(integration_credential_files)

using namespace kftrain;
using namespace kftrain::test;

namespace {

/// Files of a client, which are looked into before every request.
struct watched_files {
    watched_files() {
        options.file_interval = 0ms;
        write("first");
        directory.write("ca.pem", ca.certificate());
    }
    void write(std::string const& name) {
        auto const me = client_ca.issue(name, "");
        directory.write("cert.pem", me.certificate);
        directory.write("key.pem", me.key);
    }
    kube::config config() const {
        kube::config c;
        c.server = "https://127.0.0.1";
        c.ca_pem = directory.read("ca.pem");
        c.ca_file = directory.file("ca.pem");
        c.client_certificate_pem = directory.read("cert.pem");
        c.client_certificate_file = directory.file("cert.pem");
        c.client_key_pem = directory.read("key.pem");
        c.client_key_file = directory.file("key.pem");
        return c;
    }
    wire_server::script notes() {
        return [this](wire_peer& p) {
            names.push_back(p.shown_name());
            answers_hello(p);
        };
    }
    identity server() const { return ca.issue("s", "IP:127.0.0.1"); }

    certificate_authority ca;
    certificate_authority client_ca{"client CA"};
    scratch_directory directory;
    kube::https_options options;
    std::vector<std::string> names;
};

auto const each = boost::test_tools::per_element();

} // namespace

BOOST_AUTO_TEST_CASE(basic_authentication_requires_tls_and_is_hidden) {
    certificate_authority const ca;
    std::string request;
    auto const echoes = [&](wire_peer& p) {
        request = p.read_request();
        p.answer("no " + authorization_in(request) + " pa55word", "500 Failed", "Content-Type: text/plain\r\n");
        p.wait_for_end();
    };
    auto c = trusting(ca);
    c.username = "me";
    c.password = "pa55word";
    wire_server s({echoes}, ca.issue("s", "IP:127.0.0.1"));
    wired w(s, c);
    diagnostics why;
    answer_probe<std::string> p;
    kube::client(w.link).async_call(wired::request("GET", "/"), kube::call_options().with_retry(false).with_detail(why),
                                    p.handler());
    w.run();
    BOOST_TEST(authorization_in(request) == "Basic bWU6cGE1NXdvcmQ=");
    BOOST_TEST(why.message.find("no Basic [hidden] [hidden]") != why.message.npos, why.message);
    w.link.reset();
    w.run(1ms);

    wire_server open({echoes});
    c.server = "http://127.0.0.1";
    wired x(open, c);
    x.get();
    BOOST_TEST(authorization_in(request) == "none");
    x.link.reset();

    asio::io_context context;
    c.server = "https://h";
    c.token = "t";
    auto const both = kube::make_https_transport(context.get_executor(), c);
    BOOST_TEST_REQUIRE(both.has_error());
    BOOST_TEST(both.error().to_string() == "username: cannot be combined with a token");
}

BOOST_AUTO_TEST_CASE(a_client_can_impersonate_another_user_than_its_transport) {
    std::vector<std::string> heads;
    wire_server s({[&](wire_peer& p) {
        for (auto head = p.read_request(); !head.empty(); head = p.read_request()) {
            heads.push_back(head);
            p.answer("hello");
        }
    }});
    kube::config c;
    c.as.with_user("jane").with_groups({"g"});
    wired w(s, c);
    BOOST_TEST(w.get() == "hello");
    answer_probe<std::string> p;
    kube::client const other(w.link, kube::client_options().with_impersonation(kube::impersonation().with_user("joe")));
    other.async_call(wired::request("GET", "/"), kube::call_options(), p.handler());
    w.run();
    BOOST_TEST(p.ec() == error_code());
    answer_probe<std::string> q;
    diagnostics why;
    kube::client(w.link, kube::client_options().with_impersonation(kube::impersonation().with_uid("7")))
        .async_call(wired::request("GET", "/"), kube::call_options().with_detail(why), q.handler());
    w.run();
    BOOST_TEST(q.ec() == make_error_code(errc::invalid_argument));
    BOOST_TEST(why.path == "as.user");
    w.link.reset();
    w.run(1ms);
    BOOST_TEST_REQUIRE(heads.size() == 2U);
    BOOST_TEST(heads[0].find("\r\nImpersonate-User: jane\r\nImpersonate-Group: g\r\n") != std::string::npos, heads[0]);
    BOOST_TEST(heads[1].find("\r\nImpersonate-User: joe\r\n") != std::string::npos, heads[1]);
    BOOST_TEST(heads[1].find("Impersonate-Group") == std::string::npos, heads[1]);
}

BOOST_AUTO_TEST_CASE(new_connections_use_a_renewed_certificate_and_streams_continue) {
    watched_files files;
    wire_server s({[&](wire_peer& p) {
                       files.names.push_back(p.shown_name());
                       p.read_request();
                       p.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\none\r\n");
                       p.meanwhile([&](wire_peer& q) {
                           files.names.push_back(q.shown_name());
                           q.read_request();
                           q.answer("hello");
                       });
                       p.send("3\r\ntwo\r\n0\r\n\r\n");
                       files.notes()(p);
                   },
                   files.notes(), files.notes()}, // one may go to a ticket, which such a server refuses
                  files.server(), files.client_ca.certificate());
    wired w(s, files.config(), files.options);
    answer_probe<kube::streamed_response> head;
    w.link->async_open(wired::request("GET", "/watch"), head.handler());
    w.run();
    BOOST_TEST_REQUIRE(head.ec() == error_code());
    auto const read = [&] {
        answer_probe<std::string> p;
        head.value().body->async_read(p.handler());
        w.run();
        return p.ec() ? p.ec().message() : p.value();
    };
    BOOST_TEST(read() == "one");
    files.write("second");
    BOOST_TEST(w.get() == "hello");
    BOOST_TEST(read() == "two");
    BOOST_TEST(read() == error_code(asio::error::eof).message());
    head.value().body.reset();
    BOOST_TEST(w.get() == "hello"); // and not on the connection of the stream, which showed the old one
    w.link.reset();
    w.run(1ms);
    BOOST_TEST(files.names.back() == "second");
    BOOST_TEST(files.names.size() >= 3U);
}

BOOST_AUTO_TEST_CASE(partially_written_files_are_ignored) {
    watched_files files;
    wire_server s({files.notes(), files.notes()}, files.server(), files.client_ca.certificate());
    wired w(s, files.config(), files.options);
    BOOST_TEST(w.get() == "hello");
    auto const key = files.directory.read("key.pem");
    files.directory.write("cert.pem", files.client_ca.issue("second", "").certificate); // its key is yet to come
    BOOST_TEST(w.get() == "hello");
    certificate_form rsa;
    rsa.rsa = true;
    files.directory.write("cert.pem", files.client_ca.issue("second", "", rsa).certificate);
    BOOST_TEST(w.get() == "hello");
    files.directory.write("key.pem", "");
    BOOST_TEST(w.get() == "hello");
    files.directory.write("ca.pem", "nonsense");
    files.directory.write("key.pem", key);
    BOOST_TEST(w.get() == "hello");
    BOOST_TEST(s.accepted() == 1U);
    files.directory.write("ca.pem", files.ca.certificate());
    files.write("second");
    BOOST_TEST(w.get() == "hello");
    BOOST_TEST(s.accepted() == 2U);
    w.link.reset();
    w.run(1ms);
    BOOST_TEST(files.names == (std::vector<std::string>{"first", "second"}), each);
}

BOOST_AUTO_TEST_CASE(a_renewed_certificate_authority_is_trusted) {
    watched_files files;
    certificate_authority const next("next CA");
    wire_server s({[](wire_peer&) {}, answers_hello}, next.issue("s", "IP:127.0.0.1"));
    auto options = files.options;
    options.file_interval = 1h;
    wired w(s, files.config(), options);
    w.get(); // after a failed handshake the files are looked into, however short ago that was
    BOOST_TEST(w.last.message().find("certificate verify failed") != std::string::npos, w.last.message());
    files.directory.write("ca.pem", next.certificate());
    BOOST_TEST(w.get() == "hello");
    w.link.reset();
}

BOOST_AUTO_TEST_CASE(a_rejected_certificate_is_reloaded_and_the_request_retried) {
    watched_files files;
    auto options = files.options;
    options.file_interval = 1h;
    wire_server s({[&](wire_peer& p) {
                       files.names.push_back(p.shown_name());
                       p.read_request();
                       files.write("second");
                       p.answer("expired", "401 Unauthorized");
                   },
                   files.notes()},
                  files.server(), files.client_ca.certificate());
    wired w(s, files.config(), options);
    BOOST_TEST(w.get() == "hello");
    w.link.reset();
    w.run(1ms);
    BOOST_TEST(files.names == (std::vector<std::string>{"first", "second"}), each);
}

BOOST_AUTO_TEST_CASE(all_requests_with_the_old_certificate_are_retried) {
    watched_files files;
    auto options = files.options;
    options.file_interval = 1h;
    wire_server::script const once = [](wire_peer& p) {
        p.read_request();
        p.answer("hello", "200 OK", "Connection: close\r\n");
    };
    wire_server s({[&](wire_peer& p) {
                       p.read_request();
                       bool received = false;
                       auto const refuses = [&](wire_peer& q) {
                           received = !q.read_request().empty();
                           files.write("second");
                           q.answer("expired", "401 Unauthorized");
                       };
                       while (!received) p.meanwhile(refuses); // one may go to a ticket
                       p.answer("expired", "401 Unauthorized");
                   },
                   once, once, once, once},
                  files.server(), files.client_ca.certificate());
    wired w(s, files.config(), options);
    answer_probe<std::string> probes[2];
    for (auto& p : probes)
        kube::client(w.link).async_call(wired::request("POST", "/x"), kube::call_options().with_retry(false),
                                        p.handler());
    w.run();
    for (auto& p : probes) BOOST_TEST(p.ec() == error_code());
    w.link.reset();
}

BOOST_AUTO_TEST_CASE(a_rejected_token_file_is_reloaded_and_the_request_retried) {
    watched_files files;
    files.directory.write("token", "first");
    std::vector<std::string> shown;
    wire_server s({[&](wire_peer& p) {
                      for (auto request = p.read_request(); !request.empty(); request = p.read_request()) {
                          shown.push_back(authorization_in(request));
                          if (shown.size() == 1) files.directory.write("token", "second\n");
                          p.answer("",
                                   shown.back() == "Bearer second" && shown.size() < 3 ? "200 OK" : "401 Unauthorized");
                      }
                  }},
                  files.server());
    auto c = trusting(files.ca);
    c.token_file = files.directory.file("token");
    wired w(s, c);
    w.call("POST", "/x", "{}");
    BOOST_TEST(w.last == error_code());
    w.get(); // there is no other token: nothing is repeated
    BOOST_TEST(w.last == make_error_code(reason::unauthorized));
    w.link.reset();
    w.run(1ms);
    BOOST_TEST(shown == (std::vector<std::string>{"Bearer first", "Bearer second", "Bearer second"}), each);
}

BOOST_AUTO_TEST_SUITE_END()
