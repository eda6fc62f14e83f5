#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include "convert/before_v1/early_job.hpp"

#include <kftrain/model/reflect.hpp>

#include <algorithm>

namespace kftrain::convert {

/// A set of pods of a PaddleJob of paddle-operator.
struct paddle_operator_set {
    paddle_operator_set() = default;

    std::int32_t replicas = 0;
    std::optional<std::int32_t> requests; ///< bounds of elastic training, as the next
    std::optional<std::int32_t> limits;
    core::pod_template_spec template_;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(paddle_operator_set, (replicas, requests, limits, template_))

/** The spec of a PaddleJob of `batch.paddlepaddle.org/v1`.
    @par Upstream paddle-operator v0.3.5 `api/v1/paddlejob_types.go` */
struct paddle_operator_spec {
    paddle_operator_spec() = default;

    std::string clean_pod_policy; ///< Always, Never, OnFailure or OnCompletion; empty: OnCompletion
    boxed<kubeflow_v1::scheduling_policy> scheduling_policy;
    std::string intranet; ///< Service, Host or PodIP; empty: PodIP
    std::optional<std::int32_t> with_gloo;
    boxed<paddle_operator_set> ps;
    boxed<paddle_operator_set> worker;
    boxed<paddle_operator_set> heter;
    std::optional<std::int32_t> elastic;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(paddle_operator_spec,
                 (clean_pod_policy, scheduling_policy, intranet, with_gloo, ps, worker, heter, elastic))

using paddle_operator_job = early_job<paddle_operator_spec>;

KFTRAIN_TABLE(paddle_operator_set)
KFTRAIN_TABLE(paddle_operator_spec)

namespace {

constexpr std::string_view unknown_in_paddle_operator = "A PaddleJob of paddle-operator has no such field.";
constexpr std::string_view paddle_container = "paddle";

/** One conversion; refers to the source.
    @par Upstream paddle-operator v0.3.5 `controllers/paddlejob_{helper,controller}.go` */
class paddle_operator_pass : public early_pass<paddle_operator_spec, paddle_job> {
public:
    explicit paddle_operator_pass(paddle_operator_job const& job) : early_pass(job, unknown_in_paddle_operator) {}

    result<converted<paddle_job>> run() {
        if (from_.heter)
            return refused_field("spec.heter",
                                 "is set, expected none: the current PaddleJob has masters and workers only");
        changes_.approximated("apiVersion", json_text(job_.api_version), "apiVersion",
                              "Pods receive PADDLE_MASTER and PADDLE_NNODES instead of the endpoints of all replicas: "
                              "start the program with python -m paddle.distributed.launch.");
        carry_head();
        convert_cleaning();
        move_to_policy("schedulingPolicy", from_.scheduling_policy, result_.spec.run_policy.scheduling_policy);
        if (from_.with_gloo)
            changes_.dropped("spec.withGloo", std::to_string(*from_.with_gloo),
                             "The current operator sets no variables of Gloo.");
        if (from_.elastic)
            changes_.dropped("spec.elastic", std::to_string(*from_.elastic),
                             "The current operator does not scale PaddleJobs.");
        if (from_.ps) convert_set(*from_.ps, "spec.ps", "Master", "Masters now serve the parameters.");
        if (from_.worker) convert_set(*from_.worker, "spec.worker", "Worker", "Sets are now entries of a map.");
        if (from_.intranet == "Service")
            changes_.changed("spec.intranet", json_text(from_.intranet), "", "All pods now have services.");
        else if (from_.intranet == "PodIP")
            changes_.approximated("spec.intranet", json_text(from_.intranet), "", "All pods now have services.");
        return finish();
    }

private:
    void convert_cleaning() {
        auto const& given = from_.clean_pod_policy;
        auto& policy = result_.spec.run_policy.clean_pod_policy;
        std::string const path = "spec.cleanPodPolicy", to = "spec.runPolicy.cleanPodPolicy";
        auto const value = given.empty() ? std::string(absent) : json_text(given);
        policy = given == "Always" ? "All" : "None";
        if (given == "Always" || given == "Never")
            changes_.changed(path, value, to, "The field is now in runPolicy, with other values.");
        else
            changes_.approximated(
                path, value, to,
                "The operator deleted the pods of a job only if it failed, or only if it succeeded. Now "
                "they stay.");
    }

    void convert_set(paddle_operator_set const& set, std::string const& path, std::string const& type,
                     std::string_view why) {
        auto const to = "spec.paddleReplicaSpecs[" + type + "]";
        moved_.emplace_back(to, path);
        changes_.dropped(set.unknown, path, unknown_in_paddle_operator);
        changes_.changed(path + ".replicas", std::to_string(set.replicas), to + ".replicas", why);
        for (auto const& [field, bound] : {std::pair("requests", set.requests), std::pair("limits", set.limits)})
            if (bound)
                changes_.dropped(path + "." + field, std::to_string(*bound),
                                 "The current operator does not scale PaddleJobs.");
        auto& made = result_.spec.paddle_replica_specs[type];
        made.replicas = set.replicas;
        made.template_ = set.template_;
        auto& pod = made.template_.spec;
        convert_restarts(made, path, to, type);
        if (from_.intranet == "Host") {
            pod.host_network = true;
            changes_.changed("spec.intranet", json_text(from_.intranet), to + ".template.spec.hostNetwork",
                             "The template now has the network.");
        }
        auto const named = std::ranges::find(pod.containers, paddle_container, &core::container::name);
        if (pod.containers.empty() || named != pod.containers.end()) return;
        auto& name = pod.containers.front().name;
        changes_.changed(path + ".template.spec.containers[0].name", json_text(name),
                         to + ".template.spec.containers[0].name", "The operator looks for the container paddle.");
        name = paddle_container;
    }

    void convert_restarts(kubeflow_v1::replica_spec& made, std::string const& path, std::string const& to,
                          std::string const& type) {
        auto& given = made.template_.spec.restart_policy;
        auto const value = given.empty() ? std::string(absent) : json_text(given);
        bool const restarts = type == "Worker" && from_.intranet == "Service";
        made.restart_policy = from_.elastic ? "OnFailure" : !given.empty() ? given : restarts ? "OnFailure" : "Never";
        changes_.changed(path + ".template.spec.restartPolicy", value, to + ".restartPolicy",
                         from_.elastic   ? "The operator set OnFailure for elastic training."
                         : given.empty() ? "The defaults of the operators are different."
                                         : "The field is now in the replica type.");
        given.clear();
    }
};

} // namespace

result<converted<paddle_job>> read_paddle_operator_job(document& text) {
    auto const job = read_source<paddle_operator_job>(text);
    if (!job) return job.error();
    return paddle_operator_pass(*job).run();
}

} // namespace kftrain::convert
