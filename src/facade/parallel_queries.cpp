#include "facade/parallel_queries.hpp"

#include "kube/answers/page_guard.hpp"
#include "kube/async/operation.hpp"
#include "kube/async/waiting_caller.hpp"
#include "kube/calls/client_state.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/error.hpp>

#include <algorithm>
#include <list>

namespace kftrain {
namespace {

namespace asio = boost::asio;

/// Requests that are under way at the same time.
constexpr std::size_t most_calls = 8;
/// Pages of one list; further pages are left out, and this is reported.
constexpr std::size_t max_pages = 40;

using answers_handler = kube::any_handler<void(error_code, std::vector<call_answer>)>;

/// Keeps the end of a text. Drops a first line that is incomplete, unless it is the only line.
void keep_end(std::string& text, std::size_t longest) {
    if (text.size() <= longest) return;
    auto from = text.size() - longest;
    auto const line = text.find('\n', from - 1);
    if (line != text.npos && line + 1 < text.size()) from = line + 1;
    text.erase(0, from);
}

asio::awaitable<std::string> read_end(kube::client client, result<kube::http_request> request,
                                      kube::call_options options, std::size_t longest) {
    kube::detail::call_report report;
    auto opened = co_await kube::detail::open(client, std::move(request), std::move(options), report);
    if (auto const ec = std::get<0>(opened)) kube::detail::fail(ec);
    auto const body = std::move(std::get<1>(opened));
    std::string end;
    for (;;) {
        auto piece = co_await kube::detail::read_piece(client.get_executor(), *body);
        auto const ec = std::get<0>(piece);
        if (ec && ec != asio::error::eof) kube::detail::fail(ec);
        if (!ec) end += std::get<1>(piece);
        if (ec || end.size() > 2 * longest) keep_end(end, longest);
        if (ec) co_return end;
    }
}

/// Kept by the handlers of its calls alone.
class calls : public std::enable_shared_from_this<calls> {
public:
    calls(kube::client c, std::vector<result<kube::http_request>> r, kube::call_options o, std::size_t longest_end,
          answers_handler h)
        : client_(std::move(c)),
          requests_(std::move(r)),
          options_(std::move(o)),
          longest_end_(longest_end),
          answers_(requests_.size()),
          signals_(requests_.size()),
          caller_(std::move(h), client_.get_executor()) {}

    void start() {
        if (auto slot = caller_.slot(); slot.is_connected())
            slot.assign([weak = weak_from_this()](asio::cancellation_type) {
                if (auto const self = weak.lock()) self->cancel();
            });
        while (next_ < requests_.size() && running_ < most_calls) begin(next_++);
    }

private:
    void begin(std::size_t i) {
        ++running_;
        auto how = options_;
        how.detail = &answers_[i].detail;
        auto done = [self = shared_from_this(), i](error_code ec, std::string text) {
            self->answers_[i].ec = ec;
            self->answers_[i].text = std::move(text);
            self->ended();
        };
        kube::any_handler<void(error_code, std::string)> handler(asio::bind_cancellation_slot(
            signals_[i].slot(), asio::bind_executor(client_.get_executor(), std::move(done))));
        if (longest_end_ == 0)
            return kube::detail::client_access::start(client_, std::move(handler), std::move(requests_[i]),
                                                      std::move(how));
        kube::detail::deadline limit(how.timeout, how.detail, "reading of an answer");
        kube::detail::spawn(client_.get_executor(),
                            read_end(client_, std::move(requests_[i]), std::move(how), longest_end_), std::move(limit),
                            std::move(handler));
    }

    void ended() {
        --running_;
        if (!cancelled_ && next_ < requests_.size()) return begin(next_++);
        if (running_ != 0) return;
        error_code const ec = cancelled_ ? error_code(asio::error::operation_aborted) : error_code();
        caller_.complete(ec, std::move(answers_));
    }

    void cancel() {
        auto const self = shared_from_this();
        cancelled_ = true;
        for (std::size_t i = 0; i < next_; ++i) signals_[i].emit(asio::cancellation_type::terminal);
    }

    kube::client client_;
    std::vector<result<kube::http_request>> requests_;
    kube::call_options options_;
    std::size_t longest_end_;
    std::vector<call_answer> answers_; // details of calls point into it
    std::vector<asio::cancellation_signal> signals_;
    kube::waiting_caller<std::vector<call_answer>> caller_;
    std::size_t next_ = 0;
    std::size_t running_ = 0;
    bool cancelled_ = false;
};

result<kube::http_request> request_of(query const& q) {
    if (!q.name.empty()) return kube::request::get(*q.type, q.namespace_, q.name);
    return kube::request::list(*q.type, q.namespace_, q.which);
}

struct open_query {
    open_query() = default;

    query current;
    kube::detail::page_guard guard;
    std::size_t pages = 0;
    bool open = true;
};

bool is_elsewhere(error_code ec) {
    return is_forbidden(ec) || is_not_found(ec) || ec == reason::method_not_allowed || ec == reason::not_acceptable;
}

void take_answer(open_query& q, call_answer const& answer) {
    q.open = false;
    if (answer.ec) {
        if (q.current.instead && q.pages == 0 && is_elsewhere(answer.ec)) {
            query other = *q.current.instead;
            q.current = std::move(other);
            q.open = true;
            return;
        }
        return q.current.on_missing(answer.ec, answer.why());
    }
    auto const next = q.current.take(answer.text);
    if (!next) return q.current.on_missing(next.error().code, next.error().to_string());
    if (next->empty()) return;
    if (auto const ends = q.guard.take(*next, false); !ends)
        return q.current.on_missing(ends.error().code, ends.error().to_string());
    q.current.which.continue_ = *next;
    q.open = ++q.pages < max_pages;
    if (!q.open) q.current.on_missing(errc::too_large, "the list is too long; its rest was not read");
}

} // namespace

asio::awaitable<std::vector<call_answer>> call_all(kube::client client,
                                                   std::vector<result<kube::http_request>> requests,
                                                   kube::call_options options, std::size_t longest_end) {
    std::vector<call_answer> none;
    if (requests.empty()) co_return none;
    auto const executor = client.get_executor();
    auto begin = [client, options, longest_end, requests = std::move(requests)](answers_handler h) mutable {
        auto const all = std::make_shared<calls>(client, std::move(requests), options, longest_end, std::move(h));
        all->start();
    };
    auto outcome = co_await kube::detail::initiate<void(error_code, std::vector<call_answer>)>(
        executor, asio::as_tuple(asio::use_awaitable), std::move(begin));
    if (auto const ec = std::get<0>(outcome)) kube::detail::fail(ec);
    co_return std::move(std::get<1>(outcome));
}

asio::awaitable<void> run_queries(kube::client client, std::vector<query> queries, kube::call_options options) {
    std::vector<open_query> all(queries.size());
    for (std::size_t i = 0; i < queries.size(); ++i) all[i].current = std::move(queries[i]);
    for (;;) {
        std::vector<std::size_t> open;
        std::vector<result<kube::http_request>> requests;
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (!all[i].open) continue;
            open.push_back(i);
            requests.push_back(request_of(all[i].current));
        }
        if (open.empty()) co_return;
        auto answers = co_await call_all(client, std::move(requests), options);
        for (std::size_t i = 0; i < open.size(); ++i) take_answer(all[open[i]], answers[i]);
    }
}

} // namespace kftrain
