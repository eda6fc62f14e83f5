#include "facade/explain/collect_evidence.hpp"

#include "base/joined.hpp"
#include "facade/explain/kueue_workload.hpp"
#include "facade/follow/job_layout.hpp"
#include "facade/job_arguments.hpp"
#include "facade/job_events.hpp"
#include "facade/job_operation.hpp"
#include "facade/job_references.hpp"
#include "facade/parallel_queries.hpp"
#include "kinds/child_kinds.hpp"
#include "kube/async/blocking_form.hpp"
#include "model/rules/condition_of.hpp"

#include <kftrain/job/job_rules.hpp>
#include <kftrain/kube/blocking.hpp>
#include <kftrain/objects/coscheduling/pod_group.hpp>
#include <kftrain/objects/volcano/pod_group.hpp>
#include <kftrain/training_client.hpp>

#include <algorithm>
#include <deque>
#include <iterator>

namespace kftrain::explaining {
namespace {

namespace asio = boost::asio;

/// The limit for one log; kubelets rotate logs at 10 MiB. With a limit in the request, the server would return the
/// beginning of the requested lines.
constexpr std::size_t most_log_bytes = 10 * 1024 * 1024;
constexpr std::size_t most_events = 2000;

// Limits of logs_to_read().
constexpr std::size_t most_ended = 4;
constexpr std::size_t most_running = 8;
constexpr std::size_t lines_of_running = 5;
constexpr std::size_t lines_of_others = 1000;
/// Init containers that run for longer may wait for something that never happens.
constexpr std::chrono::seconds init_patience{3};

gang_state gang_of(volcano::pod_group const& g) {
    gang_state s;
    s.name = g.metadata.name;
    s.phase = g.status.phase;
    s.queue = g.spec.queue.empty() ? "default" : g.spec.queue;
    s.min_member = g.spec.min_member;
    s.running = g.status.running;
    auto const* const c = condition_of(g.status.conditions, "Unschedulable");
    // The scheduler leaves it there when the gang has its place.
    if (c != nullptr && c->status == "True" && s.phase != "Running" && s.phase != "Completed") {
        s.reason = c->reason;
        s.message = c->message;
    }
    return s;
}

gang_state gang_of(coscheduling::pod_group const& g) {
    gang_state s;
    s.name = g.metadata.name;
    s.phase = g.status.phase;
    s.min_member = g.spec.min_member;
    s.running = g.status.running;
    return s;
}

std::string amounts_of(resource_list const& all) {
    return joined(all, ", ", [](auto const& r) { return r.first + "=" + r.second.text(); });
}

std::string state_of(volcano::queue const& q) {
    std::string text = q.status.state.empty() ? "no state" : q.status.state;
    if (!q.spec.capability.empty()) text += ", may use " + amounts_of(q.spec.capability);
    if (!q.status.allocated.empty()) text += ", uses " + amounts_of(q.status.allocated);
    return text;
}

bool is_in_gang(core::pod const& p) {
    return p.metadata.annotations.contains("scheduling.k8s.io/group-name") ||
           p.metadata.labels.contains("scheduling.x-k8s.io/pod-group");
}

class collecting {
public:
    collecting(kube::client c, job_reference j, explain_options o)
        : client_(std::move(c)), job_(std::move(j)), options_(std::move(o)) {}

    asio::awaitable<job_evidence> run() {
        auto const how = call_options();
        auto stored = co_await await_stored_job(client_, job_, options_.common(), &evidence_.missing);
        evidence_.job = stored;
        evidence_.quiet = options_.quiet;
        event_collection events(event_subjects(evidence_.job, true));
        auto queries = events.queries();
        std::ranges::move(queries_of_pods(), std::back_inserter(queries));
        add_gang_queries(queries);
        if (!kueue_queue(*evidence_.job).empty() && !is_finished(evidence_.job->phase()))
            queries.push_back(workload_query(evidence_));
        co_await run_queries(client_, std::move(queries), how);
        auto list = events.list(most_events);
        evidence_.events = std::move(list.items);
        evidence_.events_known = list.unread.empty();
        evidence_.missing.insert(evidence_.missing.end(), list.unread.begin(), list.unread.end());
        note_gang();
        std::vector<query> further;
        add_queue_query(further);
        request_queue_users(further);
        co_await run_queries(client_, std::move(further), how);
        co_await read_logs();
        co_return std::move(evidence_);
    }

private:
    kube::call_options call_options() const {
        kube::call_options how = options_.common();
        how.detail = nullptr;
        return how;
    }

    std::vector<query> queries_of_pods() {
        return pod_queries(
            job_.namespace_, evidence_.job.layout(),
            [this](core::pod p) {
                p.metadata.managed_fields.clear();
                evidence_.pods.push_back(std::make_shared<core::pod const>(std::move(p)));
            },
            [this](error_code, std::string const& why) {
                evidence_.pods_known = false;
                evidence_.missing.push_back("pods: " + why);
            });
    }

