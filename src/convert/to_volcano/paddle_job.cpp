#include "convert/to_volcano/volcano_parts.hpp"

#include <kftrain/convert/volcano_job.hpp>

#include <vector>

namespace kftrain::convert {
namespace {

/// Behind the name of the first task, which has one replica then.
constexpr std::string_view others = "-others";

/// The own address of a pod; the launcher that receives it as the address of the master is the master.
constexpr std::string_view own_address = "POD_IP_DUMMY";

/// Moves the first replica of `key`, whose task is the first, into a separate task: only this task receives its own
/// address.
void part_first(volcano_draft& draft, std::string const& key) {
    auto& first = draft.job.spec.tasks.front();
    if (first.replicas < 2) return;
    auto rest = first;
    rest.name += others;
    rest.replicas -= 1;
    std::erase_if(rest.policies, [](auto const& p) { return p.event == "TaskCompleted"; });
    draft.changes.approximated(draft.path_of(key) + ".replicas", std::to_string(first.replicas), "spec.tasks",
                               "The first replica becomes a separate task, because it receives its own address. If it "
                               "is a master, the job ends with it. The pods of the other replicas have other names.");
    first.replicas = 1;
    draft.add_task(std::move(rest), key);
}

} // namespace

/// There is no plugin for Paddle: its variables are in the templates.
result<converted<volcano_job>> to_volcano(paddle_job const& job) {
    if (auto fault = source_fault(job)) return *std::move(fault);
    volcano_draft draft(job, job.spec.paddle_replica_specs);
    if (auto fault = draft.generated_name_fault()) return *std::move(fault);
    if (auto const& elastic = job.spec.elastic_policy)
        draft.changes.dropped("spec.elasticPolicy", to_json(*elastic), "The field had no effect.");
    auto const master = draft.key_of("Master");
    auto const leader = master.empty() ? draft.key_of("Worker") : master;
    draft.changes.approximated("apiVersion", R"("kubeflow.org/v1")", "apiVersion",
                               "Pods start as a gang and find each other through one service. Variables in the "
                               "templates fix the number of nodes.");
    draft.convert(master);
    auto& tasks = draft.job.spec.tasks;
    if (leader.empty()) return draft.finish(); // which refuses it: there are no pods
    std::int64_t nodes = 0;
    for (auto const& task : tasks) nodes += task.replicas;
    std::string const first = tasks.front().name;
    part_first(draft, leader);

    // In the order of training-operator.
    auto const port = std::to_string(draft.port_of(leader).value_or(draft.names().port));
    for (auto& task : tasks) {
        bool const leads = task.name == first;
        add_variable(task, "PYTHONUNBUFFERED", "1");
        add_variable(task, "PADDLE_JOB_ID", draft.job.metadata.name);
        add_variable(task, "PADDLE_NNODES", std::to_string(nodes));
        if (leads) add_field_variable(task, own_address, "status.podIP");
        add_variable(task, "PADDLE_MASTER",
                     (leads ? std::string("$(").append(own_address).append(")") : draft.host_of(first, 0)) + ":" +
                         port);
        if (!master.empty())
            add_variable(task, task.name.starts_with("master") ? "PADDLE_SERVER_NUM" : "PADDLE_TRAINER_NUM", "1");
    }
    return draft.finish();
}

} // namespace kftrain::convert
