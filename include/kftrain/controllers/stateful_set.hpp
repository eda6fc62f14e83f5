#ifndef KFTRAIN_CONTROLLERS_STATEFUL_SET_HPP
#define KFTRAIN_CONTROLLERS_STATEFUL_SET_HPP

/** @file
    What Kubernetes itself does for StatefulSets of `apps/v1`. */

#include <kftrain/job/controller_rules.hpp>
#include <kftrain/objects/apps/stateful_set.hpp>

#include <span>

namespace kftrain::controllers {

/** Makes the pods of StatefulSets, one for each ordinal, and tells how many there are: one after the other, each when the one before
    is ready, or all at once (`Parallel`). A pod that has ended is deleted and made anew; those beyond `replicas` go, the highest
    ordinal first; under `RollingUpdate` pods of an older template are replaced, the highest ordinal first, each when those above
    are ready.

    Older templates are not kept: a pod below `partition` that is lost comes back with the new one. Sets with
    `volumeClaimTemplates` are told of by an event and get no pods. Only pods that the set controls are looked at.
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
