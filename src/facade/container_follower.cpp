#include "facade/container_runs.hpp"
#include "facade/log_session.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/steady_timer.hpp>

namespace kftrain {
namespace {

constexpr std::chrono::milliseconds pause{100};
constexpr int most_looks = 20;

std::string runs_text(std::int32_t first, std::int32_t behind) {
    if (behind - first == 1) return "its run " + std::to_string(first);
    return "its runs " + std::to_string(first) + " to " + std::to_string(behind - 1);
}

asio::awaitable<void> rest(std::shared_ptr<log_session> s) {
    asio::steady_timer timer(s->client.get_executor(), pause);
    log_session::interruption stops(s, &log_session::busy);
    co_await timer.async_wait(asio::bind_cancellation_slot(stops.slot(), detail::awaiting));
}

} // namespace

asio::awaitable<void> follow_container(std::shared_ptr<log_session> s, member r, std::string container, pod known) {
    std::string uid = known.metadata.uid;
    std::int32_t read = 0; // the runs before this one are done with
    int looks = 0;         // at this one, without success
    std::function<bool(pod const*)> const unread = [&](pod const* p) {
        return p != nullptr && runs_begun(*p, container) > (p->metadata.uid == uid ? read : 0);
    };
    bool first = unread(&known);
    while (!s->stopped) {
        found_pod found(error_code(), known);
        if (!std::exchange(first, false)) found = co_await wait_for_pod(s, r.pod_name, unread);
        auto const& [ec, current] = found;
        if (ec) {
            if (ec == asio::error::eof && may_hide_a_run(current, container, current.metadata.uid == uid ? read : 0))
                s->lose("container " + container + " of pod " + r.pod_name + ": its last run may not have been read");
            note_absence(*s, r.pod_name, ec, uid.empty());
            co_return;
        }
        if (current.metadata.uid != uid) read = 0;
        uid = current.metadata.uid;
        wanted_run run;
        run.member = r;
        run.container = container;
        run.uid = uid;
        std::int32_t const latest = runs_begun(current, container) - 1;
        std::int32_t const oldest = shows_previous(current, container) ? std::max(latest - 1, 0) : latest;
        if (read < oldest) {
            s->lose(run.name() + ": " + runs_text(read, oldest) +
                    " ended and was followed by others before it was read");
            read = oldest;
        }
        // Begun after the job's end: nobody waits for that.
        if (s->over && read == latest && is_running(current, container)) co_return;
        run.number = read;
        run.previous = read < latest;
        bool const done = co_await read_run(s, run);
        if (!done && ++looks < most_looks) {
            co_await rest(s);
            continue;
        }
        if (!done) s->lose(run.name() + ": the state of its pod changed whenever its log was asked for");
        looks = 0;
        ++read;
    }
}

} // namespace kftrain
