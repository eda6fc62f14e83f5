#ifndef KFTRAIN_CONTROLLERS_STATEFUL_SET_HPP
#define KFTRAIN_CONTROLLERS_STATEFUL_SET_HPP

/** @file The controller of Kubernetes for StatefulSets of `apps/v1`. */

#include <kftrain/job/controller_rules.hpp>
#include <kftrain/objects/apps/stateful_set.hpp>

#include <span>

namespace kftrain::controllers {

/** Creates the pods of StatefulSets, one for each ordinal, and reports their number: one after the other, each when
    the previous one is ready, or all at once (`Parallel`). An ended pod is deleted and created again. Pods beyond
    `replicas` are deleted, the highest ordinal first. Under `RollingUpdate` pods of an older template are replaced,
    the highest ordinal first, each when the pods of higher ordinals are ready.

    Older templates are not kept: a lost pod below `partition` is created from the new one. Sets with
    `volumeClaimTemplates` get no pods; an event reports this. Only pods that the set controls count.
    @par Thread safety Safe.
    @par Upstream kubernetes `pkg/controller/statefulset/stateful_set_control.go`, v1.31 */
class stateful_set_rules {
public:
    using object = apps::stateful_set;
    static constexpr std::string_view name = "statefulset-controller";

    stateful_set_rules();

    std::span<rules::watched const> watches() const noexcept { return rows_; }
    rules::plan make_plan(rules::look<apps::stateful_set> const&) const;

private:
    std::vector<rules::watched> rows_;
};

} // namespace kftrain::controllers

#endif
