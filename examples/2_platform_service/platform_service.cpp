// A platform service: HTTP in front, training jobs on any cluster behind. README.md describes it.
#include "http_server.hpp"
#include "jobs_api.hpp"
#include "page.hpp"

#include <kftrain/control/operator_metrics.hpp>
#include <kftrain/kube/default_config.hpp>
#include <kftrain/kube/https_transport.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>

#include <csignal>
#include <fstream>
#include <iostream>

namespace asio = boost::asio;
namespace kube = kftrain::kube;

namespace {

constexpr auto grace = std::chrono::seconds(20); // to answer the last requests after SIGTERM

constexpr auto usage = "usage: platform_service [--address ADDRESS] [--port PORT] [--token-file FILE]\n";

service::server_options read_arguments(int argc, char** argv) {
    service::server_options options;
    for (int i = 1; i < argc; i += 2) {
        std::string const name = argv[i];
        if (i + 1 == argc) throw std::invalid_argument(usage);
        std::string const value = argv[i + 1];
        if (name == "--address") {
            options.address = value;
        } else if (name == "--port") {
            auto const n = kftrain::from_json<std::uint16_t>(value);
            if (!n) throw std::invalid_argument("--port: expected 0 to 65535, got " + value);
            options.port = *n;
        } else if (name == "--token-file") {
            std::ifstream file(value);
            std::getline(file, options.token);
            if (options.token.empty()) throw std::invalid_argument("--token-file: no token in " + value);
        } else {
            throw std::invalid_argument(usage);
        }
    }
    if (options.token.empty() && !asio::ip::make_address(options.address).is_loopback())
        throw std::invalid_argument("--token-file is required to listen on " + options.address);
    return options;
}

std::string name_of(service::http_request const& request) {
    if (request.parts.empty()) return "/";
    return request.parts.size() == 1 ? request.parts.front() : "";
}

} // namespace

int main(int argc, char** argv) {
    try {
        auto options = read_arguments(argc, argv);
        auto const config = kube::default_config(kube::process_environment()).value(); // what kubectl would use
        asio::io_context context(1);
        auto client_options = kube::client_options().with_user_agent("platform-service/1.0");
        auto const requests = kftrain::control::count_requests(client_options);
        auto const transport = kube::make_https_transport(context.get_executor(), config).value();
        kftrain::training_client jobs(kube::client(transport, client_options), config.namespace_);
        jobs.follow_all_namespaces();
        service::jobs_api api(jobs);

        service::server* self = nullptr;
        auto const handle = [&](service::http_request const& request) -> asio::awaitable<service::answer> {
            auto const name = name_of(request);
            if (request.method == "GET" && name == "/")
                co_return service::reply(200, std::string(service::page), "text/html; charset=utf-8");
            if (request.method == "GET" && name == "healthz") co_return service::reply(200, "{}");
            if (request.method == "GET" && name == "readyz") {
                bool const is_ready = co_await api.is_ready();
                co_return service::reply(is_ready ? 200 : 503, is_ready ? "{}" : R"({"message":"no cluster"})");
            }
            if (request.method == "GET" && name == "metrics") {
                auto text = self->metrics() + kftrain::control::prometheus_text({}, requests.get());
                co_return service::reply(200, std::move(text), std::string(kftrain::control::prometheus_content_type));
            }
            auto response = co_await api.handle(request);
            co_return response;
        };
        options.is_public =
            [](service::http_request const& request) { // the page has a field for the token; probes have no token
                auto const name = name_of(request);
                return name == "/" || name == "healthz" || name == "readyz";
            };
        options.route_name = [](service::http_request const& request) {
            auto const name = name_of(request);
            bool const is_own = name == "/" || name == "healthz" || name == "readyz" || name == "metrics";
            return is_own ? name : service::jobs_api::route_name(request);
        };
        service::server server(context.get_executor(), options, handle);
        self = &server;

        asio::signal_set signals(context, SIGINT, SIGTERM);
        asio::steady_timer limit(context);
        signals.async_wait([&](kftrain::error_code, int) {
            server.stop();
            limit.expires_after(grace);
            limit.async_wait([&](kftrain::error_code) { context.stop(); });
        });
        asio::co_spawn(context, server.run(), [&](std::exception_ptr) { context.stop(); });
        std::cout << "listening on " << server.endpoint() << std::endl;
        context.run();
    } catch (std::exception const& e) {
        std::cerr << "platform_service: " << e.what() << '\n';
        return 1;
    }
}
