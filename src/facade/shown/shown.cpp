#include "facade/shown/shown.hpp"

#include <kftrain/job/job_rules.hpp>
#include <kftrain/model/codec.hpp>

namespace kftrain {
namespace {

template <class Shown, class Items> std::vector<Shown> all_shown(Items const& items) {
    std::vector<Shown> shown;
    shown.reserve(items.size());
    for (auto const& item : items) shown.emplace_back(item);
    return shown;
}

} // namespace

shown_job::shown_job(job_reference const& job) : namespace_(job.namespace_), name(job.name), uid(job.uid) {
    if (job.empty()) return;
    api_version = job.kind->primary().info->api_version();
    kind = job.kind->primary().info->kind;
}

shown_member::shown_member(kftrain::member const& m) : role(m.role), index(m.index), rank(m.rank), pod(m.pod_name) {}

shown_rank::shown_rank(rank_state const& r)
    : member(r.member),
      phase(to_string(r.phase)),
      restarts(r.restarts),
      reason(r.reason),
      message(r.message),
      node(r.node),
      exit_code(r.exit_code) {}

shown_role::shown_role(role_state const& r)
    : role(r.role),
      wanted(r.wanted),
      pending(r.pending),
      running(r.running),
      ready(r.ready),
      succeeded(r.succeeded),
      failed(r.failed) {}

shown_state::shown_state(job_state const& s)
    : job(s.job),
      phase(to_string(s.phase)),
      reason(s.reason),
      message(s.message),
      suspended(s.suspended),
      deleting(s.deleting),
      roles(all_shown<shown_role>(s.roles)),
      ranks(all_shown<shown_rank>(s.ranks)),
      restarts(s.restarts),
      created(s.created),
      started(s.started),
      finished(s.finished),
      resource_version(s.resource_version) {}

shown_change::shown_change(job_change const& c) : change(word_of(c.kind)), initial(c.initial), state(c.state) {}

shown_line::shown_line(log_line const& l)
    : member(l.member), container(l.container), run(l.run), time(l.time), text(l.text) {}

shown_page::shown_page(job_page const& p) : continue_(p.continue_), unread(p.unread) {
    items.reserve(p.items.size());
    for (auto const& job : p.items) items.emplace_back(job.to_json());
}

shown_event::shown_event(job_event const& e)
    : first(e.first),
      last(e.last),
      count(e.count),
      type(e.type),
      reason(e.reason),
      message(e.message),
      source(e.source),
      object_kind(e.object_kind),
      object_name(e.object_name) {}

shown_events::shown_events(job_event_list const& list)
    : items(all_shown<shown_event>(list.items)), left_out(static_cast<std::int64_t>(list.left_out)) {}

shown_cause::shown_cause(job_cause const& c)
    : kind(to_string(c.kind)),
      summary(c.summary),
      members(all_shown<shown_member>(c.members)),
      affected(c.affected),
      container(c.container),
      code(c.code),
      signal(c.signal),
      evidence(c.evidence),
      log(c.log),
      advice(c.advice) {}

shown_explanation::shown_explanation(explanation const& e)
    : causes(all_shown<shown_cause>(e.causes)), missing(e.missing), state(e.state) {}

shown_field::shown_field(field_change const& f)
    : path(f.path), before(f.before), after(f.after), effect(to_string(f.effect)), why(f.why) {}

shown_object::shown_object(object_change_plan const& o) : kind(o.kind), name(o.name), verb(o.verb) {}

shown_issue::shown_issue(issue const& i)
    : rule(i.rule), path(i.path), message(i.message), severity(to_string(i.level)) {}

shown_plan::shown_plan(update_plan const& p, job_reference const& of)
    : job(of),
      exists(p.exists),
      effect(to_string(p.effect)),
      fields(all_shown<shown_field>(p.fields)),
      objects(all_shown<shown_object>(p.objects)),
      refusals(all_shown<shown_issue>(p.refusals)) {}

shown_check::shown_check(preflight_check const& c) : name(c.name), verdict(to_string(c.verdict)), message(c.message) {}

shown_preflight::shown_preflight(preflight_report const& r, job_reference const& of)
    : job(of),
      passed(r.passed()),
      checks(all_shown<shown_check>(r.checks)),
      served_versions(r.served_versions),
      missing_rules(r.missing_rules) {}

std::string_view word_of(job_change_kind kind) noexcept {
    switch (kind) {
    case job_change_kind::added: return "added";
    case job_change_kind::changed: return "changed";
    case job_change_kind::deleted: return "deleted";
    }
    return "changed";
}

std::string job_state::to_json() const { return kftrain::to_json(shown_state(*this)); }
std::string job_change::to_json() const { return kftrain::to_json(shown_change(*this)); }
std::string log_line::to_json() const { return kftrain::to_json(shown_line(*this)); }
std::string job_page::to_json() const { return kftrain::to_json(shown_page(*this)); }
std::string job_event_list::to_json() const { return kftrain::to_json(shown_events(*this)); }
std::string explanation::to_json() const { return kftrain::to_json(shown_explanation(*this)); }
std::string update_plan::to_json() const { return kftrain::to_json(shown_plan(*this)); }
std::string preflight_report::to_json() const { return kftrain::to_json(shown_preflight(*this)); }

} // namespace kftrain
