#ifndef KFTRAIN_KUBE_HTTPS_TRANSPORT_HPP
#define KFTRAIN_KUBE_HTTPS_TRANSPORT_HPP

#include <kftrain/base/diagnostics.hpp>
#include <kftrain/kube/config.hpp>
#include <kftrain/kube/transport.hpp>

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kftrain::kube {

/// Limits of the HTTP(S) transport. The defaults suit API servers.
struct https_options {
    https_options() = default;

    std::chrono::milliseconds connect_timeout{30'000};         ///< name resolution and all addresses together
    std::chrono::milliseconds connect_address_timeout{10'000}; ///< each address
    std::chrono::milliseconds handshake_timeout{10'000};       ///< TLS
    /// Maximum wait for the TLS session of the first connection; see below.
    std::chrono::milliseconds first_connection_wait{40};
    std::chrono::milliseconds idle_timeout{60'000}; ///< for a connection kept open; servers close it after 90 s
    std::size_t idle_connections = 32;
    /// For the head of a response, in bytes; more than 16 MiB counts as 16 MiB.
    std::size_t header_limit = 1024 * 1024;
    std::chrono::milliseconds file_interval{50'000};  ///< time after which token and certificate files are read again
    std::chrono::milliseconds plugin_timeout{60'000}; ///< for one run of a plugin, which is then killed
    /// For the output of a plugin, in bytes; a plugin that exceeds it is killed.
    std::size_t plugin_output_limit = 1024 * 1024;
    /// Plugins that may run: a path allows only that command, a name the command found in PATH. Not set: all. This
    /// limits commands, not their arguments or environment: see plugin_variables.
    std::optional<std::vector<std::string>> allowed_plugins;
    /// Whether a configuration may set environment variables for its plugin: some variables make any program load or
    /// run other code.
    bool plugin_variables = true;
};

/** Creates a transport over HTTP/1.1, with TLS 1.2 or later for `https` URLs. Connections are kept open and reused,
    the most recent one first. A GET that fails on a reused connection before the first byte of the response is
    retried once on a new connection. TLS sessions of verified servers are resumed, for at most one hour and no
    longer than their certificates are valid. If many requests find no connection, the others wait for the TLS
    session of the first one, at most https_options::first_connection_wait; if that wait times out once, later
    requests do not wait again.

    Files that `c` names are read again after changes: see https_options::file_interval. New contents apply to new
    connections and requests; streams go on. A plugin of `c` runs when a request needs it. After a 401 response the
    transport renews the credentials once if they can be renewed and retries the request, unless the request has its
    own Authorization field. Tokens and passwords are sent over TLS only. Messages and log records contain no token,
    password or key, even if the server repeats them. A plugin that still runs after the last operation and the
    transport have ended is killed and reaped.
    @par Errors `errc::invalid_argument` for an unusable URL, certificate, key, proxy or issuer, an unreadable token
    file, contradicting credentials, a plugin that https_options::allowed_plugins does not allow, or variables that
    it must not have; `errc::not_supported` for a plugin that requires a terminal and for unsupported proxies.
    @par Object lifetimes May be destroyed while operations run, on any thread; the operations keep what they need.
    Work for the credentials is ended on `executor`.
    @par Thread safety Distinct objects: safe. Shared objects: unsafe, unless `executor` is a strand or runs on one
    thread. */
[[nodiscard]] result<std::shared_ptr<transport>> make_https_transport(asio::any_io_executor executor, config const& c,
                                                                      https_options const& options = {});

} // namespace kftrain::kube

#endif
