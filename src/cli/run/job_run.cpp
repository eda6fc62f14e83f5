#include "cli/run/job_run.hpp"

#include "cli/commands.hpp"
#include "local/kubelet/containers/missing_program.hpp"
#include "local/kubelet/images/image_source.hpp"

#include <kftrain/base/backoff.hpp>
#include <kftrain/kube/api.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include <algorithm>
#include <chrono>
#include <functional>
#include <iostream>
#include <set>
#include <tuple>

namespace kftrain::cli {
namespace {

/// Why a container failed: its exit code, or why it did not start.
std::string reason_of(core::container_state_terminated const& ended) {
    if (ended.reason == "StartError") return "StartError: " + on_one_line(ended.message);
    return "exit " + std::to_string(ended.exit_code) + (ended.reason == "OOMKilled" ? ", OOMKilled" : "");
}

} // namespace

std::string describe(pod const& p) {
    std::string text = p.status.phase.empty() ? "Pending" : p.status.phase;
    auto const& list = p.status.phase == "Pending" && !p.status.init_container_statuses.empty()
                           ? p.status.init_container_statuses
                           : p.status.container_statuses;
    std::int32_t restarts = 0;
    std::string why = p.status.reason;
    for (auto const& c : list) {
        restarts += c.restart_count;
        if (c.state.terminated && c.state.terminated->exit_code != 0)
            why = reason_of(*c.state.terminated);
        else if (c.state.waiting && why.empty() && p.status.phase != "Running")
            why = c.state.waiting->reason;
        else if (c.state.running && p.status.phase == "Pending")
            why = c.name;
    }
    if (!why.empty()) text += " (" + why + ")";
    if (restarts != 0) text += ", " + std::to_string(restarts) + (restarts == 1 ? " restart" : " restarts");
    return text;
}

std::string image_fault(pod const& p) {
    for (auto const* list : {&p.status.init_container_statuses, &p.status.container_statuses})
        for (auto const& c : *list) {
            if (!c.state.waiting || c.state.waiting->reason != "ErrImagePull") continue;
            auto const& why = c.state.waiting->message;
            if (!why.ends_with(local::may_pass_text)) return "image " + c.image + " cannot be used: " + why;
        }
    return {};
}

job_run::job_run(run_screen& screen, std::size_t index, job_to_run given)
    : screen_(screen),
      index_(index),
      job_(given.job),
      printer_(std::move(given.file), *job_),
      quiet_(screen.client.get_client().get_executor()),
      recorded_(screen.client.get_client().get_executor()) {}

std::string job_run::name() const { return std::string(job_->resource().kind) + " " + job_->metadata().name; }

void job_run::report(std::string const& text) {
    screen_.view.aside([&] { complain(screen_.several ? name() + ": " + text : text); });
}

void job_run::look_at(pod const& p) {
    if (!submitted_ || followed_ || hopeless_ || p.metadata.namespace_ != job_->metadata().namespace_) return;
    if (job_.layout().of(p.metadata) == nullptr) return;
    if (auto const why = image_fault(p); !why.empty()) give_up(p.metadata.name, why);
}

void job_run::give_up(std::string const& pod, std::string const& why) {
    if (std::exchange(hopeless_, true)) return;
    report("pod " + pod + " can never start: " + why);
    stop();
}

/// The sandbox writes a line if it cannot execute the program of a container. A second one follows if the container
/// was started again.
void job_run::look_at(log_line const& line) {
    constexpr std::string_view beginning = "kftrain: cannot execute \"";
    std::string_view const text = line.text;
    if (!text.starts_with(beginning) || failed_starts_.insert(line.member.pod_name).second) return;
    auto const program = text.substr(beginning.size(), text.find('"', beginning.size()) - beginning.size());
    if (program.find('/') != program.npos) return; // it may come into a volume
    give_up(line.member.pod_name, std::string(text.substr(text.find(' ') + 1)) + local::package_advice(program));
}

void job_run::stop() {
    stopped_ = true;
    stop_.emit(asio::cancellation_type::terminal);
    stop_recording_.emit(asio::cancellation_type::terminal);
    quiet_.cancel();
}

asio::awaitable<bool> job_run::submit() {
    diagnostics detail;
    auto const made = co_await create_admission_dependencies(screen_.client.get_client(), job_);
    for (auto const& object : made) report(object + " does not exist: created it for this run");
    if (stopped_) co_return false;
    auto [refused, stored] =
        co_await screen_.client.async_submit(*job_, submit_options().with_detail(detail).with_validate(false), await);
    if (refused) {
        report(failure(refused, detail).to_string());
        co_return false;
    }
    job_ = prepared_job::stored(std::move(stored));
    submitted_ = true;
    screen_.view.print_line(name() + " submitted to the local cluster");
    screen_.look_at_output();
    co_return true;
}

asio::awaitable<void> job_run::follow() {
    asio::co_spawn(screen_.client.get_client().get_executor(), explain_silence(), asio::detached);
    if (screen_.timelines) begin_recording();
    int const code = co_await follow_job();
    exit_ = code;
    co_await end_recording();
    followed_ = true;
    quiet_.cancel();
    if (screen_.several && !stopped_) screen_.view.print_line(name() + " " + std::string(to_string(job_->phase())));
}

/// On a terminal, the progress bar replaces the lines that report progress.
void job_run::show(log_line const& line) {
    ++screen_.changes;
    auto const now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
    bool const report = parse_progress(line.text).has_value();
    if (report && progress_.take(line, now)) screen_.view.progress(progress_.latest(), index_);
    if (!report || !screen_.view.shows_progress()) screen_.view.log(line, index_);
    screen_.flush.soon();
    screen_.look_at_output();
    look_at(line);
}

void job_run::begin_recording() {
    recording_ = true;
    screen_.client.async_timeline(*job_, timeline_options().with_follow(),
                                  asio::bind_cancellation_slot(stop_recording_.slot(), [this](error_code, auto t) {
                                      if (t.observed) timeline_ = std::move(t);
                                      recording_ = false;
                                      recorded_.cancel();
                                  }));
}

/// After the end of the job, the recording reads the rest of the pods and events.
asio::awaitable<void> job_run::end_recording() {
    constexpr std::chrono::seconds patience{10};
    if (recording_) {
        recorded_.expires_after(patience);
        co_await recorded_.async_wait(await);
    }
    if (recording_) {
        stop_recording_.emit(asio::cancellation_type::terminal);
        recorded_.expires_at(asio::steady_timer::time_point::max());
        co_await recorded_.async_wait(await);
    }
}

asio::awaitable<int> job_run::follow_job() {
    diagnostics detail;
    std::function<void(log_line const&)> const sink = [this](log_line const& line) { show(line); };
    auto [ended] = co_await screen_.client.async_logs(*job_, sink, job_log_options().with_detail(detail),
                                                      asio::bind_cancellation_slot(stop_.slot(), await));
    if (stopped_) co_return hopeless_ ? bad_usage : cluster_failed;
    if (ended) {
        report(failure(ended, detail).to_string());
        if (ended != errc::incomplete) co_return cluster_failed; // errc::incomplete: only output is missing
    }
    auto [lost, finished] = co_await screen_.client.async_wait(*job_, kube::wait_options().with_detail(detail),
                                                               asio::bind_cancellation_slot(stop_.slot(), await));
    if (stopped_) co_return hopeless_ ? bad_usage : cluster_failed;
    if (lost) {
        report(failure(lost, detail).to_string());
        co_return cluster_failed;
    }
    job_ = prepared_job::stored(std::move(finished));
    co_return job_->phase() == job_phase::succeeded ? success : job_failed;
}

/// Prints the causes, each once, while nothing changes.
asio::awaitable<void> job_run::explain_silence() {
    constexpr std::chrono::milliseconds first_pause{3000}, longest_pause{60'000};
    backoff pause(first_pause, longest_pause);
    std::set<std::string> reported;
    while (!followed_) {
        auto const changes_before = screen_.changes;
        quiet_.expires_after(pause.next());
        co_await quiet_.async_wait(await);
        if (followed_ || stopped_) break;
        if (changes_before != screen_.changes) {
            pause.reset();
            continue;
        }
        auto const options = explain_options().with_log_lines(0);
        auto [failed, found] = co_await screen_.client.async_explain(*job_, options, await);
        if (followed_ || stopped_) break;
        if (failed) continue;
        for (auto const& c : found.causes) {
            auto const text = std::string(to_string(c.kind)) + ": " + c.summary;
            if (c.kind == cause_kind::healthy || !reported.insert(text).second) continue;
            report(text + (c.advice.empty() ? "" : ". " + c.advice));
            bool const has_reason = c.kind == cause_kind::config_missing || c.kind == cause_kind::image_not_found;
            if (has_reason && !c.evidence.empty()) report("  " + c.evidence.front());
        }
    }
}

/// Reads the events. Operators write events after the status, so this waits for the last one for a limited time.
asio::awaitable<std::optional<std::vector<core::event>>> job_run::events() {
    auto const& client = screen_.client.get_client();
    kube::api<core::event> all(client, job_->metadata().namespace_);
    kube::list_options about;
    about.field_selector = "involvedObject.uid=" + job_->metadata().uid;
    auto const conditions = job_->conditions();
    std::string const last =
        is_finished(job_->phase()) && !conditions.empty() ? conditions.back().reason : std::string();
    asio::steady_timer pause(client.get_executor());
    for (int tries = 0;; ++tries) {
        auto [ec, list] = co_await all.async_list(about, await);
        if (ec) co_return std::nullopt;
        bool const complete =
            last.empty() || std::ranges::any_of(list.items, [&](core::event const& e) { return e.reason == last; });
        if (complete || tries == 100) co_return std::move(list.items);
        pause.expires_after(std::chrono::milliseconds(20));
        co_await pause.async_wait(await);
    }
}

asio::awaitable<void> job_run::print_outcome() {
    if (!submitted_) co_return;
    std::cout << '\n';
    if (screen_.several) std::cout << on_one_line(name()) << '\n';
    std::cout << "Conditions\n";
    for (auto const& c : job_->conditions())
        std::cout << on_one_line("  " + c.type + "=" + c.status + "  " + c.reason + "  " + c.message) << '\n';
    auto list = co_await events();
    if (list) {
        // The names end in a growing number, which orders events of the same second.
        std::sort(list->begin(), list->end(), [](core::event const& a, core::event const& b) {
            return std::tie(a.first_timestamp, a.metadata.name) < std::tie(b.first_timestamp, b.metadata.name);
        });
        std::cout << "Events\n";
        for (auto const& e : *list)
            std::cout << on_one_line("  " + e.type + "  " + e.reason + "  " + e.message) << '\n';
    }
    if (!progress_.latest().empty()) std::cout << "Progress\n  " << progress_.latest().to_string() << '\n';
    std::cout << name() << ' ' << to_string(job_->phase()) << std::endl;
}

} // namespace kftrain::cli
