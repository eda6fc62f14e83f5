#include "facade/logs/job_pods.hpp"
#include "facade/logs/log_session.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/steady_timer.hpp>

#include <algorithm>
#include <optional>
#include <set>
#include <tuple>
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
    kube::detail::timer timer(s->client.get_executor(), pause);
    log_session::interruption stops(s);
    co_await timer.async_wait(asio::bind_cancellation_slot(stops.slot(), detail::awaiting));
}

/// Where reading begins in a pod that was not read before, unless a position determines it.
std::int32_t first_run(log_session const& s, std::string_view container, pod const& p) {
    return s.options.tail ? std::max(runs_begun(p, container) - 1, 0) : 0;
}

/// The run before the latest; while a container waits to be started again, the one that ended last.
asio::awaitable<void> read_previous(std::shared_ptr<log_session> s, wanted_run run, job_pods::object known) {
    std::int32_t const latest = runs_begun(*known, run.container()) - 1;
    run.previous = shows_previous(*known, run.container());
    run.number = run.previous ? latest - 1 : latest;
    run.follow = false;
    run.over = true;
    run.first = true;
    if (run.number < 0) co_return;
    bool const done = co_await read_run(s, run);
    if (!done) s->lose(run.name() + ": the state of its pod changed while its log was requested");
}

using found_pod = std::tuple<error_code, job_pods::object>;

/// A run that is not read yet, or why none will come; nothing as long as one may.
std::optional<found_pod> look_for_run(log_session const& s, wanted_run const& run, std::int32_t read) {
    if (s.stopped) return found_pod(asio::error::operation_aborted, nullptr);
    auto known = s.pods.find(run.pod_name());
    if (!known || known->metadata.uid != run.uid) return found_pod(make_error_code(reason::not_found), nullptr);
    if (runs_begun(*known, run.container()) > read) return found_pod(error_code(), std::move(known));
    if (s.finished) return found_pod(asio::error::eof, std::move(known));
    return std::nullopt;
}

/// Waits until its container has started a run that is not read yet. Once the job is finished it does not wait: it
/// fails with `asio::error::eof` if there is none.
asio::awaitable<found_pod> wait_for_run(std::shared_ptr<log_session> s, wanted_run run, std::int32_t read) {
    for (;;) {
        if (auto found = look_for_run(*s, run, read)) co_return *std::move(found);
        co_await wait_for_change(s, run.pod_name(), job_pods::clock::time_point::max());
    }
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

void leave_running(log_session& s) {
    s.over = true;
    std::set<std::pair<std::string, std::string>> open;
    for (auto const* log : s.reading) open.emplace(log->pod, log->container);
    for (auto const& [name, container] : open) {
        auto const known = s.pods.find(name);
        if (!known) continue;
        auto const* c = status_of(*known, container);
        if (c == nullptr || !c->state.terminated) leave(s, name, container);
    }
    s.pods.wake_all(); // those whose log has ended may wait to see that they have, too
}

asio::awaitable<bool> follow_container(std::shared_ptr<log_session> s, member r, std::string container,
                                       job_pods::object known, bool early) {
    auto const origin = std::make_shared<log_origin>();
    origin->member = std::move(r);
    origin->container = container;
    origin->name = place_name(*known, container);
    if (s->from.contains(origin->name)) s->resolved.insert(origin->name);
    wanted_run run;
    run.origin = origin;
    run.uid = known->metadata.uid;
    if (s->options.previous) {
        co_await read_previous(s, run, known);
        co_return false;
    }
    std::int32_t read = 0; // the runs before this one are done with
    if (auto const* left = s->left_at(origin->name)) {
        read = left->run;
        run.behind = *left;
    } else if (early) {
        read = first_run(*s, container, *known);
    }
    // Output that existed when the call began: the options determine how much of it is read.
    std::int32_t const old_runs = early ? runs_begun(*known, container) : 0;
    bool const all = s->options.follow && !s->options.since;
    int looks = 0; // at this one, without success
    known.reset(); // nobody keeps the old state of a pod that is waited for
    while (!s->stopped) {
        auto found = co_await wait_for_run(s, run, read);
        error_code const ec = std::get<0>(found);
        auto current = std::move(std::get<1>(found));
        if (ec == asio::error::eof && s->options.follow && may_hide_a_run(*current, container, read))
            s->lose("container " + container + " of pod " + run.pod_name() + ": its last run may be missing");
        if (is_not_found(ec)) s->forget(*origin);
        if (ec) co_return is_not_found(ec);
        std::int32_t const latest = runs_begun(*current, container) - 1;
        std::int32_t const oldest = shows_previous(*current, container) ? std::max(latest - 1, 0) : latest;
        if (read < oldest) {
            if (all || run.behind || read >= old_runs)
                s->lose(run.name() + ": " + runs_text(read, oldest) + " ended and started again before it was read");
            read = oldest;
            run.behind.reset();
        }
        // Begun after the job's end: nobody waits for that.
        if (s->over && read == latest && is_running(*current, container)) co_return false;
        run.number = read;
        run.previous = read < latest;
        run.follow = s->options.follow;
        run.over = run.previous || !is_running(*current, container);
        run.first = read < old_runs && !run.behind;
        current.reset();
        bool const done = co_await read_run(s, run);
        if (!done && ++looks < most_looks) {
            co_await rest(s);
            continue;
        }
        if (!done) s->lose(run.name() + ": the state of its pod changed on each request for its log");
        looks = 0;
        run.behind.reset();
        ++read;
        if (!s->options.follow && !run.previous) co_return false;
    }
    co_return false;
}

} // namespace kftrain
