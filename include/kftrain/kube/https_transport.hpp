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

/// Limits of the HTTP(S) transport. The defaults fit API servers.
struct https_options {
    https_options() = default;

    std::chrono::milliseconds connect_timeout{30'000};         ///< name lookup and all addresses together
    std::chrono::milliseconds connect_address_timeout{10'000}; ///< each address
    std::chrono::milliseconds handshake_timeout{10'000};       ///< TLS
    std::chrono::milliseconds first_connection_wait{40};       ///< for the first one's TLS session; see below
    std::chrono::milliseconds idle_timeout{60'000};            ///< of a kept connection; servers end it after 90 s
    std::size_t idle_connections = 32;
    std::size_t header_limit = 1024 * 1024; ///< of an answer's head, in bytes; more than 16 MiB count as 16 MiB
    std::chrono::milliseconds file_interval{50'000};  ///< after which files of tokens and certificates are read again
    std::chrono::milliseconds plugin_timeout{60'000}; ///< of one run of a plugin, which is killed then
    std::size_t plugin_output_limit = 1024 * 1024;    ///< of what a plugin prints, in bytes; then it is killed
    /// Plugins that may be run: a path is that command alone, a name the one that PATH leads to. Nothing: all. It limits commands, not what they are
    /// told: see plugin_variables.
    std::optional<std::vector<std::string>> allowed_plugins;
    /// Whether a configuration may set variables for its plugin: some make any program load or run others.
    bool plugin_variables = true;
};

/** A transport over HTTP/1.1, with TLS 1.2 or later for `https` URLs. Finished connections are kept and used again,
    the last one first. A GET that fails on a kept connection before any byte of the answer is repeated once on a new
    one. TLS sessions are resumed with what a verified server gave to that end, for at most an hour and no longer than its
    certificates last. When many requests find no connection, the others wait for the first one's session, at most
    https_options::first_connection_wait and only once in vain.

    Files that `c` names are read again as they change: see https_options::file_interval. What is new serves new connections and requests; streams
    go on. A plugin of `c` is run when a request needs it. After an answer 401 what can be renewed is renewed once, and the request is repeated,
    unless it brought an Authorization field of its own. Tokens and passwords are sent over TLS only. Messages and log records hold neither
    token, password nor key, also when the server repeats them. A plugin that runs when the last operation and the transport have gone
    is killed and reaped then.
    @par Errors `errc::invalid_argument` for an unusable URL, certificate, key, proxy or issuer, an unreadable token file, contradicting
    credentials, a plugin that is not among https_options::allowed_plugins, or has variables that it may not have; `errc::not_supported` for a plugin that wants to ask at the terminal
    and for proxies that there is no code for.
    @par Object lifetimes May be destroyed while operations run, on any thread; they keep what they need. What runs for the credentials is
    ended on `executor`.
    @par Thread safety Distinct objects: safe. Shared objects: unsafe, unless `executor` is a strand or runs on one
    thread. */
result<std::shared_ptr<transport>> make_https_transport(asio::any_io_executor executor, config const& c,
                                                        https_options const& options = {});

} // namespace kftrain::kube

#endif
