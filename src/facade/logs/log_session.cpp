#include "facade/logs/log_session.hpp"

#include <boost/asio/error.hpp>

#include <vector>

namespace kftrain {

void log_session::lose(std::string what) {
    if (stopped) return;
    ++losses;
    if (lost.empty()) lost = std::move(what);
}

void log_session::stop(error_code why, diagnostics about) {
    if (stopped || ended) return;
    stopped = true;
    reason = why;
    details = std::move(about);
    if (why == asio::error::operation_aborted) lines.close();
    std::vector const all(busy.begin(), busy.end()); // those that are reached may go at once
    for (auto const& s : all) s->emit(asio::cancellation_type::terminal);
}

void log_session::end(error_code ec, diagnostics about) {
    if (ended) return;
    ended = ec;
    details = std::move(about);
    if (on_end) on_end();
}

std::string log_session::last_failure() const {
    for (auto const* const log : reading)
        if (!log->last_failure.empty()) return log->last_failure;
    return list_failure.empty() && informer_failure ? *informer_failure : list_failure;
}

std::optional<log_line> log_session::take() {
    auto taken = lines.take();
    if (!taken) return {};
    auto& origin = *taken->origin;
    std::optional<log_line> line(std::in_place);
    if (origin.gone && origin.queued == 0) {
        entries.erase(origin.name);
    } else if (taken->delivered != 0) {
        auto& place = entries[origin.name];
        place.run = taken->run;
        place.delivered = taken->delivered;
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

log_position::entry const* log_session::left_at(std::string const& name) const {
    auto const at = from.find(name);
    return at == from.end() ? nullptr : &at->second;
}

void log_session::forget(log_origin& origin) {
    origin.gone = true;
    from.erase(origin.name);
    if (origin.queued == 0) entries.erase(origin.name);
}

void log_session::forget_unresolved() {
    std::erase_if(from, [this](auto const& entry) { return !resolved.contains(entry.first); });
}

log_position log_session::position() const {
    log_position behind;
    behind.entries = entries;
    behind.entries.insert(from.begin(), from.end()); // those of which no line was handed out since
    return behind;
}

std::string place_name(pod const& p, std::string_view container) { return (p.metadata.uid + "/").append(container); }

void log_session::finish() {
    finished = true;
    pods.wake_all();
}

asio::awaitable<void> wait_for_change(std::shared_ptr<log_session> s, std::string name,
                                      job_pods::clock::time_point until) {
    job_pods::look next(s->pods, name, s->client.get_executor(), until);
    co_await next.timer().async_wait(detail::awaiting);
}

} // namespace kftrain
