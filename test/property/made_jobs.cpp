#include "property/made_jobs.hpp"

#include "support/dice.hpp"

namespace property {

using namespace kftrain;
using test::dice;

namespace {

using texts = std::vector<std::string>;

string_map make_labels(dice& roll) {
    string_map labels;
    for (int i = roll.between(0, 3); i > 0; --i)
        labels[roll.one_of(texts{"app", "team", "example.com/tier", "x"})] =
            roll.one_of(texts{"a", "B-1", "", "x_y.z"});
    return labels;
}

resource_list make_resources(dice& roll) {
    resource_list list;
    if (roll.once_in(2)) list["cpu"] = quantity(roll.one_of(texts{"500m", "0.5", "2", "1e1"}));
    if (roll.once_in(2)) list["memory"] = quantity(roll.one_of(texts{"1Gi", "1.5G", "1073741824", "100M"}));
    if (roll.once_in(2)) list["nvidia.com/gpu"] = quantity(std::to_string(roll.between(1, 8)));
    return list;
}

std::vector<core::env_var> make_environment(dice& roll) {
    std::vector<core::env_var> env;
    for (int i = roll.between(0, 3); i > 0; --i)
        env.emplace_back(roll.one_of(texts{"LR", "NCCL_DEBUG", "EMPTY", "DATA"}),
                         roll.one_of(texts{"0.1", "yes", "", "a\nb: \"c\"", "\xC3\xA9 #", "$(LR)"}));
    return env;
}

core::container make_container(dice& roll, std::string name) {
    core::container c;
    c.name = std::move(name);
    c.image = roll.one_of(texts{"train:1", "registry.example.com/a/b@sha256:0", "busybox"});
    if (roll.once_in(2)) c.command = {"python", "-m", roll.one_of(texts{"train", "x y", "- z"})};
    if (roll.once_in(3)) c.args = {roll.one_of(texts{"--lr=0.1", "null", "1e3", "~"})};
    c.env = make_environment(roll);
    if (roll.once_in(2)) c.resources.limits = make_resources(roll);
    if (roll.once_in(3)) c.resources.requests = make_resources(roll);
    return c;
}

core::pod_template_spec make_template(dice& roll) {
    core::pod_template_spec t;
    t.metadata.labels = make_labels(roll);
    if (roll.once_in(3)) t.metadata.annotations = make_labels(roll);
    if (roll.once_in(4)) t.spec.containers.push_back(make_container(roll, "before"));
    t.spec.containers.push_back(make_container(roll, "pytorch"));
    if (roll.once_in(4)) t.spec.containers.push_back(make_container(roll, "sidecar"));
    if (roll.once_in(4)) t.spec.init_containers.push_back(make_container(roll, "prepare"));
    for (auto& c : t.spec.containers) {
        if (c.name != "pytorch") continue;
        if (roll.once_in(3)) {
            core::container_port metrics;
            metrics.name = "metrics";
            metrics.container_port_ = roll.between(8000, 8100);
            c.ports.push_back(metrics);
        }
        if (roll.once_in(3)) {
            core::container_port own;
            own.name = "pytorchjob-port";
            own.container_port_ = roll.between(1024, 65535);
            c.ports.push_back(own);
        }
    }
    if (roll.once_in(5)) t.spec.host_network = true;
    if (roll.once_in(5)) t.spec.node_selector = make_labels(roll);
    if (roll.once_in(5)) t.spec.termination_grace_period_seconds = roll.between(0, 60);
    return t;
}

kubeflow_v1::replica_spec make_replicas(dice& roll, int count) {
    kubeflow_v1::replica_spec spec;
    spec.replicas = count;
    spec.template_ = make_template(roll);
    spec.restart_policy = roll.one_of(texts{"", "Always", "OnFailure", "Never", "ExitCode"});
    return spec;
}

kubeflow_v1::elastic_policy make_elastic(dice& roll, int workers) {
    kubeflow_v1::elastic_policy policy;
    if (roll.once_in(2)) policy.min_replicas = roll.between(1, workers);
    if (roll.once_in(2)) policy.max_replicas = roll.between(workers, workers + 4);
    if (roll.once_in(2)) policy.rdzv_backend = roll.one_of(texts{"c10d", "etcd", "etcd-v2"});
    if (roll.once_in(4)) policy.rdzv_id = "run-7";
    if (roll.once_in(4)) policy.rdzv_conf.emplace_back().key = "timeout";
    if (roll.once_in(4)) policy.max_restarts = roll.between(0, 9);
    if (roll.once_in(6)) policy.standalone = roll.once_in(2);
    if (roll.once_in(3)) policy.metrics.emplace();
    return policy;
}

kubeflow_v1::run_policy make_run_policy(dice& roll) {
    kubeflow_v1::run_policy policy;
    if (roll.once_in(2)) policy.clean_pod_policy = roll.one_of(texts{"All", "Running", "None"});
    if (roll.once_in(4)) policy.ttl_seconds_after_finished = roll.between(0, 1000);
    if (roll.once_in(4)) policy.active_deadline_seconds = roll.between(1, 1000);
    if (roll.once_in(4)) policy.backoff_limit = roll.between(0, 9);
    if (roll.once_in(8)) policy.suspend = roll.once_in(2);
    if (!roll.once_in(4)) return policy;
    kubeflow_v1::scheduling_policy gang;
    if (roll.once_in(2)) gang.min_available = roll.between(1, 5);
    if (roll.once_in(2)) gang.queue = "q";
    if (roll.once_in(2)) gang.min_resources = make_resources(roll);
    policy.scheduling_policy = std::move(gang);
    return policy;
}

} // namespace

pytorch_job make_job(std::uint64_t seed) {
    dice roll(seed);
    pytorch_job job;
    job.metadata.name = roll.one_of(texts{"a", "mnist", "llm-7b", "j" + std::to_string(seed)});
    job.metadata.namespace_ = roll.one_of(texts{"default", "team-a"});
    job.metadata.uid = "uid-" + std::to_string(seed);
    job.metadata.labels = make_labels(roll);
    job.spec.run_policy = make_run_policy(roll);
    bool const master = roll.once_in(2);
    int const workers = master ? roll.between(0, 6) : roll.between(1, 6);
    auto& specs = job.spec.pytorch_replica_specs;
    if (master) specs["Master"] = make_replicas(roll, 1);
    if (workers > 0) specs["Worker"] = make_replicas(roll, workers);
    if (workers > 0 && roll.once_in(3)) job.spec.elastic_policy = make_elastic(roll, workers);
    if (roll.once_in(2)) job.spec.nproc_per_node = roll.one_of(texts{"1", "2", "8", "auto", "gpu", "cpu"});
    return job;
}

} // namespace property
