#ifndef KFTRAIN_TEST_BENCH_SERVER_PLAIN_SERVER_HPP
#define KFTRAIN_TEST_BENCH_SERVER_PLAIN_SERVER_HPP

#include "bench/server/api_server_process.hpp"

namespace kftrain::bench {

/** The baseline of the API server, with Beast, Asio, OpenSSL and Boost.JSON alone: a map from name to text, which POST
    fills, GET lists, PATCH merges into, and whose changes watches receive. It checks nothing, knows one collection, and
    has neither selectors, paging, history, limits nor deadlines. Otherwise like serve_api(). */
void serve_plainly(server_process::ready_function const& ready, server_process::show_function const& show);

} // namespace kftrain::bench

#endif
