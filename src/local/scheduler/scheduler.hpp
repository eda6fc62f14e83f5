#ifndef KFTRAIN_SRC_LOCAL_SCHEDULER_SCHEDULER_HPP
#define KFTRAIN_SRC_LOCAL_SCHEDULER_SCHEDULER_HPP

#include <kftrain/base/logger.hpp>
#include <kftrain/kube/client.hpp>
#include <kftrain/objects/core/node.hpp>

#include <filesystem>
#include <memory>
#include <vector>

namespace kftrain::local {

/** Binds pods to the nodes of a cluster by place_pods(), whatever their `schedulerName`, and again after each change of
    pods, nodes, groups and queues. Deletes the pods of deleted nodes, and those that pods of a higher priority preempt,
    with the condition DisruptionTarget and an event Preempted. Reports why pods wait: in their condition
    PodScheduled, in events FailedScheduling, and for a gang of Volcano in the condition Unschedulable of its PodGroup.
    @par Object lifetimes Destroying it ends the run with `operation_aborted`; destroy it before its io_context.
    @par Thread safety Unsafe; use it on the executor of the client. */
class scheduler {
public:
    scheduler(kube::client client, logger log);
    scheduler(scheduler&&) noexcept = default;
    scheduler& operator=(scheduler&&) = delete;
    ~scheduler();

    /// Runs until cancelled. At most one run at a time.
    void async_run(kube::any_handler<void(error_code)> handler);

private:
    struct state;
    std::shared_ptr<state> state_;
};

/** Returns nodes `local-0`, `local-1`, ... that are ready. A resource that `resources` lacks is that of this machine
    for `cpu` and `memory`, the number of the files `nvidia0`, `nvidia1`, ... in `devices` for `nvidia.com/gpu` if there
    are any, and 110 for `pods`. */
std::vector<core::node> make_nodes(std::int32_t number, resource_list const& resources, time_point now,
                                   std::filesystem::path const& devices = "/dev");

} // namespace kftrain::local

#endif
