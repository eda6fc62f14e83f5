#include "local/cluster/cluster_listener.hpp"

#include <random>
#include <unistd.h>

namespace kftrain::local {
namespace {

/// 256 bits from the system's generator, in hexadecimal.
std::string random_token() {
    static constexpr std::string_view digits = "0123456789abcdef";
    std::random_device system;
    std::string token;
    while (token.size() < 64) {
        auto bits = system();
        for (int i = 0; i < 8; ++i, bits >>= 4U) token += digits[bits & 0xFU];
    }
    return token;
}

} // namespace

result<cluster_listener> open_cluster_listener(apiserver::api_server& server, listen_options const& options, logger log,
                                               std::optional<int> native_socket) {
    auto identity = apiserver::make_self_signed_identity({options.address});
    if (!identity) {
        if (native_socket) ::close(*native_socket);
        return identity.error();
    }
    kube::config config;
    config.ca_pem = identity->certificate_pem;
    config.token = random_token();

    apiserver::listener_options o;
    o.address = options.address;
    o.port = options.port;
    o.native_socket = native_socket;
    o.tls = std::move(*identity);
    o.bearer_token = config.token;
    o.log = std::move(log);
    for (auto const& user : options.users) o.users.emplace_back(random_token(), user);
    auto const users = o.users;
    auto listening = apiserver::listener::open(server, std::move(o));
    if (!listening) return listening.error();
    config.server = listening->url();
    std::vector<kube::config> others;
    for (auto const& user : users) {
        auto& other = others.emplace_back(config);
        other.context = other.context_user = user.user.name;
        other.token = user.token;
    }
    return cluster_listener{std::move(*listening), std::move(config), std::move(others)};
}

} // namespace kftrain::local
