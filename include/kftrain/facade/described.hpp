#ifndef KFTRAIN_FACADE_DESCRIBED_HPP
#define KFTRAIN_FACADE_DESCRIBED_HPP

/** @file Describes the results, events and options of training_client, so that const_value_ref, value_ref, to_json()
    and to_yaml() accept them. Only code that serves every type needs it: bindings to other languages, writers of
    reports.

    Results are written without empty members, except for counts, `items` and the text of a log line. A member, a job
    reference or a job state that is part of another result is written as members of that result. Options
    are described without `detail`; the kind of a job is set by a name that find_job_kind() accepts. */

#include <kftrain/convert/change.hpp>
#include <kftrain/kube/described.hpp>
#include <kftrain/training_client.hpp>

namespace kftrain {

KFTRAIN_DECLARE_TABLE(issue, issue)
KFTRAIN_DESCRIBE(role_state, (role, wanted, pending, running, ready, succeeded, failed))
KFTRAIN_DESCRIBE(rank_state, (member, phase, restarts, reason, message, node, exit_code))
KFTRAIN_DESCRIBE(job_state, (job, resource_version, phase, reason, message, suspended, deleting, created, started,
                             finished, restarts, roles, ranks))
KFTRAIN_DESCRIBE(job_change, (kind, initial, state))
KFTRAIN_DESCRIBE(log_line, (member, container, run, time, text))
KFTRAIN_DESCRIBE(job_event, (first, last, count, type, reason, message, source, object_kind, object_name))
KFTRAIN_DESCRIBE(job_event_list, (items, left_out, unread))
KFTRAIN_DESCRIBE(job_progress, (step, total, epoch, loss, diverged, rate, unit, left, time, pod))
KFTRAIN_DESCRIBE(timeline_run, (container, number, started, ended, reason, exit_code))
KFTRAIN_DESCRIBE(timeline_pod, (member, uid, node, phase, reason, exit_code, restarts, created, scheduled, ready, ended,
                                deleted, runs))
KFTRAIN_DESCRIBE(timeline_condition, (time, type, status, reason, message))
KFTRAIN_DESCRIBE(timeline_scaling, (time, role, from, to))
KFTRAIN_DESCRIBE(timeline_size, (time, running))
KFTRAIN_DESCRIBE(job_timeline, (job, phase, created, started, finished, observed, recorded, conditions, scalings, sizes,
                                progress, pods, left_out, missing))
KFTRAIN_DESCRIBE(job_cause, (kind, summary, members, affected, container, code, signal, restarts, decisive_line,
                             evidence, log, advice))
KFTRAIN_DESCRIBE(explanation, (state, causes, missing))
KFTRAIN_DESCRIBE(field_change, (path, before, after, effect, why))
KFTRAIN_DESCRIBE(object_change_plan, (verb, kind, name))
KFTRAIN_DESCRIBE(update_plan, (exists, effect, fields, objects, refusals, missing))
KFTRAIN_DESCRIBE(preflight_check, (name, verdict, message))
KFTRAIN_DESCRIBE(preflight_report, (passed, checks, served_versions, missing_rules))
KFTRAIN_DESCRIBE(job_page, (items, continue_, unread, unread_jobs))

namespace convert {

KFTRAIN_DESCRIBE(change, (path, value, becomes, result_path, why))

} // namespace convert

KFTRAIN_DESCRIBE_OPTIONS(submit_options, (kube::call_options), (idempotency_key, idempotent, dry_run, validate))
KFTRAIN_DESCRIBE_OPTIONS(job_list_options, (kube::call_options),
                         (namespace_, all_namespaces, kinds, label_selector, limit, continue_))
KFTRAIN_DESCRIBE_OPTIONS(job_delete_options, (kube::call_options), (wait, foreground))
KFTRAIN_DESCRIBE_OPTIONS(job_event_options, (kube::call_options), (children, most))
KFTRAIN_DESCRIBE_OPTIONS(explain_options, (kube::call_options), (log_lines, quiet))
KFTRAIN_DESCRIBE_OPTIONS(preflight_options, (kube::call_options), (follow, change))
KFTRAIN_DESCRIBE_OPTIONS(job_watch_options, (),
                         (namespace_, all_namespaces, kinds, label_selector, name, uid, one_job, pods))
KFTRAIN_DESCRIBE_OPTIONS(timeline_options, (), (timeout, follow, progress, most_pods))
KFTRAIN_DESCRIBE_OPTIONS(job_log_options, (),
                         (timeout, roles, ranks, indices, containers, follow, previous, timestamps, tail, since,
                          resume_after, buffered_lines, buffered_bytes, open_logs))

} // namespace kftrain

#endif
