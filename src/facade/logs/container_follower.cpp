#include "facade/logs/container_runs.hpp"
#include "facade/logs/log_session.hpp"

#include <kftrain/kube/api.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/steady_timer.hpp>

#include <algorithm>
#include <set>
#include <utility>

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

/// Where reading begins in a pod that is seen for the first time, unless a position says so.
std::int32_t first_run(log_session const& s, std::string_view container, pod const& p) {
    return s.options.tail ? std::max(runs_begun(p, container) - 1, 0) : 0;
}

/// The run before the latest; while a container waits to be started again, the one that ended last.
asio::awaitable<void> read_previous(std::shared_ptr<log_session> s, wanted_run run, pod known) {
    std::int32_t const latest = runs_begun(known, run.container()) - 1;
    run.previous = shows_previous(known, run.container());
    run.number = run.previous ? latest - 1 : latest;
    run.follow = false;
    run.over = true;
    run.first = true;
    if (run.number < 0) co_return;
    bool const done = co_await read_run(s, run);
    if (!done) s->lose(run.name() + ": the state of its pod changed when its log was asked for");
}

void leave(log_session& s, std::string const& name, std::string const& container) {
    auto const open = s.reading;
    for (auto* log : open) {
        if (!s.reading.contains(log) || log->previous || log->pod != name || log->container != container) continue;
        log->left = true;
        log->signal->emit(asio::cancellation_type::terminal);
    }
}

} // namespace

asio::awaitable<void> leave_running(std::shared_ptr<log_session> s) {
    s->over = true;
    kube::api<pod> pods(s->client, s->namespace_);
    std::set<std::pair<std::string, std::string>> open;
    for (auto const* log : s->reading) open.emplace(log->pod, log->container);
    for (auto const& [name, container] : open) {
        auto answer = co_await pods.async_get(name, detail::awaiting);
        error_code const ec = std::get<0>(answer);
        if (is_not_found(ec)) continue;
        if (ec) s->lose("pod " + name + ": it could not be looked at (" + ec.message() + ")");
        auto const* c = status_of(std::get<1>(answer), container);
        if (c == nullptr || !c->state.terminated) leave(*s, name, container);
    }
}

asio::awaitable<void> follow_container(std::shared_ptr<log_session> s, member r, std::string container, pod known,
                                       bool early) {
    auto const begin_with = [&](pod const& p) {
        auto origin = std::make_shared<log_origin>();
        origin->member = r;
        origin->container = container;
        origin->name = place_name(p, container);
        if (s->from.contains(origin->name)) s->seen.insert(origin->name);
        return origin;
    };
    auto const forget = [&](std::shared_ptr<log_origin> const& o) { s->forget(*o); };
    std::shared_ptr<log_origin> origin = begin_with(known);
    wanted_run run;
    run.origin = origin;
    if (s->options.previous) {
        run.uid = known.metadata.uid;
        co_await read_previous(s, run, known);
        co_return;
    }
    std::string uid = known.metadata.uid;
    std::int32_t read = 0; // the runs before this one are done with
    if (auto const* left = s->left_at(origin->name)) {
        read = left->run;
        run.behind = *left;
    } else if (early) {
        read = first_run(*s, container, known);
    }
    // What was there when the call began: the options say how much of that is wanted.
    std::int32_t const old_runs = early ? runs_begun(known, container) : 0;
    bool const all = s->options.follow && !s->options.since;
    int looks = 0; // at this one, without success
    std::function<bool(pod const*)> const unread = [&](pod const* p) {
        return p != nullptr && runs_begun(*p, container) > (p->metadata.uid == uid ? read : 0);
    };
    bool first = unread(&known);
    bool replaced = false;
    while (!s->stopped) {
        found_pod found(error_code(), known);
        if (!std::exchange(first, false)) found = co_await wait_for_pod(s, r.pod_name, unread);
        auto const& [ec, current] = found;
        if (ec) {
            if (s->options.follow && ec == asio::error::eof &&
                may_hide_a_run(current, container, current.metadata.uid == uid ? read : 0))
                s->lose("container " + container + " of pod " + r.pod_name + ": its last run may not have been read");
            note_absence(*s, r.pod_name, ec, uid.empty());
            if (is_not_found(ec)) forget(origin);
            co_return;
        }
        if (current.metadata.uid != uid) {
            forget(origin);
            origin = begin_with(current);
            read = 0;
            replaced = true;
            run.behind.reset();
            if (auto const* left = s->left_at(origin->name)) {
                read = left->run;
                run.behind = *left;
            }
        }
        uid = current.metadata.uid;
        run.origin = origin;
        run.uid = uid;
        std::int32_t const latest = runs_begun(current, container) - 1;
        if (latest < read) continue;
        std::int32_t const oldest = shows_previous(current, container) ? std::max(latest - 1, 0) : latest;
        if (read < oldest) {
            if (all || replaced || run.behind || read >= old_runs)
                s->lose(run.name() + ": " + runs_text(read, oldest) +
                        " ended and was followed by others before it was read");
            read = oldest;
            run.behind.reset();
        }
        // Begun after the job's end: nobody waits for that.
        if (s->over && read == latest && is_running(current, container)) co_return;
        run.number = read;
        run.previous = read < latest;
        run.follow = s->options.follow;
        run.over = run.previous || !is_running(current, container);
        run.first = !replaced && read < old_runs && !run.behind;
        bool const done = co_await read_run(s, run);
        if (!done && ++looks < most_looks) {
            co_await rest(s);
            continue;
        }
        if (!done) s->lose(run.name() + ": the state of its pod changed whenever its log was asked for");
        looks = 0;
        run.behind.reset();
        ++read;
        if (!s->options.follow && !run.previous) co_return;
    }
}

} // namespace kftrain
