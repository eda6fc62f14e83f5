#ifndef KFTRAIN_SRC_FACADE_EXPLAIN_PARALLEL_QUERIES_HPP
#define KFTRAIN_SRC_FACADE_EXPLAIN_PARALLEL_QUERIES_HPP

#include <kftrain/kube/client.hpp>
#include <kftrain/kube/request.hpp>
#include <kftrain/model/resource.hpp>

#include <boost/asio/awaitable.hpp>

#include <functional>
#include <memory>
#include <string>
#include <vector>

// Several requests at the same time, within a coroutine.
namespace kftrain::explaining {

/// The outcome of one call.
struct call_answer {
    call_answer() = default;

    error_code ec;
    std::string text;
    diagnostics detail;

    std::string why() const { return failure(ec, detail).to_string(); }
};

/** Sends the requests, some at the same time. The answers are in the order of the requests. If `longest_end` is not 0,
    only the end of longer answers is kept, if possible from the beginning of a line. Fails only if it is cancelled,
    which cancels all its requests. */
boost::asio::awaitable<std::vector<call_answer>> call_all(kube::client client,
                                                          std::vector<result<kube::http_request>> requests,
                                                          kube::call_options options, std::size_t longest_end = 0);

/// One object, or a list of all pages.
struct query {
    query() = default;

    resource_info const* type = nullptr;
    std::string namespace_;
    std::string name; ///< of the object; empty: the list that `which` selects
    kube::list_options which;
    /// Takes an answer; returns the token of the next page, empty after the last.
    std::function<result<std::string>(std::string const&)> take;
    /// Called once if the answer is missing or incomplete.
    std::function<void(error_code, std::string const& why)> lacks;
    std::shared_ptr<query> instead; ///< used if this one is forbidden or not served
};

/// Sends all queries at the same time, page by page.
boost::asio::awaitable<void> run_queries(kube::client client, std::vector<query> queries, kube::call_options options);

} // namespace kftrain::explaining

#endif
