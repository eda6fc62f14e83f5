#include "kinds/paddle_job/kind.hpp"

namespace kftrain::kubeflow_v1 {
namespace {

/// The variable of the pod's own address, to which its launcher binds; the next variable refers to it.
core::env_var own_address() {
    core::env_var v;
    v.name = "POD_IP_DUMMY";
    v.value_from.emplace().field_ref.emplace().field_path = "status.podIP";
    return v;
}

} // namespace

void paddle_kind::assign_ranks(membership& layout) const {
    layout.rank_note =
        "paddle.distributed.launch assigns ranks when its nodes connect, in an order that is not known in advance";
}

/** Upstream: training-operator v1.9.0 `pkg/controller.v1/paddlepaddle/envvar.go`, in upstream's order. With masters the launcher is
    told to start servers in some pods and trainers in others, without any it trains collectively. */
std::vector<core::env_var> paddle_kind::environment(membership const&, member const& r, core::container const&) const {
    auto const leader = has_master() ? paddle::master : paddle::worker;
    auto const port = std::to_string(port_of(leader).value_or(paddle_kind::constants.port));
    std::vector<core::env_var> env;
    env.emplace_back("PYTHONUNBUFFERED", "1");
    env.emplace_back("PADDLE_JOB_ID", metadata.name);
    env.emplace_back("PADDLE_NNODES", std::to_string(total_replicas()));
    if (r.index == 0 && r.role == leader) {
        env.push_back(own_address());
        env.emplace_back("PADDLE_MASTER", "$(POD_IP_DUMMY):" + port);
    } else {
        env.emplace_back("PADDLE_MASTER", replica_name(metadata.name, leader, 0) + ":" + port);
    }
    if (has_master()) env.emplace_back(r.role == paddle::master ? "PADDLE_SERVER_NUM" : "PADDLE_TRAINER_NUM", "1");
    return env;
}

} // namespace kftrain::kubeflow_v1
