#ifndef KFTRAIN_SRC_FACADE_SHOWN_SHOWN_HPP
#define KFTRAIN_SRC_FACADE_SHOWN_SHOWN_HPP

/** @file
    What results of training_client look like as JSON and YAML. Enumerations are words here; what is empty is left out, but for
    what scripts ask first. */

#include <kftrain/facade/explanation.hpp>
#include <kftrain/facade/job_logs.hpp>
#include <kftrain/facade/job_watch.hpp>
#include <kftrain/facade/preflight.hpp>
#include <kftrain/facade/submit_options.hpp>
#include <kftrain/facade/update_plan.hpp>
#include <kftrain/model/descriptor.hpp>
#include <kftrain/model/raw_json.hpp>

#include <optional>
#include <string>
#include <vector>

namespace kftrain {

struct shown_job {
    shown_job() = default;
    explicit shown_job(job_reference const&);

    std::string api_version, kind, namespace_, name, uid;
};
KFTRAIN_DESCRIBE(shown_job, (api_version, kind, namespace_, name, uid))

struct shown_member {
    shown_member() = default;
    explicit shown_member(member const&);

    std::string role;
    std::int32_t index = 0;
    std::optional<std::int32_t> rank;
    std::string pod;
};
KFTRAIN_REQUIRED(shown_member, "role", "index")
KFTRAIN_DESCRIBE(shown_member, (role, index, rank, pod))

struct shown_rank {
    shown_rank() = default;
    explicit shown_rank(rank_state const&);

    shown_member member;
    std::string phase;
    std::int32_t restarts = 0;
    std::string reason, message, node;
    std::optional<std::int32_t> exit_code;
};
KFTRAIN_REQUIRED(shown_rank, "phase")
KFTRAIN_DESCRIBE(shown_rank, (member, phase, restarts, reason, message, node, exit_code))

struct shown_role {
    shown_role() = default;
    explicit shown_role(role_state const&);

    std::string role;
    std::int32_t wanted = 0, pending = 0, running = 0, ready = 0, succeeded = 0, failed = 0;
};
KFTRAIN_REQUIRED(shown_role, "role", "wanted", "pending", "running", "ready", "succeeded", "failed")
KFTRAIN_DESCRIBE(shown_role, (role, wanted, pending, running, ready, succeeded, failed))

struct shown_state {
    shown_state() = default;
    explicit shown_state(job_state const&);

    shown_job job;
    std::string phase, reason, message;
    bool suspended = false, deleting = false;
    std::vector<shown_role> roles;
    std::vector<shown_rank> ranks;
    std::int32_t restarts = 0;
    std::optional<time_point> created, started, finished;
    std::string resource_version;
};
KFTRAIN_REQUIRED(shown_state, "phase", "restarts")
KFTRAIN_DESCRIBE(shown_state, (job, phase, reason, message, suspended, deleting, roles, ranks, restarts, created,
                               started, finished, resource_version))

struct shown_change {
    shown_change() = default;
    explicit shown_change(job_change const&);

    std::string change; ///< added, changed or deleted
    bool initial = false;
    shown_state state;
};
KFTRAIN_REQUIRED(shown_change, "change", "initial")
KFTRAIN_DESCRIBE(shown_change, (change, initial, state))

struct shown_line {
    shown_line() = default;
    explicit shown_line(log_line const&);

    shown_member member;
    std::string container;
    std::int32_t run = 0;
    std::string time, text;
};
KFTRAIN_REQUIRED(shown_line, "text")
KFTRAIN_DESCRIBE(shown_line, (member, container, run, time, text))

struct shown_page {
    shown_page() = default;
    explicit shown_page(job_page const&);

    std::vector<raw_json> items; ///< jobs as a server has them
    std::string continue_;
    std::vector<std::string> unread;
};
KFTRAIN_REQUIRED(shown_page, "items")
KFTRAIN_DESCRIBE(shown_page, (items, continue_, unread))

struct shown_event {
    shown_event() = default;
    explicit shown_event(job_event const&);

    std::optional<time_point> first, last;
    std::int64_t count = 1;
    std::string type, reason, message, source, object_kind, object_name;
};
KFTRAIN_REQUIRED(shown_event, "count", "type", "reason", "message")
KFTRAIN_DESCRIBE(shown_event, (first, last, count, type, reason, message, source, object_kind, object_name))

struct shown_events {
    shown_events() = default;
    explicit shown_events(job_event_list const&);

    std::vector<shown_event> items;
    std::int64_t left_out = 0;
};
KFTRAIN_REQUIRED(shown_events, "left_out")
KFTRAIN_DESCRIBE(shown_events, (items, left_out))

struct shown_cause {
    shown_cause() = default;
    explicit shown_cause(job_cause const&);

    std::string kind, summary;
    std::vector<shown_member> members;
    std::int64_t affected = 0;
    std::string container;
    std::optional<std::int32_t> code;
    std::string signal;
    std::vector<std::string> evidence, log;
    std::string advice;
};
KFTRAIN_REQUIRED(shown_cause, "kind", "summary")
KFTRAIN_DESCRIBE(shown_cause, (kind, summary, members, affected, container, code, signal, evidence, log, advice))

struct shown_explanation {
    shown_explanation() = default;
    explicit shown_explanation(explanation const&);

    std::vector<shown_cause> causes;
    std::vector<std::string> missing;
    shown_state state;
};
KFTRAIN_DESCRIBE(shown_explanation, (causes, missing, state))

struct shown_field {
    shown_field() = default;
    explicit shown_field(field_change const&);

    std::string path;
    raw_json before, after;
    std::string effect, why;
};
KFTRAIN_REQUIRED(shown_field, "path", "effect")
KFTRAIN_DESCRIBE(shown_field, (path, before, after, effect, why))

struct shown_object {
    shown_object() = default;
    explicit shown_object(object_change_plan const&);

    std::string kind, name, verb;
};
KFTRAIN_DESCRIBE(shown_object, (kind, name, verb))

struct shown_issue {
    shown_issue() = default;
    explicit shown_issue(issue const&);

    std::string rule, path, message, severity;
};
KFTRAIN_DESCRIBE(shown_issue, (rule, path, message, severity))

struct shown_plan {
    shown_plan() = default;
    explicit shown_plan(update_plan const&, job_reference const& of = {});

    shown_job job;
    bool exists = false;
    std::string effect;
    std::vector<shown_field> fields;
    std::vector<shown_object> objects;
    std::vector<shown_issue> refusals;
};
KFTRAIN_REQUIRED(shown_plan, "exists", "effect")
KFTRAIN_DESCRIBE(shown_plan, (job, exists, effect, fields, objects, refusals))

struct shown_check {
    shown_check() = default;
    explicit shown_check(preflight_check const&);

    std::string name, verdict, message;
};
KFTRAIN_DESCRIBE(shown_check, (name, verdict, message))

struct shown_preflight {
    shown_preflight() = default;
    explicit shown_preflight(preflight_report const&, job_reference const& of = {});

    shown_job job;
    bool passed = false;
    std::vector<shown_check> checks;
    std::vector<std::string> served_versions;
    std::string missing_rules; ///< YAML
};
KFTRAIN_REQUIRED(shown_preflight, "passed")
KFTRAIN_DESCRIBE(shown_preflight, (job, passed, checks, served_versions, missing_rules))

std::string_view word_of(job_change_kind) noexcept;

} // namespace kftrain

#endif
