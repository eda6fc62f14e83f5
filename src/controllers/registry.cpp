#include <kftrain/controllers/registry.hpp>

#include <kftrain/controllers/batch_job.hpp>
#include <kftrain/controllers/job_set.hpp>
#include <kftrain/controllers/stateful_set.hpp>
#include <kftrain/controllers/volcano_queue.hpp>

#include <array>

namespace kftrain::controllers {
namespace {

template <class Rules> std::shared_ptr<rules::controller_rules const> made() {
    return std::make_shared<rules::controller_of<Rules>>();
}

} // namespace

std::span<std::shared_ptr<rules::controller_rules const> const> known_controllers() {
    static std::array const all{made<batch_job_rules>(), made<orphaned_job_pod_rules>(), made<stateful_set_rules>(),
                                made<job_set_rules>()};
    return all;
}

std::span<std::shared_ptr<rules::controller_rules const> const> known_gang_schedulers() {
    static std::array const all{made<volcano_gang_rules>(), made<volcano_queue_rules>()};
    return all;
}

} // namespace kftrain::controllers