    void add_gang_queries(std::vector<query>& queries) {
        std::set<std::string> names{evidence_.job->metadata().name};
        for (auto const& row : evidence_.job->rules().watches()) {
            auto const* const child = find_child_kind(row.type->info->kind);
            if (child == nullptr || !child->is_gang) continue;
            gang_expected_ = true;
            auto const* const by = std::get_if<rules::by_name_of_primary>(&row.by);
            if (by == nullptr || by->names == nullptr) continue;
            for (auto const& n : by->names(evidence_.job->get())) names.insert(n.name);
        }
        for (auto const& name : names) {
            queries.push_back(group_query<volcano::pod_group>(name));
            queries.push_back(group_query<coscheduling::pod_group>(name));
        }
    }

    template <resource Group> query group_query(std::string const& name) {
        auto q = object_query<Group>(job_.namespace_, name, [this](Group const& g) {
            if (!evidence_.gang) evidence_.gang = gang_of(g);
        });
        q.on_missing = [this](error_code ec, std::string const& why) {
            if (!is_not_found(ec)) gang_unread_ = why;
        };
        return q;
    }

    /// The queue shows why a gang is not admitted.
    void add_queue_query(std::vector<query>& queries) {
        auto const& g = evidence_.gang;
        if (!g) add_named_queue_query(queries);
        if (!g || g->queue.empty() || g->phase == "Running" || g->phase == "Completed") return;
        auto q = object_query<volcano::queue>(
            "", g->queue, [this](volcano::queue const& found) { evidence_.gang->queue_state = state_of(found); });
        q.on_missing = [this](error_code ec, std::string const& why) {
            if (is_not_found(ec))
                evidence_.gang->queue_missing = true;
            else
                evidence_.missing.push_back("queue " + evidence_.gang->queue + ": " + why);
        };
        queries.push_back(std::move(q));
    }

    /// The other groups that run in the queue show who uses it.
    void request_queue_users(std::vector<query>& queries) {
        auto const& g = evidence_.gang;
        if (!g || g->queue.empty() || g->phase == "Running" || g->phase == "Completed") return;
        // If they cannot be read, the cause is found without them.
        auto q =
            list_query<volcano::pod_group>("", [this](volcano::pod_group const& other) { return note_holder(other); });
        auto here = std::make_shared<query>(q);
        here->namespace_ = job_.namespace_;
        q.instead = std::move(here);
        queries.push_back(std::move(q));
    }

    /// Returns whether further groups are needed.
    bool note_holder(volcano::pod_group const& other) {
        constexpr std::size_t most = 5;
        auto& g = *evidence_.gang;
        auto const& m = other.metadata;
        bool const own = m.name == g.name && m.namespace_ == job_.namespace_;
        bool const same_queue = (other.spec.queue.empty() ? "default" : other.spec.queue) == g.queue;
        if (!own && same_queue && other.status.phase == "Running" && g.holders.size() < most)
            g.holders.push_back("PodGroup " + m.namespace_ + "/" + m.name +
                                " uses the queue, too: " + std::to_string(other.status.running) + " of its pods run");
        return g.holders.size() < most;
    }

    /// Without its queue an operator may not even make a group.
    void add_named_queue_query(std::vector<query>& queries) {
        auto const gang = evidence_.job.gang();
        if (!gang || !gang->needs_queue || gang->queue.empty()) return;
        auto q = object_query<volcano::queue>("", gang->queue, [](volcano::queue const&) {});
        q.on_missing = [this, name = gang->queue](error_code ec, std::string const& why) {
            if (is_not_found(ec))
                evidence_.missing_queue = name;
            else
                evidence_.missing.push_back("queue " + name + ": " + why);
        };
        queries.push_back(std::move(q));
    }

    /// Reports an unreadable PodGroup only if the job has one.
    void note_gang() {
        bool const gangs =
            gang_expected_ || std::ranges::any_of(evidence_.pods, [](auto const& p) { return is_in_gang(*p); });
        if (gangs && !evidence_.gang && !gang_unread_.empty()) evidence_.missing.push_back("PodGroup: " + gang_unread_);
    }

    asio::awaitable<void> read_logs() {
        auto const wanted = wanted_logs();
        std::vector<result<kube::http_request>> requests;
        for (auto const& w : wanted) {
            kube::log_options o;
            o.container = w.container;
            o.previous = w.previous;
            o.timestamps = true;
            if (w.read) o.tail_lines = static_cast<std::int64_t>(*w.read);
            requests.push_back(kube::request::pod_log(job_.namespace_, w.pod, o));
        }
        auto const how = call_options();
        auto answers = co_await call_all(client_, std::move(requests), how, most_log_bytes);
        std::string refused;
        for (std::size_t i = 0; i < answers.size(); ++i) {
            // A container that waits has no log yet.
            if (answers[i].ec == reason::bad_request) continue;
            if (answers[i].ec && refused.empty()) refused = "log of pod " + wanted[i].pod + ": " + answers[i].why();
            if (!answers[i].ec) evidence_.logs.push_back(tail_of(wanted[i], answers[i].text));
        }
        if (!refused.empty()) evidence_.missing.push_back(std::move(refused));
    }

