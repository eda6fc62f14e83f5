#include <kftrain/training_client.hpp>

#include "facade/follow/job_board.hpp"

#include <kftrain/kube/owned_state.hpp>

// The operations are in the sources that are named after them.
namespace kftrain {

void training_client_needs_the_target::kftrain_training() noexcept {}

std::shared_ptr<detail::job_board> training_client::make_board(kube::client const& client) {
    return std::make_shared<detail::job_board>(client);
}

void training_client::follow_all_namespaces(bool on) {
    kube::detail::run_at(place(), [board = board_, on] { board->everywhere = on; });
}

any_job training_client::placed(any_job job) const {
    if (job.metadata().namespace_.empty()) job.metadata().namespace_ = namespace_;
    return job;
}

job_reference training_client::placed(job_reference job) const {
    if (job.namespace_.empty()) job.namespace_ = namespace_;
    return job;
}

} // namespace kftrain
