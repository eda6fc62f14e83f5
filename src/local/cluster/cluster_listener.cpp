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

/// The key of the authority is not kept: it signs nothing else.
result<void> add_certificates(std::vector<apiserver::user_info> const& users, apiserver::listener_options& options,
                              std::vector<kube::config>& configs) {
    auto const authority = apiserver::make_client_authority();
    if (!authority) return authority.error();
    options.client_ca_pem = authority->certificate_pem;
    for (std::size_t i = 0; i < users.size(); ++i) {
        auto made = apiserver::make_client_identity(*authority, users[i]);
        if (!made) return made.error();
        configs[i].client_certificate_pem = std::move(made->certificate_pem);
        configs[i].client_key_pem = std::move(made->key_pem);
    }
    return {};
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
    std::vector<kube::config> others(options.users.size());
    if (options.user_certificates) {
        auto const added = add_certificates(options.users, o, others);
        if (!added) {
            if (native_socket) ::close(*native_socket);
            return added.error();
        }
    } else {
        for (std::size_t i = 0; i < others.size(); ++i) {
            others[i].token = random_token();
            o.users.emplace_back(others[i].token, options.users[i]);
        }
    }
    auto listening = apiserver::listener::open(server, std::move(o));
    if (!listening) return listening.error();
    config.server = listening->url();
    for (std::size_t i = 0; i < others.size(); ++i) {
        others[i].server = config.server;
        others[i].ca_pem = config.ca_pem;
        others[i].context = others[i].context_user = options.users[i].name;
    }
    return cluster_listener{std::move(*listening), std::move(config), std::move(others)};
}

} // namespace kftrain::local
