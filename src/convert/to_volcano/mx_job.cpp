#include "convert/to_volcano/volcano_parts.hpp"

#include "base/ascii.hpp"
#include "model/json/go_text.hpp"

#include <kftrain/convert/volcano_job.hpp>

#include <algorithm>
#include <map>

namespace kftrain::convert {
namespace {

/// Of the pod within its task; MX_CONFIG refers to it.
constexpr std::string_view mx_index = "MX_TASK_INDEX";

/// The variables that no released plugin sets. Refers to both jobs.
class mx_variables {
public:
    mx_variables(mx_job const& job, volcano_draft& draft) : specs_(job.spec.mx_replica_specs), draft_(draft) {}

    std::int32_t count(std::string_view type) const {
        auto const key = draft_.key_of(type);
        return key.empty() ? 0 : specs_.at(key).replicas.value_or(1);
    }

    /// In the order of training-operator. The index comes first, because variables can refer only to earlier ones.
    void add() const {
        auto const scheduler = draft_.key_of("Scheduler");
        std::string const cluster = cluster_text();
        draft_.add_index(mx_index);
        for (auto& task : draft_.job.spec.tasks) {
            auto const add_variable = [&](std::string const& name, std::string const& value) {
                convert::add_variable(task, name, value);
            };
            add_variable("MX_CONFIG", cluster + ",\"task\":{\"type\":" + go_text::json(task.name) + ",\"index\":$(" +
                                          std::string(mx_index) + ")}}");
            add_variable("DMLC_PS_ROOT_PORT", scheduler.empty() ? "0" : std::to_string(port_of(scheduler)));
            add_variable("DMLC_PS_ROOT_URI", scheduler.empty() ? "" : draft_.host_of("scheduler", 0));
            add_variable("DMLC_NUM_SERVER", std::to_string(count("Server")));
            add_variable("DMLC_NUM_WORKER", std::to_string(count("Worker")));
            add_variable("DMLC_ROLE", task.name);
            add_variable("DMLC_USE_KUBERNETES", "1");
        }
        draft_.add_index("DMLC_WORKER_ID", "worker");
    }

private:
    std::int32_t port_of(std::string const& key) const { return draft_.port_of(key).value_or(draft_.names().port); }

    /// Types without replicas stand in it, too.
    std::string cluster_text() const {
        std::map<std::string, std::string> sorted; // key by the name within the text
        for (auto const& [key, spec] : specs_) sorted.emplace(to_lower(key), key);
        std::string hosts, labels;
        for (auto const& [name, key] : sorted) {
            auto const& spec = specs_.at(key);
            std::string const port = ",\"port\":" + std::to_string(port_of(key)) + "}";
            hosts.append(hosts.empty() ? "" : ",").append(go_text::json(name)).append(":[");
            for (std::int32_t i = 0; i < spec.replicas.value_or(1); ++i)
                hosts.append(i == 0 ? "" : ",")
                    .append("{\"url\":")
                    .append(go_text::json(draft_.host_of(name, i)))
                    .append(port);
            hosts += "]";
            auto const& annotations = spec.template_.metadata.annotations;
            auto const label = annotations.find("tuner-server-key");
            labels.append(labels.empty() ? "" : ",")
                .append(go_text::json(name))
                .append(":")
                .append(
                    go_text::json(label == annotations.end() ? std::string_view() : std::string_view(label->second)));
        }
        return "{\"cluster\":{" + hosts + "},\"labels\":{" + labels + "}";
    }

    kubeflow_v1::replica_spec_map const& specs_;
    volcano_draft& draft_;
};

/// Upstream, any other job runs forever.
std::string mx_leader(mx_job const& job, mx_variables const& variables, volcano_draft& draft) {
    if (auto scheduler = draft.key_of("Scheduler"); !scheduler.empty()) return scheduler;
    if (variables.count("Worker") == 1 && variables.count("Server") == 0) {
        if (job.spec.mx_replica_specs.size() > 1)
            draft.changes.approximated(draft.path_of(draft.key_of("Worker")),
                                       to_json(job.spec.mx_replica_specs.at(draft.key_of("Worker"))), "",
                                       "The job ended with the first type that was done. Now it ends with its Worker.");
        return draft.key_of("Worker");
    }
    auto const& specs = job.spec.mx_replica_specs;
    auto const none =
        std::ranges::find_if(specs, [](auto const& entry) { return to_lower(entry.first) == "scheduler"; });
    draft.changes.approximated(draft.path_of(none == specs.end() ? "Scheduler" : none->first),
                               none == specs.end() ? std::string(absent) : to_json(none->second), "",
                               "Without a Scheduler the job never ended. Now it ends when all its pods have ended.");
    return {};
}

} // namespace

/// No release has the plugin mxnet: the template of a task contains what its pods share, and the index comes from a
/// label of the pod.
result<converted<volcano_job>> to_volcano(mx_job const& job) {
    if (auto fault = source_fault(job)) return *std::move(fault);
    volcano_draft draft(job, job.spec.mx_replica_specs);
    if (auto fault = draft.generated_name_fault()) return *std::move(fault);
    draft.changes.approximated("apiVersion", R"("kubeflow.org/v1")", "apiVersion",
                               "Pods start as a gang and find each other through one service. Variables in the "
                               "templates fix the numbers of servers and workers.");
    draft.changes.changed("spec.jobMode", json_text(job.spec.job_mode), "", "The replica types decide, as before.");
    mx_variables const variables(job, draft);
    draft.convert(mx_leader(job, variables, draft));
    variables.add();
    return draft.finish();
}

} // namespace kftrain::convert
