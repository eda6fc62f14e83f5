#ifndef KFTRAIN_TEST_GOLDEN_CLUSTERS_PLANNER_CLUSTER_HPP
#define KFTRAIN_TEST_GOLDEN_CLUSTERS_PLANNER_CLUSTER_HPP

#include "golden/clusters/operated_cluster.hpp"

#include <kftrain/control/content_maker.hpp>

#include <map>

namespace golden {

/** Calls the rules for plans, one after the other and each time with all stored objects, and carries out their actions
    one by one: without informers, queues or races. The recorded operator goes first; controllers of Kubernetes, if
    there are any, plan when it has nothing more to do. */
class planner_cluster final : public operated_cluster {
public:
    planner_cluster(recorded_kind const& kind, bool kubernetes);

    bool settle(kftrain::time_point end) override;
    void restart_operator() override;

private:
    struct planner {
        planner(std::shared_ptr<kftrain::rules::controller_rules const> r, kftrain::kube::transport& l, bool t)
            : rules(std::move(r)), link(&l), reports_events(t) {}

        std::shared_ptr<kftrain::rules::controller_rules const> rules;
        kftrain::kube::transport* link;
        bool reports_events;
        std::map<std::string, std::shared_ptr<kftrain::rules::memory const>> remembered; ///< by uid
        std::map<std::string, std::vector<kftrain::any_object>> seen; ///< by uid and row that reports changes
        std::uint64_t looked_at = 0;
        std::optional<kftrain::time_point> requeue_at;
    };

    class executor;

    /// Looks at every object of the planner if anything has changed; false if nothing has.
    bool look(planner&);
    /// Changes for a primary object since its last plan that succeeded, in the rows that report changes.
    static std::vector<kftrain::rules::change> changes(planner&, std::string const& uid, kftrain::rules::world const&,
                                                       bool note);
    bool wake_before(kftrain::time_point end);

    std::vector<planner> planners_;
    std::shared_ptr<kftrain::control::content_maker> maker_;
};

} // namespace golden

#endif
