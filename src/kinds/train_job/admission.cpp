#include "kinds/train_job/layout.hpp"

#include "job/contract/field_error.hpp"

#include <kftrain/objects/scheduling/priority_class.hpp>

namespace kftrain::trainer {
namespace {

/// Patches may change only while no pods run.
void check_active(train_job const& job, rules::admission_context const& context, issues& found) {
    auto const stored = context.look_up({jobset::job_set::resource, job.metadata.namespace_, job.metadata.name});
    auto const* const set = stored.get_if<jobset::job_set>();
    if (set == nullptr) return;
    for (auto const& s : set->status.replicated_jobs_status)
        if (s.active > 0)
            found.push_back(forbidden("train.patch", "spec.runtimePatches",
                                      "RuntimePatches cannot be modified when the JobSet's ReplicatedJob " + s.name +
                                          " is still active"));
}

void check_gang(layout const& l, rules::admission_context const& context, issues& found) {
    if (auto const queue = l.annotations.find(queue_annotation); queue != l.annotations.end() && queue->second.empty())
        found.push_back(invalid("train.gang", "spec.annotations[" + std::string(queue_annotation) + "]", "",
                                "Volcano queue name must not be empty"));
    for (auto const& j : l.spec.replicated_jobs) {
        auto const& name = j.template_.spec.template_.spec.priority_class_name;
        if (name.empty()) continue;
        if (name == "system-cluster-critical" || name == "system-node-critical") return;
        if (!context.look_up({scheduling::priority_class::resource, "", name}).empty()) continue;
        found.push_back(invalid("train.gang", "spec.templateSpec.priorityClassName", name,
                                "PriorityClass \"" + name + "\" doesn't exist: PriorityClass.scheduling.k8s.io \"" +
                                    name + "\" not found"));
    }
}

} // namespace

rules::admission_answer admit(train_job const& job, rules::admission_context const& context) {
    auto const* const before = static_cast<train_job const*>(context.before);
    auto const target = runtime_of(job);
    any_object runtime;
    if (target.type != nullptr && context.look_up) runtime = context.look_up(target);
    auto found = validate(job, runtime, before);
    auto const* const spec = spec_of(runtime);
    if (spec == nullptr || !context.look_up) return rules::answer_of(found);
    if (before != nullptr && (is_suspended(job) || is_suspended(*before)) &&
        !(before->spec.runtime_patches == job.spec.runtime_patches))
        check_active(job, context, found);
    if (spec->pod_group_policy && spec->pod_group_policy->volcano)
        check_gang(lay_out_template(job, *spec), context, found);
    return rules::answer_of(found);
}

} // namespace kftrain::trainer
