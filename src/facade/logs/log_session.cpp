#include "facade/logs/log_session.hpp"

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

void log_session::stop(error_code why, diagnostics about) {
    if (stopped || ended) return;
    stopped = true;
    reason = why;
    said = std::move(about);
    if (why == asio::error::operation_aborted) lines.close();
    emit_to(waiting);
    emit_to(busy);
}

void log_session::end(error_code ec, diagnostics about) {
    if (ended) return;
    ended = ec;
    said = std::move(about);
    if (on_end) on_end();
}

std::optional<log_line> log_session::take() {
    auto taken = lines.take();
    if (!taken) return {};
    auto& origin = *taken->origin;
    std::optional<log_line> line(std::in_place);
    if (origin.gone && origin.queued == 0) {
        places.erase(origin.name);
    } else if (taken->same != 0) {
        auto& place = places[origin.name];
        place.run = taken->run;
        place.same = taken->same;
        if (taken->time.empty())
            place.time.assign(taken->text, 0, taken->stamp_size);
        else
            place.time = std::move(taken->time);
    }
    line->member = origin.member;
    line->container = origin.container;
    line->run = taken->run;
    if (taken->stamp_size != 0) {
        if (options.timestamps) line->time.assign(taken->text, 0, taken->stamp_size);
        taken->text.erase(0, taken->stamp_size + 1);
    }
    line->text = std::move(taken->text);
    return line;
}

log_position::place const* log_session::left_at(std::string const& name) const {
    auto const at = from.find(name);
    return at == from.end() ? nullptr : &at->second;
}

void log_session::forget(log_origin& origin) {
    origin.gone = true;
    from.erase(origin.name);
    if (origin.queued == 0) places.erase(origin.name);
}

void log_session::forget_unseen() {
    std::erase_if(from, [this](auto const& entry) { return !seen.contains(entry.first); });
}

log_position log_session::position() const {
    log_position behind;
    behind.places = places;
    behind.places.insert(from.begin(), from.end()); // those of which no line was handed out since
    return behind;
}

std::string place_name(pod const& p, std::string_view container) { return (p.metadata.uid + "/").append(container); }

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
