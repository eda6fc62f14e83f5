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
        layout.rank_note = "only workers have ranks, and the job has none";
        return;
    }
    for (auto& r : layout.members)
        if (r.role == mxnet::worker) r.rank = r.index;
    layout.processes_per_member = 1;
    layout.world_size = count_of(mxnet::worker);
    layout.told_by.rank = "DMLC_WORKER_ID";
    layout.told_by.world_size = "DMLC_NUM_WORKER";
    if (count_of(mxnet::scheduler) > 0) {
        layout.told_by.address = "DMLC_PS_ROOT_URI";
        layout.told_by.port = "DMLC_PS_ROOT_PORT";
    }
    layout.rank_note =
        "ranks are those of DMLC_WORKER_ID, which BytePS takes; MXNet gives out its own when the workers meet";
}

} // namespace kftrain::kubeflow_v1
