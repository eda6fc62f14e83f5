#ifndef KFTRAIN_TEST_GOLDEN_PASS_WORLD_HPP
#define KFTRAIN_TEST_GOLDEN_PASS_WORLD_HPP

#include "golden/served_world.hpp"

#include <kftrain/control/content_maker.hpp>

#include <map>

namespace golden {

/** A world in which rules are asked for plans one after the other, each time of all that is stored, and their actions carried out
    one by one: without informers, without queues, without races. The recorded operator goes first; controllers of Kubernetes,
    if there are any, look when it has nothing more to do. */
class pass_world final : public served_world {
public:
    pass_world(recorded_kind const& kind, bool kubernetes);

    bool settle(kftrain::time_point end) override;
    void restart_operator() override;

private:
    struct planner {
        planner(std::shared_ptr<kftrain::rules::controller_rules const> r, kftrain::kube::transport& l, bool t)
            : rules(std::move(r)), link(&l), tells(t) {}

        std::shared_ptr<kftrain::rules::controller_rules const> rules;
        kftrain::kube::transport* link;
        bool tells;                                                                      ///< its events are noted
        std::map<std::string, std::shared_ptr<kftrain::rules::memory const>> remembered; ///< by uid
        std::map<std::string, std::vector<kftrain::any_object>> seen; ///< by uid and row, of those that tell of changes
        std::uint64_t looked_at = 0;
        std::optional<kftrain::time_point> look_again;
    };

    class executor;

    /// Looks at every object of the planner if anything has changed; false if nothing has.
    bool look(planner&);
    /// What has changed for a primary object since the last plan of it that succeeded, in the rows that tell of changes.
    static std::vector<kftrain::rules::change> changes(planner&, std::string const& uid, kftrain::rules::world const&,
                                                       bool note);
    bool wake_before(kftrain::time_point end);

    std::vector<planner> planners_;
    std::shared_ptr<kftrain::control::content_maker> maker_;
};

} // namespace golden

#endif