    std::vector<wanted_log> wanted_logs() const {
        findings const f(evidence_, std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now()));
        return logs_to_read(f, options_);
    }

    kube::client client_;
    job_reference job_;
    explain_options options_;
    job_evidence evidence_;
    std::string gang_unread_;
    bool gang_expected_ = false;
};

asio::awaitable<explanation> explain_job(kube::client client, job_reference job, explain_options options) {
    auto collected = collect_evidence(std::move(client), std::move(job), std::move(options));
    auto const evidence = co_await std::move(collected);
    auto e = explain(evidence, std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now()));
    co_return e;
}

} // namespace

std::vector<wanted_log> logs_to_read(findings const& f, explain_options const& options) {
    std::vector<wanted_log> all;
    if (options.log_lines == 0) return all;
    for (auto const& e : f.ended) {
        if (all.size() == most_ended) break;
        if (e.end->reason == "StartError" || e.end->reason == "ContainerCannotRun") continue; // it wrote nothing
        auto& w = all.emplace_back();
        w.pod = e.pod->metadata.name;
        w.container = e.container();
        // While a container waits, its log is that of the run that ended last.
        w.previous = e.status->state.running.has_value();
        w.lines = options.log_lines;
        // The others show whether they lost this one.
        if (all.size() > 1) w.read = std::max(options.log_lines, lines_of_others);
    }
    if (!f.wanted()) return all;
    for (std::size_t i = 0; i < f.pods.size() && all.size() < most_ended; ++i) {
        if (f.pods[i] == nullptr) continue;
        for (auto const& c : f.pods[i]->status.init_container_statuses) {
            if (!c.state.running || !c.state.running->started_at) continue;
            if (f.now - *c.state.running->started_at < init_patience) continue;
            auto& w = all.emplace_back();
            w.pod = f.pods[i]->metadata.name;
            w.container = c.name;
            w.lines = options.log_lines;
            w.read = w.lines;
        }
    }
    if (!all.empty()) return all;
    for (std::size_t i = 0; i < f.pods.size() && all.size() < most_running; ++i) {
        if (!f.runs(i)) continue;
        auto const& statuses = f.pods[i]->status.container_statuses;
        bool const training = std::ranges::any_of(
            statuses, [&](auto const& c) { return c.state.running.has_value() && f.trains(i, c.name); });
        for (auto const& c : statuses) {
            // The output of a helper shows neither progress nor a stall.
            if (!c.state.running || (training && !f.trains(i, c.name))) continue;
            auto& w = all.emplace_back();
            w.pod = f.pods[i]->metadata.name;
            w.container = c.name;
            w.lines = std::min(options.log_lines, lines_of_running);
            w.read = w.lines;
        }
    }
    return all;
}

log_tail tail_of(wanted_log const& wanted, std::string_view text) {
    log_tail tail;
    tail.pod = wanted.pod;
    tail.container = wanted.container;
    line_search search;
    std::deque<std::string_view> last;
    while (!text.empty()) {
        auto const end = text.find('\n');
        auto line = text.substr(0, end);
        text = end == text.npos ? std::string_view() : text.substr(end + 1);
        time_point at;
        if (auto const blank = line.find(' '); blank != line.npos && parse_scalar(line.substr(0, blank), at)) {
            tail.last = at;
            line.remove_prefix(blank + 1);
        }
        search.add(line);
        last.push_back(line);
        if (last.size() > wanted.lines) last.pop_front();
    }
    for (auto const line : last) tail.lines.push_back(clipped_line(line));
    tail.decisive = search.found();
    return tail;
}

asio::awaitable<job_evidence> collect_evidence(kube::client client, job_reference job, explain_options options) {
    return run_shared(std::make_shared<collecting>(std::move(client), std::move(job), std::move(options)));
}

} // namespace kftrain::explaining

namespace kftrain {

void training_client::explain_(handler_of<explanation> handler, job_reference job, explain_options options) const {
    if (refuse_job(job, get_executor(), handler, options.detail)) return;
    job = placed(std::move(job));
    kube::detail::deadline limit(options.timeout, options.detail, "explanation of " + job.to_string());
    auto explained = explaining::explain_job(client_, std::move(job), std::move(options));
    kube::detail::spawn(get_executor(), std::move(explained), std::move(limit), std::move(handler));
}

result<explanation> training_client::explain(job_reference const& job, explain_options options) const {
    return kube::detail::blocking_form<explanation>(place(), std::move(options),
                                                    [&](auto h, auto o) { explain_(std::move(h), job, std::move(o)); });
}

} // namespace kftrain
