#include "job/v1/replica_rules.hpp"

#include "base/ascii.hpp"
#include "job/contract/conditions.hpp"
#include "job/contract/gang_settings.hpp"
#include "job/v1/labels.hpp"
#include "job/v1/lint/lint_rules.hpp"
#include "job/v1/replica_plan.hpp"
#include "job/v1/replica_render.hpp"

#include <kftrain/job/job_patch.hpp>
#include <kftrain/job/prepared_job.hpp>

#include <array>

namespace kftrain::embedded {
extern std::string_view const replica_job_schema; // replica_job_schema.json
}

namespace kftrain::kubeflow_v1 {
namespace {

/// The type that the subresource `scale` of the family's CRDs is about.
constexpr std::string_view scaled_type = "Worker";
/// Reasons of events of its operator.
constexpr std::array<std::string_view, 4> refusals{"FailedCreatePod", "FailedCreateService", "FailedCreatePodGroup",
                                                   "ErrResourceExists"};

bool is_suspended(replica_job const& job) { return job.policy.suspend.value_or(false); }

result<void> read_gang_scheduler(operator_options& options, std::string_view value) {
    auto family = options.get<training_operator_options>();
    family.gang_scheduler_name = value;
    options.set(std::move(family));
    return {};
}

/// Workers of jobs that are elastic, have not started yet or are suspended. Pods of other jobs already have the world
/// size.
rules::scaling scaling_of(replica_job const& job, bool has_subresource) {
    rules::scaling s;
    auto const* const workers = job.spec_of(scaled_type);
    if (is_finished(job.status)) {
        s.refused = "the job is finished";
    } else if (workers == nullptr) {
        s.refused = "the job has no replicas of type Worker";
    } else if (auto place = job.elastic_place()) {
        s.places.push_back(*std::move(place));
    } else if (is_suspended(job)) {
        auto& p = s.places.emplace_back();
        p.least = 1;
        p.most = static_cast<std::int32_t>(job.constants.max_replicas);
        p.effect = "Pods that are created when the job is resumed receive the new number.";
    } else {
        s.refused = "its running pods received the number of replicas when they were created; suspend the job first";
    }
    for (auto& p : s.places) {
        p.role = scaled_type;
        p.path = job.path_of(scaled_type) + ".replicas";
        p.now = workers->replicas.value_or(1);
        p.has_subresource = has_subresource;
    }
    return s;
}

rules::suspending suspending_of(replica_job const& job) {
    return rules::suspending_of(is_suspended(job), is_finished(job.status));
}

} // namespace

resource_schema compile_schema(std::string_view text) {
    std::array<schema_file, 1> const shared{{{"replica_job_schema.json", embedded::replica_job_schema}}};
    return resource_schema::parse(text, shared).value();
}

std::vector<operator_flag> with_family_flags(std::span<operator_flag const> own) {
    std::vector<operator_flag> all{{"gang-scheduler-name", &read_gang_scheduler}};
    all.insert(all.end(), own.begin(), own.end());
    return all;
}

replica_rules::replica_rules(replica_constants const& constants, operator_options const& options)
    : constants_(constants),
      gang_(gang_of(options.get<training_operator_options>())),
      selector_(std::string(label::operator_name).append("=").append(constants.controller)) {
    rows_ = rows_of(selector_, !constants.own_members);
    if (gang_) add_rows(rows_, pod_group_type(gang_)); // PodGroups bear no labels of the operator
    form_.columns = constants.columns;
    form_.admission_name = constants.admission_name;
    // Upstream training-operator v1.9.0 `pkg/core/status.go`: a deleted pod counts as failed while it runs, and then by
    // its final phase.
    facts_.counts_old_pods = true;
    facts_.launcher = constants.launcher;
    facts_.training_container = constants.trains_in_first ? std::string_view() : constants.container;
    facts_.manager = own_manager;
    facts_.refusal_reasons = refusals;
}

issues replica_rules::validate(void const* job, void const* before) const {
    issues found;
    auto const stored = before == nullptr ? nullptr : view(before);
    view(job)->find_faults(stored.get(), found);
    return found;
}

issues replica_rules::lint(void const* written, void const* complete) const {
    issues found;
    auto const job = view(complete);
    lint_replicas(*view(written), *job, gang_, found);
    job->lint(found);
    return found;
}

std::vector<any_object> replica_rules::render(void const* job) const { return kubeflow_v1::render(*view(job), gang_); }

core::pod replica_rules::render_pod(void const* job, membership const& layout, member const& m) const {
    return kubeflow_v1::render_pod(*view(job), layout, m, gang_);
}

rules::scaling replica_rules::scaling(void const* job) const {
    return scaling_of(*view(job), schema().scale().has_value());
}
rules::suspending replica_rules::suspending(void const* job) const { return suspending_of(*view(job)); }

result<rules::job_write> replica_rules::scaled(void const* given, void const* complete, std::string_view type,
                                               std::int32_t replicas) const {
    auto const stored = view(given);
    auto const place = rules::checked_place(scaling(complete), type, replicas, stored->path_of(type) + ".replicas");
    if (!place) return place.error();
    // The stored map may spell the type in another case. A key that the server does not have would become an entry
    // without a template.
    std::string_view key = type;
    if (stored->spec_of(type) == nullptr)
        for (auto const& [spelled, spec] : stored->specs)
            if (to_lower(spelled) == to_lower(type)) key = spelled;
    return rules::patch_of_job(stored->resource, stored->metadata, {constants_.specs_field, key, "replicas"},
                               std::to_string(replicas));
}

result<rules::job_write> replica_rules::suspended(void const* job, bool on) const {
    auto const stored = view(job);
    return rules::patch_of_suspend(suspending_of(*stored), stored->resource, stored->metadata, {"runPolicy", "suspend"},
                                   on);
}

std::optional<rules::gang_settings> replica_rules::gang(void const* job) const {
    return rules::gang_settings_of(view(job)->policy.scheduling_policy);
}

rules::job_policies replica_rules::policies(void const* job) const {
    auto const stored = view(job);
    rules::job_policies p;
    p.clean_up = stored->policy.clean_pod_policy.value_or(std::string());
    p.manager = stored->policy.managed_by.value_or(std::string());
    p.has_backoff_limit = true;
    for (auto const& [type, spec] : stored->specs)
        if (spec.restart_policy == "ExitCode") p.unlimited_roles.push_back(type);
    return p;
}

std::vector<meta::condition> replica_rules::conditions(void const* job) const {
    return as_conditions(view(job)->status.conditions);
}

job_phase replica_rules::phase(void const* job) const { return phase_of(view(job)->status); }

rules::run_times replica_rules::times(void const* job) const {
    auto const stored = view(job);
    rules::run_times t;
    t.started = stored->status.start_time;
    t.finished = stored->status.completion_time;
    return t;
}

rules::plan replica_rules::plan_for(void const* job, prepared_job const& prepared, rules::world const& related,
                                    std::shared_ptr<rules::memory const>, time_point now) const {
    auto const stored = view(job);
    if (stored->metadata.deletion_timestamp || !is_ours(*stored)) return {};
    if (!prepared.is_valid()) return stored->plan_of_invalid(prepared.faults());
    auto const complete = view(prepared.complete().get());
    auto const changed = [&](job_status status) { return with_status(job, std::move(status)); };
    return kubeflow_v1::make_plan(prepared, *complete, changed, gather(related, stored->metadata.uid), now, gang_);
}

} // namespace kftrain::kubeflow_v1
