#include "facade/log_session.hpp"

#include <kftrain/kube/api.hpp>
#include <kftrain/kube/wait.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/error.hpp>

namespace kftrain {

namespace {

/// Those that are reached may go at once.
void emit_to(log_session::interruption::place const& signals) {
    std::vector const all(signals.begin(), signals.end());
    for (auto const& s : all) s->emit(asio::cancellation_type::terminal);
}

} // namespace

void log_session::lose(std::string what) {
    if (stopped) return;
    ++losses;
    if (lost.empty()) lost = std::move(what);
}

void log_session::stop() {
    stopped = true;
    emit_to(waiting);
    emit_to(busy);
}

void log_session::finish() {
    finished = true;
    emit_to(waiting);
}

void note_absence(log_session& s, std::string const& pod, error_code ec, bool never_seen) {
    if (is_cancelled(ec) || ec == asio::error::eof) return;
    if (!is_not_found(ec))
        s.lose("pod " + pod + ": it could not be looked at (" + ec.message() + ")");
    else if (never_seen && s.late)
        s.lose("pod " + pod + ": it was gone before its output was asked for");
}

asio::awaitable<found_pod> wait_for_pod(std::shared_ptr<log_session> s, std::string name,
                                        std::function<bool(pod const*)> wanted) {
    kube::api<pod> pods(s->client, s->namespace_);
    while (!s->finished && !s->stopped) {
        log_session::interruption waits(s, &log_session::waiting);
        kube::wait_options options;
        auto answer = co_await kube::async_wait(pods, name, wanted, options,
                                                asio::bind_cancellation_slot(waits.slot(), detail::awaiting));
        bool const again = std::get<0>(answer) == errc::deleted || (is_cancelled(std::get<0>(answer)) && s->finished);
        if (!again) co_return answer;
    }
    if (s->stopped) co_return found_pod(asio::error::operation_aborted, pod());
    // The job may have finished together with what would have ended the wait: look once more.
    auto answer = co_await pods.async_get(name, detail::awaiting);
    if (!std::get<0>(answer) && !wanted(&std::get<1>(answer))) std::get<0>(answer) = asio::error::eof;
    co_return answer;
}

} // namespace kftrain
