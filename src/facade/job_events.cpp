#include "facade/job_events.hpp"

#include "facade/job_arguments.hpp"
#include "facade/job_operation.hpp"
#include "facade/job_references.hpp"
#include "kinds/child_kinds.hpp"
#include "kube/async/blocking_form.hpp"

#include <kftrain/job/job_rules.hpp>
#include <kftrain/kube/blocking.hpp>
#include <kftrain/objects/events/event.hpp>
#include <kftrain/training_client.hpp>

#include <algorithm>
#include <tuple>

namespace kftrain {
namespace {

namespace asio = boost::asio;

/// With more names of a kind than this, one request lists the events of all of them.
constexpr std::size_t few_names = 3;
constexpr std::size_t random_length = 5;

std::optional<time_point> whole_seconds(std::optional<micro_time> const& t) {
    if (!t) return std::nullopt;
    return std::chrono::floor<std::chrono::seconds>(*t);
}

std::optional<time_point> first_of(std::optional<time_point> a, std::optional<time_point> b) { return a ? a : b; }

job_event event_of(core::event const& e) {
    job_event out;
    auto const at = first_of(whole_seconds(e.event_time), e.metadata.creation_timestamp);
    out.first = first_of(e.first_timestamp, at);
    out.last = first_of(e.last_timestamp, at);
    out.count = std::max(e.count, 1);
    if (e.series) {
        out.count = std::max<std::int64_t>(e.series->count, out.count);
        out.last = first_of(whole_seconds(e.series->last_observed_time), out.last);
    }
    out.type = e.type;
    out.reason = e.reason;
    out.message = e.message;
    out.source = e.source.component.empty() ? e.reporting_component : e.source.component;
    out.object_kind = e.involved_object.kind;
    out.object_name = e.involved_object.name;
    return out;
}

core::event as_core(events::event const& e) {
    core::event out;
    out.metadata = e.metadata;
    out.involved_object = e.regarding;
    out.reason = e.reason;
    out.message = e.note;
    out.source = e.deprecated_source;
    out.first_timestamp = e.deprecated_first_timestamp;
    out.last_timestamp = e.deprecated_last_timestamp;
    out.count = e.deprecated_count;
    out.type = e.type;
    out.event_time = e.event_time;
    out.series = e.series;
    out.reporting_component = e.reporting_controller;
    return out;
}

auto sort_key(job_event const& e) {
    return std::tie(e.last, e.first, e.object_kind, e.object_name, e.reason, e.message);
}

asio::awaitable<job_event_list> read_events_of(kube::client client, job_reference reference,
                                               job_event_options options) {
    std::vector<std::string> unread;
    auto const job = co_await await_stored_job(client, std::move(reference), options.common(), &unread);
    event_collection events(event_subjects(job, options.children));
    auto queries = events.queries();
    co_await run_queries(client, std::move(queries), options.common());
    if (events.job_error) {
        diagnostics why;
        why.message = events.job_error_text;
        fail_with(failure(events.job_error, std::move(why)), options.detail);
    }
    auto list = events.list(options.most);
    if (options.children) list.unread.insert(list.unread.begin(), unread.begin(), unread.end());
    co_return list;
}

} // namespace

std::string job_event::to_string() const {
    auto text = type + (type.empty() ? "" : " ") + reason + " " + object_kind + "/" + object_name + ": " + message;
    if (count > 1) text += " (x" + std::to_string(count) + ")";
    return text;
}

event_subjects::event_subjects(prepared_job const& job, bool children)
    : namespace_(job->metadata().namespace_), uid(job->metadata().uid), created(job->metadata().creation_timestamp) {
    if (!children) return;
    std::set<std::string> makers; // of pods with random names
    for (auto const& row : job->rules().watches()) {
        auto const* const child = find_child_kind(row.type->info->kind);
        if (child == nullptr || !child->has_events) continue;
        auto& known = names[std::string(child->kind)];
        known.insert(job->metadata().name);
        if (auto const* const by = std::get_if<rules::by_name_of_primary>(&row.by);
            by != nullptr && by->names != nullptr)
            for (auto const& n : by->names(job->get())) known.insert(n.name);
        if (child->makes_pods) makers.insert(known.begin(), known.end());
    }
    for (auto const& child : child_kinds()) // of a gang scheduler that only the operator is configured for
        if (child.is_gang) names[std::string(child.kind)].insert(job->metadata().name);
    auto& pods = names["Pod"];
    bool drawn = false;
    for (auto const& m : job.layout().members) {
        if (m.pod_name.empty())
            drawn = true;
        else
            pods.insert(m.pod_name);
    }
    if (!drawn) return;
    for (auto const& name : makers) pod_prefixes.insert(name + "-");
}

bool event_subjects::includes(std::string const& kind, std::string const& name, std::optional<time_point> last) const {
    if (created && last && *last < *created) return false;
    auto const known = names.find(kind);
    if (known == names.end()) return false;
    if (known->second.contains(name)) return true;
    if (kind != "Pod") return false;
    auto const end = name.rfind('-');
    return end != name.npos && name.size() - end - 1 == random_length && pod_prefixes.contains(name.substr(0, end + 1));
}

query event_collection::make_query(std::string what, std::string of_core, std::string of_events, bool child) {
    auto q = list_query<core::event>(subjects_.namespace_, [this, child](core::event const& e) {
        add(event_of(e), e.metadata.uid, child);
        return true;
    });
    q.which.field_selector = std::move(of_core);
    q.on_missing = [this, child, what = std::move(what)](error_code ec, std::string const& why) {
        if (!child) {
            job_error = ec;
            job_error_text = why;
        }
        unread_.push_back("events of " + what + ": " + why);
    };
    // The same events, for servers or rights that have this API alone.
    auto other = list_query<events::event>(subjects_.namespace_, [this, child](events::event const& e) {
        add(event_of(as_core(e)), e.metadata.uid, child);
        return true;
    });
    other.which.field_selector = std::move(of_events);
    other.on_missing = q.on_missing;
    q.instead = std::make_shared<query>(std::move(other));
    return q;
}

std::vector<query> event_collection::queries() {
    std::vector<query> all;
    all.push_back(
        make_query("the job", "involvedObject.uid=" + subjects_.uid, "regarding.uid=" + subjects_.uid, false));
    for (auto const& [kind, names] : subjects_.names) {
        bool const drawn = kind == "Pod" && !subjects_.pod_prefixes.empty();
        if (names.empty() && !drawn) continue;
        auto const of_core = "involvedObject.kind=" + kind, of_events = "regarding.kind=" + kind;
        if (names.size() > few_names || drawn) {
            all.push_back(make_query(kind + " objects", of_core, of_events, true));
            continue;
        }
        for (auto const& name : names)
            all.push_back(make_query(kind + " " + name, of_core + ",involvedObject.name=" + name,
                                     of_events + ",regarding.name=" + name, true));
    }
    return all;
}

void event_collection::add(job_event e, std::string const& uid, bool child) {
    if (child && !subjects_.includes(e.object_kind, e.object_name, e.last)) return;
    if (!uid.empty() && !added_.insert(uid).second) return;
    items_.push_back(std::move(e));
}

job_event_list event_collection::list(std::size_t most) const {
    job_event_list out;
    out.unread = unread_;
    auto all = items_;
    std::ranges::sort(all, [](job_event const& a, job_event const& b) {
        return std::tie(a.object_kind, a.object_name, a.reason, a.message, a.type, a.source, a.last) <
               std::tie(b.object_kind, b.object_name, b.reason, b.message, b.type, b.source, b.last);
    });
    for (auto& e : all) {
        if (!out.items.empty()) {
            auto& before = out.items.back();
            bool const same = before.object_kind == e.object_kind && before.object_name == e.object_name &&
                              before.reason == e.reason && before.message == e.message && before.type == e.type &&
                              before.source == e.source;
            if (same) {
                before.count += e.count;
                before.last = std::max(before.last, e.last);
                before.first =
                    before.first && e.first ? std::min(before.first, e.first) : first_of(before.first, e.first);
                continue;
            }
        }
        out.items.push_back(std::move(e));
    }
    std::ranges::sort(out.items, [](job_event const& a, job_event const& b) { return sort_key(a) < sort_key(b); });
    most = std::max<std::size_t>(most, 1);
    if (out.items.size() > most) {
        out.left_out = out.items.size() - most;
        out.items.erase(out.items.begin(), out.items.end() - static_cast<std::ptrdiff_t>(most));
    }
    return out;
}

void training_client::events_(handler_of<job_event_list> handler, job_reference job, job_event_options options) const {
    if (refuse_job(job, get_executor(), handler, options.detail)) return;
    job = placed(std::move(job));
    kube::detail::deadline limit(options.timeout, options.detail, "events of " + job.to_string());
    auto r = read_events_of(client_, std::move(job), std::move(options));
    kube::detail::spawn(get_executor(), std::move(r), std::move(limit), std::move(handler));
}

result<job_event_list> training_client::events(job_reference const& job, job_event_options options) const {
    return kube::detail::blocking_form<job_event_list>(
        place(), std::move(options), [&](auto h, auto o) { events_(std::move(h), job, std::move(o)); });
}

} // namespace kftrain
