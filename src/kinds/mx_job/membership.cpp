#include "kinds/mx_job/kind.hpp"

#include <algorithm>

namespace kftrain::kubeflow_v1 {

std::int32_t mx_kind::count_of(std::string_view type) const noexcept {
    auto const* const spec = spec_of(type);
    return spec == nullptr ? 0 : std::max(spec->replicas.value_or(1), 0);
}

bool mx_kind::is_single_worker() const noexcept {
    return count_of(mxnet::worker) == 1 && count_of(mxnet::scheduler) == 0 && count_of(mxnet::server) == 0;
}

void mx_kind::assign_ranks(membership& layout) const {
    if (count_of(mxnet::worker) == 0) {
        layout.rank_note = "only workers have ranks, and the job has no workers";
        return;
    }
    for (auto& r : layout.members)
        if (r.role == mxnet::worker) r.rank = r.index;
    layout.processes_per_member = 1;
    layout.world_size = count_of(mxnet::worker);
    layout.rank_env.rank = "DMLC_WORKER_ID";
    layout.rank_env.world_size = "DMLC_NUM_WORKER";
    if (count_of(mxnet::scheduler) > 0) {
        layout.rank_env.address = "DMLC_PS_ROOT_URI";
        layout.rank_env.port = "DMLC_PS_ROOT_PORT";
    }
    layout.rank_note = "the ranks are the values of DMLC_WORKER_ID, which BytePS uses; MXNet assigns its own ranks "
                       "when the workers connect";
}

} // namespace kftrain::kubeflow_v1
