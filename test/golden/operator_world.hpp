#ifndef KFTRAIN_TEST_GOLDEN_OPERATOR_WORLD_HPP
#define KFTRAIN_TEST_GOLDEN_OPERATOR_WORLD_HPP

#include "golden/served_world.hpp"
#include "support/faulty_transport.hpp"

#include <kftrain/control/content_maker.hpp>
#include <kftrain/control/controller_operator.hpp>
#include <kftrain/job/controller_rules.hpp>

#include <boost/asio/cancellation_signal.hpp>

#include <list>

namespace golden {

/** A world in which operators work, over links of their own. Those of Kubernetes learn of changes only when the recorded one
    has nothing more to do: the real Job controller takes its time, too, a second for changes of pods. */
class operator_world final : public served_world {
public:
    operator_world(recorded_kind const& kind, bool kubernetes);
    ~operator_world() override;

    bool settle(kftrain::time_point end) override;
    void restart_operator() override;

private:
    struct running {
        running(std::shared_ptr<kftrain::rules::controller_rules const> rules,
                std::shared_ptr<kftrain::kube::transport> link, std::shared_ptr<simulated_time> const& time);

        kftrain::control::controller_operator controller;
        boost::asio::cancellation_signal stop;
    };

    std::shared_ptr<kftrain::rules::controller_rules const> rules_;
    std::shared_ptr<kftrain::test::faulty_transport> slow_link_; ///< of the controllers of Kubernetes
    std::list<running> controllers_;
};

} // namespace golden

#endif
