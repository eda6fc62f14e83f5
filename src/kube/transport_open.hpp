#ifndef KFTRAIN_SRC_KUBE_TRANSPORT_OPEN_HPP
#define KFTRAIN_SRC_KUBE_TRANSPORT_OPEN_HPP

#include "kube/redaction.hpp"
#include "kube/transport_connection.hpp"
#include "kube/transport_request.hpp"

#include <kftrain/kube/transport.hpp>

#include <memory>

namespace kftrain::kube::detail {

/// What the requests of one transport share.
struct link_state {
    link_state(std::shared_ptr<connection_pool> p, server_url s, std::unique_ptr<bearer> t, config const& c,
               https_options const& o)
        : pool(std::move(p)), server(std::move(s)), token(std::move(t)), options(o) {
        hidden.add(c.token);
        hidden.add(c.client_key_pem);
    }

    std::shared_ptr<connection_pool> pool;
    server_url server;
    std::unique_ptr<bearer> token;
    https_options options;
    secrets hidden;
};

/// What transport::async_open() does.
void open(std::shared_ptr<link_state> link, http_request request,
          any_handler<void(error_code, streamed_response)> handler);

} // namespace kftrain::kube::detail

#endif
