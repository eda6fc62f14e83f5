#ifndef KFTRAIN_SRC_FACADE_EXPLAIN_ASK_ALL_HPP
#define KFTRAIN_SRC_FACADE_EXPLAIN_ASK_ALL_HPP

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

/// What became of one call.
struct call_answer {
    call_answer() = default;

    error_code ec;
    std::string text;
    diagnostics detail;

    std::string why() const { return failure(ec, detail).to_string(); }
};

/** Carries out the requests, some at the same time; the answers are in their order. Of longer answers than `longest_end`, unless it is 0,
    the end is kept as they come, from the beginning of a line where there is one. Fails only when it is cancelled, and with it all that it
    has begun. */
boost::asio::awaitable<std::vector<call_answer>> call_all(kube::client client,
                                                          std::vector<result<kube::http_request>> requests,
                                                          kube::call_options options, std::size_t longest_end = 0);

/// One object, or a list of all pages.
struct question {
    question() = default;

    resource_info const* type = nullptr;
    std::string namespace_;
    std::string name; ///< of the object; empty: the list that `which` selects
    kube::list_options which;
    /// Takes an answer; hands back the token of the next page, empty behind the last.
    std::function<result<std::string>(std::string const&)> take;
    /// Is told, once, that there is no answer or not all of it.
    std::function<void(error_code, std::string const& why)> lacks;
    std::shared_ptr<question> instead; ///< is asked where this is not allowed or not served
};

/// Asks all of them at the same time, page by page.
boost::asio::awaitable<void> ask_all(kube::client client, std::vector<question> questions, kube::call_options options);

} // namespace kftrain::explaining

#endif
