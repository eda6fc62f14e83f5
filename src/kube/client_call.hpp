#ifndef KFTRAIN_SRC_KUBE_CLIENT_CALL_HPP
#define KFTRAIN_SRC_KUBE_CLIENT_CALL_HPP

#include "kube/client_core.hpp"

#include <memory>
#include <string>

namespace kftrain::kube::detail {

/** Sends a valid request and, if it expects a body, retries it as client::async_call() documents. If `report` is not
    null, it must live until the handler was called. */
void carry_out(std::shared_ptr<client::state> const& s, any_handler<void(error_code, std::string)> handler,
               http_request&& request, call_options const& options, call_report* report);
void carry_out(std::shared_ptr<client::state> const& s,
               any_handler<void(error_code, std::unique_ptr<body_stream>)> handler, http_request&& request,
               call_options const& options, call_report* report);

} // namespace kftrain::kube::detail

#endif
