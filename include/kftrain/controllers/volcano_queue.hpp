#ifndef KFTRAIN_CONTROLLERS_VOLCANO_QUEUE_HPP
#define KFTRAIN_CONTROLLERS_VOLCANO_QUEUE_HPP

/** @file The objects that Volcano jobs wait for, where the Volcano scheduler does not run: open queues and admitted
    gangs. */

#include <kftrain/job/controller_rules.hpp>
#include <kftrain/objects/volcano/pod_group.hpp>

#include <span>

namespace kftrain::controllers {

/** Admits the gangs of open queues: their phase becomes Inqueue, and the pods may be created. Does not check
    resources and does not wait for `minMember` pods: each pod starts when it is created.
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

/** Opens queues without a state. Ignores commands to close queues, and does not count gangs.
    @par Thread safety Safe.
    @par Upstream volcano v1.9.0 `pkg/controllers/queue/` */
class volcano_queue_rules {
public:
    using object = volcano::queue;
    static constexpr std::string_view name = "vc-controller-manager";

    static std::span<rules::watched const> watches() noexcept { return {}; }
    static rules::plan make_plan(rules::look<volcano::queue> const&);
};

/// Returns the open queue for jobs without a queue. The Volcano scheduler creates it at its start.
volcano::queue default_volcano_queue();

} // namespace kftrain::controllers

#endif
