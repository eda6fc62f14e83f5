#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include "facade/result_forms.hpp"

#include "base/joined.hpp"

#include <kftrain/job/job_rules.hpp>
#include <kftrain/model/codec.hpp>
#include <kftrain/training_client.hpp>

#include <algorithm>
#include <iterator>

namespace kftrain {
namespace {

template <class To, class From, class Make> std::vector<To> each(From const& from, Make make) {
    std::vector<To> to;
    to.reserve(from.size());
    std::transform(from.begin(), from.end(), std::back_inserter(to), make);
    return to;
}

/// What is empty is left out of JSON, as Go's `omitempty` has it. Who reads a list means to find one, though.
template <class Items, class Write> raw_json list_of(Items const& items, Write write) {
    return raw_json("[" + joined(items, ",", write) + "]");
}

forms::number optional(std::optional<std::int32_t> n) { return n ? forms::number(*n) : forms::number(); }

forms::role form(role_state const& r) {
    return {r.role, r.wanted, r.pending, r.running, r.ready, r.succeeded, r.failed};
}

forms::rank form(rank_state const& r) {
    forms::rank f;
    f.role = r.member.role;
    f.index = r.member.index;
    f.rank = optional(r.member.rank);
    f.pod = r.member.pod_name;
    f.phase = to_string(r.phase);
    f.restarts = r.restarts;
    f.reason = r.reason;
    f.message = r.message;
    f.node = r.node;
    f.exit_code = optional(r.exit_code);
    return f;
}

forms::state form(job_state const& s) {
    forms::state f;
    if (!s.job.empty()) {
        auto const& type = *s.job.kind->primary().info;
        f.api_version =
            type.group.empty() ? std::string(type.version) : std::string(type.group) + "/" + std::string(type.version);
        f.kind = type.kind;
    }
    f.namespace_ = s.job.namespace_;
    f.name = s.job.name;
    f.uid = s.job.uid;
    f.resource_version = s.resource_version;
    f.phase = to_string(s.phase);
    f.reason = s.reason;
    f.message = s.message;
    f.suspended = s.suspended;
    f.deleting = s.deleting;
    f.created = s.created;
    f.started = s.started;
    f.finished = s.finished;
    f.restarts = s.restarts;
    f.roles = each<forms::role>(s.roles, [](role_state const& r) { return form(r); });
    f.ranks = each<forms::rank>(s.ranks, [](rank_state const& r) { return form(r); });
    return f;
}

forms::member form(kftrain::member const& m) { return {m.role, m.index, optional(m.rank), m.pod_name}; }

forms::cause form(job_cause const& c) {
    forms::cause f;
    f.kind = to_string(c.kind);
    f.summary = c.summary;
    f.members = each<forms::member>(c.members, [](kftrain::member const& m) { return form(m); });
    f.affected = c.affected;
    f.container = c.container;
    f.code = optional(c.code);
    f.signal = c.signal;
    f.evidence = c.evidence;
    f.log = c.log;
    f.advice = c.advice;
    return f;
}

std::optional<raw_json> raw(std::string const& text) {
    return text.empty() ? std::nullopt : std::optional<raw_json>(text);
}

forms::changed_field form(field_change const& c) {
    return {c.path, raw(c.before), raw(c.after), std::string(to_string(c.effect)), c.why};
}

forms::check form(preflight_check const& c) { return {c.name, std::string(to_string(c.verdict)), c.message}; }

forms::planned form(update_plan const& p) {
    forms::planned f;
    f.exists = p.exists;
    f.effect = to_string(p.effect);
    f.fields = each<forms::changed_field>(p.fields, [](field_change const& c) { return form(c); });
    f.objects = each<forms::changed_object>(
        p.objects, [](object_change_plan const& o) { return forms::changed_object{o.verb, o.kind, o.name}; });
    f.refusals = each<forms::violated_rule>(
        p.refusals, [](issue const& i) { return forms::violated_rule{i.rule, i.path, i.message}; });
    return f;
}

} // namespace

std::string job_state::to_json() const { return kftrain::to_json(form(*this)); }

std::string job_change::to_json() const {
    auto f = form(state);
    f.change = to_string(kind);
    return kftrain::to_json(f);
}

std::string log_line::to_json() const {
    forms::line f;
    f.pod = member.pod_name;
    f.role = member.role;
    f.index = member.index;
    f.rank = optional(member.rank);
    f.container = container;
    f.run = run;
    f.time = time;
    f.text = text;
    return kftrain::to_json(f);
}

std::string job_event_list::to_json() const {
    forms::events f;
    f.items = list_of(items, [](job_event const& e) {
        return kftrain::to_json(forms::event{e.first, e.last, e.count, e.type, e.reason, e.message, e.source,
                                             e.object_kind, e.object_name});
    });
    f.left_out = static_cast<std::int64_t>(left_out);
    return kftrain::to_json(f);
}

std::string explanation::to_json() const {
    forms::explained f;
    f.job = form(state);
    f.causes = each<forms::cause>(causes, [](job_cause const& c) { return form(c); });
    f.missing = missing;
    return kftrain::to_json(f);
}

std::string update_plan::to_json() const { return kftrain::to_json(form(*this)); }

std::string preflight_report::to_json() const {
    forms::checked f;
    f.passed = passed();
    f.checks = each<forms::check>(checks, [](preflight_check const& c) { return form(c); });
    f.served_versions = served_versions;
    f.missing_rules = missing_rules;
    return kftrain::to_json(f);
}

std::string job_page::to_json() const {
    forms::jobs f;
    f.items = list_of(items, [](any_job const& job) { return job.to_json(); });
    f.continue_ = continue_;
    f.unread = unread;
    f.unread_jobs = static_cast<std::int64_t>(unread_jobs);
    return kftrain::to_json(f);
}

} // namespace kftrain
