#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp
#include <kftrain/facade/described.hpp>

#include "job/contract/described_issue.hpp"

#include <kftrain/job/job_rules.hpp>
#include <kftrain/kinds/registry.hpp>
#include <kftrain/model/codec.hpp>
#include <kftrain/model/reflect.hpp>

#include <algorithm>
#include <array>

namespace kftrain {
namespace detail {

using job_kind = rules::job_rules const*;

inline resource_info const& names_of(job_kind kind) noexcept { return *kind->primary().info; }

/// A kind by itself, as options list it. Prints the shortest name that is unique.
template <> struct describe<job_kind> {
    static bool parse(std::string_view name, job_kind& to) {
        if (to != nullptr) // its apiVersion was read before
            if (auto const* const same = find_job_rules(names_of(to).api_version(), name)) return to = same, true;
        auto const found = find_job_kind(name);
        if (found) to = *found;
        return found.has_value();
    }
    static void print(job_kind kind, std::string& out) { out += kind == nullptr ? "" : job_kind_name(*kind); }

    static constexpr model::descriptor make() { return describe_text<job_kind, describe>("job kind"); }
};

/// The kind without its apiVersion.
struct kind_text : describe<job_kind> {
    static void print(job_kind kind, std::string& out) {
        if (kind != nullptr) out += names_of(kind).kind;
    }
};

/// The apiVersion of a kind. Reads any kind of this apiVersion: the kind itself is read next.
struct version_text {
    static bool parse(std::string_view api_version, job_kind& to) {
        auto const known = known_job_rules();
        auto const found = std::ranges::find(known, api_version, [](job_kind k) { return names_of(k).api_version(); });
        if (found != known.end()) to = *found;
        return found != known.end();
    }
    static void print(job_kind kind, std::string& out) {
        if (kind != nullptr) out += names_of(kind).api_version();
    }
};

/// A field whose value is the kind itself.
constexpr model::field kind_field(std::string_view member, model::descriptor const& type, std::string_view quoted) {
    auto const name = quoted.substr(1, quoted.size() - 3);
    model::field f{name, member, &type, [](void* p) { return p; }, false};
    f.key = model::name_key(name);
    f.quoted = quoted;
    return f;
}

/// An inlined kind: `apiVersion` and `kind`, as all objects of Kubernetes have them.
template <> struct object_table<job_kind> {
    static constexpr std::size_t count = 2;
    static constexpr model::descriptor version = describe_text<job_kind, version_text>("apiVersion");
    static constexpr model::descriptor kind = describe_text<job_kind, kind_text>("job kind");
    // Padded: see model::field::quoted.
    static constexpr std::array<char, 16> quoted_version{"\"apiVersion\":"};
    static constexpr std::array<char, 16> quoted_kind{"\"kind\":"};
    static constexpr std::array<model::field, 2> fields{kind_field("api_version", version, {quoted_version.data(), 13}),
                                                        kind_field("kind", kind, {quoted_kind.data(), 7})};
};

/// A position has the text that programs store.
template <> struct describe<log_position> {
    static bool parse(std::string_view s, log_position& to) {
        auto read = log_position::parse(s);
        if (!read) return false;
        to = *std::move(read);
        return true;
    }
    static void print(log_position const& p, std::string& out) { out += p.to_string(); }

    static constexpr model::descriptor make() { return describe_text<log_position, describe>("log position"); }
};

/// A job as the server has it, which is written only. Python and lists of the command take the jobs themselves.
template <> struct describe<any_job> {
    static bool parse(std::string_view, any_job&) { return false; }
    static void print(any_job const& job, std::string& out) { out += job.to_json(); }

    static constexpr model::descriptor make() {
        model::descriptor d = describe_text<any_job, describe>("job");
        d.is_bare = [](void const*) { return true; };
        return d;
    }
};

} // namespace detail

KFTRAIN_TABLE(submit_options)
KFTRAIN_TABLE(job_list_options)
KFTRAIN_TABLE(job_delete_options)
KFTRAIN_TABLE(job_event_options)
KFTRAIN_TABLE(explain_options)
KFTRAIN_TABLE(preflight_options)
KFTRAIN_TABLE(job_watch_options)
KFTRAIN_TABLE(timeline_options)
KFTRAIN_TABLE(job_log_options)

KFTRAIN_TABLE(issue)

KFTRAIN_FIELD_RULES(member, {"pod_name", "pod"})
KFTRAIN_REQUIRED(member, "index")
KFTRAIN_TABLE(member)

KFTRAIN_INLINED(job_reference, "kind")
KFTRAIN_TABLE(job_reference)

KFTRAIN_REQUIRED(role_state, "wanted", "pending", "running", "ready", "succeeded", "failed")
KFTRAIN_TABLE(role_state)

KFTRAIN_INLINED(rank_state, "member")
KFTRAIN_REQUIRED(rank_state, "restarts")
KFTRAIN_TABLE(rank_state)

KFTRAIN_INLINED(job_state, "job")
KFTRAIN_REQUIRED(job_state, "restarts")
KFTRAIN_TABLE(job_state)

KFTRAIN_FIELD_RULES(job_change, {"kind", "change"})
KFTRAIN_INLINED(job_change, "state")
KFTRAIN_TABLE(job_change)

KFTRAIN_INLINED(log_line, "member")
KFTRAIN_REQUIRED(log_line, "run", "text")
KFTRAIN_TABLE(log_line)

KFTRAIN_REQUIRED(job_event, "count")
KFTRAIN_TABLE(job_event)
KFTRAIN_REQUIRED(job_event_list, "items")
KFTRAIN_TABLE(job_event_list)

KFTRAIN_TABLE(job_progress)
KFTRAIN_REQUIRED(timeline_run, "container", "number")
KFTRAIN_TABLE(timeline_run)
KFTRAIN_INLINED(timeline_pod, "member")
KFTRAIN_REQUIRED(timeline_pod, "restarts")
KFTRAIN_TABLE(timeline_pod)
KFTRAIN_TABLE(timeline_condition)
KFTRAIN_REQUIRED(timeline_scaling, "from", "to")
KFTRAIN_TABLE(timeline_scaling)
KFTRAIN_REQUIRED(timeline_size, "running")
KFTRAIN_TABLE(timeline_size)
KFTRAIN_INLINED(job_timeline, "job")
KFTRAIN_REQUIRED(job_timeline, "conditions", "pods")
KFTRAIN_TABLE(job_timeline)

KFTRAIN_TABLE(job_cause)
KFTRAIN_FIELD_RULES(explanation, {"state", "job"})
KFTRAIN_TABLE(explanation)

KFTRAIN_TABLE(field_change)
KFTRAIN_TABLE(object_change_plan)
KFTRAIN_REQUIRED(update_plan, "exists")
KFTRAIN_TABLE(update_plan)

KFTRAIN_TABLE(preflight_check)
KFTRAIN_REQUIRED(preflight_report, "passed")
KFTRAIN_TABLE(preflight_report)

KFTRAIN_REQUIRED(job_page, "items")
KFTRAIN_TABLE(job_page)

namespace convert {

KFTRAIN_TABLE(change)

} // namespace convert

std::string job_state::to_json() const { return kftrain::to_json(*this); }
std::string job_change::to_json() const { return kftrain::to_json(*this); }
std::string log_line::to_json() const { return kftrain::to_json(*this); }
std::string job_event_list::to_json() const { return kftrain::to_json(*this); }
std::string job_progress::to_json() const { return kftrain::to_json(*this); }
std::string job_timeline::to_json() const { return kftrain::to_json(*this); }
std::string explanation::to_json() const { return kftrain::to_json(*this); }
std::string update_plan::to_json() const { return kftrain::to_json(*this); }
std::string preflight_report::to_json() const { return kftrain::to_json(*this); }
std::string job_page::to_json() const { return kftrain::to_json(*this); }

} // namespace kftrain
