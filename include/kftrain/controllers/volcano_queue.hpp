#ifndef KFTRAIN_CONTROLLERS_VOLCANO_QUEUE_HPP
#define KFTRAIN_CONTROLLERS_VOLCANO_QUEUE_HPP

/** @file
    What jobs of Volcano wait for where Volcano's scheduler does not run: queues that are open, and gangs that are let in. */

#include <kftrain/job/controller_rules.hpp>
#include <kftrain/objects/volcano/pod_group.hpp>

#include <span>

namespace kftrain::controllers {

/** Lets gangs of open queues in: their phase becomes Inqueue, and the pods may be created. Resources are not looked at, nor does anybody
    wait for `minMember` pods: whoever starts pods starts each when it comes.
    @par Thread safety Safe.
    @par Upstream volcano v1.9.0 `pkg/scheduler/actions/enqueue/enqueue.go` */
class volcano_gang_rules {
public:
    using object = volcano::pod_group;
    static constexpr std::string_view name = "volcano";
    static constexpr rules::status_form status = rules::status_form::whole_object;

    volcano_gang_rules();

    std::span<rules::watched const> watches() const noexcept { return rows_; }
    rules::plan make_plan(rules::look<volcano::pod_group> const&) const;

private:
    std::vector<rules::watched> rows_;
};

/** Opens queues of which nobody has said how they are. Commands to close queues are not obeyed, and gangs are not counted.
    @par Thread safety Safe.
    @par Upstream volcano v1.9.0 `pkg/controllers/queue/` */
class volcano_queue_rules {
public:
    using object = volcano::queue;
    static constexpr std::string_view name = "vc-controller-manager";

    static std::span<rules::watched const> watches() noexcept { return {}; }
    static rules::plan make_plan(rules::look<volcano::queue> const&);
};

/// The queue of jobs that name none, open. Volcano's scheduler makes it when it starts.
volcano::queue default_volcano_queue();

} // namespace kftrain::controllers

#endif
