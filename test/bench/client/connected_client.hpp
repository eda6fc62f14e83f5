#ifndef KFTRAIN_TEST_BENCH_CLIENT_CONNECTED_CLIENT_HPP
#define KFTRAIN_TEST_BENCH_CLIENT_CONNECTED_CLIENT_HPP

#include "bench/client/canned_server.hpp"
#include "bench/support/arguments.hpp"

#include <kftrain/kube/client.hpp>
#include <kftrain/kube/config.hpp>

#include <boost/asio/io_context.hpp>

namespace kftrain::bench {

/// How to reach a server of a bench.
kube::config config_of(server_address const& server);
/// Whether the command line names a server, by `--server URL --ca FILE` or `--kubeconfig FILE`.
bool names_server(arguments const& a);
kube::config config_of(arguments const& a);

/// A client over HTTPS. Warnings go to stderr.
kube::client connect(boost::asio::io_context& context, kube::config const& server);
kube::client connect(std::shared_ptr<kube::transport> transport);

} // namespace kftrain::bench

#endif
