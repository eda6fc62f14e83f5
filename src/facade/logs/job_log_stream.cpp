#include "facade/follow/job_board.hpp"
#include "facade/job_arguments.hpp"
#include "facade/logs/log_session.hpp"
#include "kube/async/blocking_form.hpp"
#include "kube/async/next_call.hpp"
#include "kube/async/operation.hpp"

#include <kftrain/job/scaling.hpp>
#include <kftrain/kube/blocking.hpp>
#include <kftrain/training_client.hpp>

#include <boost/asio/dispatch.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>

#include <optional>

namespace kftrain {
namespace {

/// So many lines are pushed before others have their turn.
constexpr int lines_per_turn = 64;

} // namespace

struct job_log_stream::state {
    using caller = kube::next_call<log_line>;

    explicit state(std::shared_ptr<log_session> const& s)
        : session(s), next(std::make_shared<caller>(s->client.get_executor(), lines_of(s))) {}

    static caller::source lines_of(std::shared_ptr<log_session> const& s) {
        caller::source from;
        from.ready = [s] { return !s->lines.empty() || s->ended; };
        from.take = [s]() -> std::optional<caller::outcome> {
            if (auto line = s->take()) return caller::outcome(error_code(), *std::move(line), diagnostics());
            if (s->ended) return caller::outcome(*s->ended, log_line(), s->details);
            return std::nullopt;
        };
        from.nothing = "no line of output";
        from.last_failure = [s] { return s->last_failure(); };
        return from;
    }

    void close() {
        next->close();
        // Coroutines may be cancelled on their executor only. If the executor ends first, it destroys them.
        asio::dispatch(session->client.get_executor(), [weak = std::weak_ptr(session)] {
            if (auto const open = weak.lock()) open->stop(asio::error::operation_aborted);
        });
    }

    static asio::awaitable<void> push(std::shared_ptr<detail::job_board> board, job_reference job,
                                      std::function<void(log_line const&)> sink, job_log_options options);

    std::shared_ptr<log_session> session;
    std::shared_ptr<caller> next;
};

void job_log_stream::start_next(std::shared_ptr<state> const& s, kube::any_handler<void(error_code, log_line)> handler,
                                kube::next_options options) {
    s->next->async_next(std::move(handler), options);
}

log_position job_log_stream::position() const { return state_ ? state_->session->position() : log_position(); }

result<log_line> job_log_stream::next(kube::next_options options) {
    return kube::detail::blocking_form<log_line>(state_.place(), std::move(options), [&](auto h, auto o) {
        start_next(state_.share(), std::move(h), std::move(o));
    });
}

job_log_options& job_log_options::with_role(std::string name) {
    roles.push_back(std::move(name));
    return *this;
}

job_log_options& job_log_options::with_rank(std::int32_t rank) {
    ranks.push_back(rank);
    return *this;
}

job_log_options& job_log_options::with_container(std::string name) {
    containers.push_back(std::move(name));
    return *this;
}

job_log_options& job_log_options::with_resume_after(log_position p) {
    resume_after = std::move(p);
    return *this;
}

job_log_stream open_job_logs(std::shared_ptr<detail::job_board> board, job_reference job, job_log_options options) {
    auto place = kube::detail::client_access::place_of(board->client);
    auto const wrong = place.fault();
    auto const session = std::make_shared<log_session>(board->client, job.namespace_, std::move(options));
    auto s = std::make_shared<job_log_stream::state>(session);
    auto const wake = [weak = std::weak_ptr(s->next)] {
        if (auto const next = weak.lock()) next->wake();
    };
    session->lines.on_line(wake);
    session->on_end = wake;
    asio::post(place.executor(), [session, wrong, board = std::move(board), job = std::move(job)] {
        if (wrong) return session->end(wrong);
        if (auto const fault = fault_of(job)) return session->end(fault->code, fault->detail);
        start_following(session, board, job);
    });
    return job_log_stream({std::move(place), std::move(s)});
}

asio::awaitable<void> job_log_stream::state::push(std::shared_ptr<detail::job_board> board, job_reference job,
                                                  std::function<void(log_line const&)> sink, job_log_options options) {
    kube::next_options about;
    about.detail = options.detail;
    auto stream = open_job_logs(std::move(board), std::move(job), std::move(options));
    auto const session = stream.state_->session;
    co_await asio::this_coro::throw_if_cancelled(false);
    auto const cancellation = co_await asio::this_coro::cancellation_state;
    while (cancellation.cancelled() == asio::cancellation_type::none) {
        auto [ec, line] = co_await stream.async_next(about, detail::awaiting);
        if (ec == asio::error::eof) co_return;
        if (ec && ec != asio::error::operation_aborted) kube::detail::fail(ec);
        if (ec) break;
        sink(line);
        for (int i = 1; i < lines_per_turn && cancellation.cancelled() == asio::cancellation_type::none; ++i) {
            auto const more = session->take();
            if (!more) break;
            sink(*more);
        }
    }
    // The call ends once what was begun has ended.
    co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
    session->stop(asio::error::operation_aborted);
    auto [ended, none] = co_await stream.async_next(about, detail::awaiting);
    kube::detail::fail(asio::error::operation_aborted);
}

job_log_stream training_client::open_logs(job_reference job, job_log_options options) const {
    return open_job_logs(board_, placed(std::move(job)), std::move(options));
}

void training_client::logs_(plain_handler handler, job_reference job, std::function<void(log_line const&)> sink,
                            job_log_options options) const {
    if (refuse_job(job, get_executor(), handler, options.detail)) return;
    if (!sink) {
        if (options.detail != nullptr) *options.detail = rules::cannot("sink", "expected a function, got none").detail;
        return kube::complete_later(get_executor(), std::move(handler), make_error_code(errc::invalid_argument));
    }
    auto task = job_log_stream::state::push(board_, placed(std::move(job)), std::move(sink), std::move(options));
    kube::detail::spawn(get_executor(), std::move(task), kube::detail::deadline(), std::move(handler));
}

result<void> training_client::logs(job_reference const& job, std::function<void(log_line const&)> sink,
                                   job_log_options options) const {
    return kube::detail::blocking_form<void>(
        place(), std::move(options), [&](auto h, auto o) { logs_(std::move(h), job, std::move(sink), std::move(o)); });
}

} // namespace kftrain
