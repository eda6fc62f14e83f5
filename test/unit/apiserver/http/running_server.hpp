#ifndef KFTRAIN_TEST_UNIT_APISERVER_HTTP_RUNNING_SERVER_HPP
#define KFTRAIN_TEST_UNIT_APISERVER_HTTP_RUNNING_SERVER_HPP

#include "unit/apiserver/requests.hpp"

#include <kftrain/apiserver/api_server.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/test/unit_test.hpp>

namespace sample {

struct running {
    explicit running(api_server_options options = {}) {
        if (!options.clock) options.clock = [] { return at(0); };
        server.emplace(context.get_executor(), std::move(options));
        BOOST_REQUIRE(server->register_resource(job_definition()).has_value());
        link = server->transport();
    }

    void turn() {
        context.restart();
        context.poll();
    }
    kube::streamed_response open(kube::http_request r) {
        std::optional<kube::streamed_response> out;
        link->async_open(std::move(r), [&](error_code ec, kube::streamed_response s) {
            BOOST_TEST(!ec);
            out = std::move(s);
        });
        BOOST_TEST(!out.has_value()); // never inline
        turn();
        BOOST_REQUIRE(out.has_value());
        return std::move(*out);
    }
    kube::streamed_response open(std::string method, std::string target, std::string body = "") {
        return open(request(std::move(method), std::move(target), std::move(body)));
    }
    void make_pod(std::string const& name) {
        auto const r =
            open("POST", pods_path,
                 R"({"metadata":{"name":")" + name + R"("},"spec":{"containers":[{"name":"c","image":"i"}]}})");
        BOOST_TEST(r.head.status == 201u);
    }

    struct arrived {
        bool done = false;
        error_code ec;
        std::string text;
    };
    using piece = std::shared_ptr<arrived>; // outlives a read that the test leaves pending
    void read(kube::body_stream& body, piece& into) {
        into = std::make_shared<arrived>();
        body.async_read([into](error_code ec, std::string text) {
            into->done = true;
            into->ec = ec;
            into->text = std::move(text);
        });
        BOOST_TEST(!into->done); // never inline
        turn();
    }

    asio::io_context context;
    std::optional<api_server> server;
    std::shared_ptr<kube::transport> link;
};

inline std::string types(std::string_view lines) {
    std::string out;
    while (!lines.empty()) {
        auto const end = lines.find('\n');
        auto const event = parse_object(lines.substr(0, end)).value();
        auto const* name = at_path(event, "object.metadata.name");
        out += std::string(event.at("type").as_string()) +
               (name != nullptr ? ":" + std::string(name->as_string()) : "") + " ";
        lines.remove_prefix(end + 1);
    }
    return out;
}

} // namespace sample

#endif
