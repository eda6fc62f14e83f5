#ifndef KFTRAIN_TEST_GOLDEN_CLUSTERS_CONTROLLER_CLUSTER_HPP
#define KFTRAIN_TEST_GOLDEN_CLUSTERS_CONTROLLER_CLUSTER_HPP

#include "golden/clusters/operated_cluster.hpp"

#include <kftrain/control/content_maker.hpp>
#include <kftrain/control/controller_operator.hpp>
#include <kftrain/job/controller_rules.hpp>

#include <boost/asio/cancellation_signal.hpp>

#include <functional>
#include <list>

namespace golden {

/// Runs the operators as users do, each with a link of its own.
class controller_cluster final : public operated_cluster {
public:
    controller_cluster(recorded_kind const& kind, bool kubernetes);
    ~controller_cluster() override;

    bool settle(kftrain::time_point end) override;
    void restart_operator() override;

private:
    struct running {
        running(std::shared_ptr<kftrain::rules::controller_rules const> rules,
                std::shared_ptr<kftrain::kube::transport> link, std::function<kftrain::time_point()> clock);

        kftrain::control::controller_operator controller;
        boost::asio::cancellation_signal stop;
    };

    std::shared_ptr<kftrain::rules::controller_rules const> rules_;
    std::list<running> controllers_;
};

} // namespace golden

#endif
