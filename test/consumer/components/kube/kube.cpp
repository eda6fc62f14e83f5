// The client: TLS to a server that does not exist.
#include <kftrain/kube/api.hpp>
#include <kftrain/kube/https_transport.hpp>
#include <kftrain/objects/core/config_map.hpp>

#include <boost/asio/io_context.hpp>

#include <iostream>

int main() {
    boost::asio::io_context context;
    kftrain::kube::config config;
    config.server = "https://127.0.0.1:1";
    auto const transport = kftrain::kube::make_https_transport(context.get_executor(), config);
    if (!transport) return 1;
    kftrain::kube::client const client(*transport, kftrain::kube::client_options().with_max_attempts(1));
    bool failed = false;
    kftrain::kube::api<kftrain::core::config_map>(client, "default")
        .async_get("none", [&](kftrain::error_code ec, kftrain::core::config_map const&) {
            failed = is_unreached(ec);
            std::cout << "expected failure: " << ec.message() << '\n';
        });
    context.run();
    return failed ? 0 : 1;
}
