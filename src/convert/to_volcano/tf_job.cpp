#include "convert/to_volcano/volcano_parts.hpp"

#include <kftrain/convert/volcano_job.hpp>

#include <algorithm>

namespace kftrain::convert {
namespace {

constexpr std::string_view success_path = "spec.successPolicy";

/// The job ends with its chief, else with its workers.
void explain_end(tf_job const& job, std::string const& leader, volcano_draft& draft) {
    auto const& policy = job.spec.success_policy;
    std::string const value = policy ? json_text(*policy) : std::string(absent);
    bool const by_workers = leader == draft.key_of("Worker");
    if (by_workers && policy != "AllWorkers")
        draft.changes.approximated(std::string(success_path), value, "",
                                   "The job ends when all workers are done, not with the first one.");
    else if (policy)
        draft.changes.changed(std::string(success_path), value, "",
                              "A policy of the leading task has the same effect.");
}

/// The part of TF_CONFIG for tasks that are not a worker, parameter server or chief.
void report_roles(tf_job const& job, volcano_draft& draft) {
    for (auto const& [key, spec] : job.spec.tf_replica_specs) {
        if (spec.replicas == 0) continue;
        auto const is = [&](std::string_view type) { return key == draft.key_of(type); };
        if (is("Master"))
            draft.changes.approximated(
                draft.path_of(key), to_json(spec), "spec.plugins",
                "TF_CONFIG calls the task chief. Programs that look for a master do not find it.");
        else if (is("Evaluator"))
            draft.changes.approximated(draft.path_of(key), to_json(spec), "spec.plugins",
                                       "TF_CONFIG also lists evaluators in the cluster.");
        else if (std::ranges::none_of(draft.names().types, is))
            draft.changes.approximated(draft.path_of(key), to_json(spec), "spec.plugins",
                                       "TF_CONFIG does not list tasks of this type in the cluster.");
    }
}

/// The plugin has one port for all tasks.
std::int32_t common_port(std::string const& leader, tf_job const& job, volcano_draft& draft) {
    auto const port = draft.port_of(leader).value_or(draft.names().port);
    for (auto const& [key, spec] : job.spec.tf_replica_specs) {
        auto const own = draft.port_of(key).value_or(draft.names().port);
        if (spec.replicas != 0 && own != port)
            draft.changes.approximated(draft.path_of(key), to_json(spec), "spec.plugins",
                                       "TF_CONFIG has the same port for all tasks: " + std::to_string(port) + ".");
    }
    return port;
}

} // namespace

result<converted<volcano_job>> to_volcano(tf_job const& job) {
    if (auto fault = source_fault(job)) return *std::move(fault);
    volcano_draft draft(job, job.spec.tf_replica_specs);
    draft.changes.approximated(
        "apiVersion", R"("kubeflow.org/v1")", "apiVersion",
        "Pods start as a gang and find each other through one service. All their containers receive TF_CONFIG, which "
        "has no environment, and in which no domain follows the name of the service.");
    auto const chief = draft.key_of("Chief"), master = draft.key_of("Master");
    auto const& head = chief.empty() ? master : chief;
    auto const leader = head.empty() ? draft.key_of("Worker") : head;
    draft.convert(leader);
    explain_end(job, leader, draft);
    report_roles(job, draft);
    if (job.spec.enable_dynamic_worker)
        draft.changes.dropped("spec.enableDynamicWorker", "true", "TF_CONFIG lists the whole cluster for each task.");
    auto const port = common_port(leader, job, draft);
    draft.add_plugin("tensorflow",
                     {"--ps=ps", "--worker=worker",
                      head == master && !master.empty() ? "--chief=master" : "--chief=chief", "--evaluator=evaluator",
                      "--port=" + std::to_string(port)},
                     port);
    return draft.finish();
}

} // namespace kftrain::convert
