#include "golden/clusters/controller_cluster.hpp"

#include "golden/timeline.hpp"

#include <kftrain/controllers/registry.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>

namespace golden {

using namespace kftrain;
namespace asio = boost::asio;

namespace {

/// How often the operators may be woken in one step; retries that never succeed come at growing intervals.
constexpr int wake_limit = 200;

control::controller_operator_options options_with(std::function<time_point()> clock) {
    control::controller_operator_options o;
    o.clock = std::move(clock);
    o.contents = control::make_content_maker(); // on this thread: time stands still while it makes a key
    o.gather = std::chrono::milliseconds(0);    // recorded is what follows from each change
    return o;
}

} // namespace

controller_cluster::running::running(std::shared_ptr<rules::controller_rules const> rules,
                                     std::shared_ptr<kube::transport> link, std::function<time_point()> clock)
    : controller(std::move(rules), kube::client(std::move(link)), options_with(std::move(clock))) {
    controller.async_run(asio::bind_cancellation_slot(stop.slot(), [](error_code) {}));
}

controller_cluster::controller_cluster(recorded_kind const& kind, bool kubernetes)
    : operated_cluster(kind, kubernetes), rules_(kind.rules) {
    auto const clock = [this] { return now(); };
    controllers_.emplace_back(kind.rules, link_, clock);
    for (auto const& rules : kind.partners) controllers_.emplace_back(rules, link_, clock);
    if (kubernetes)
        for (auto const& rules : controllers::known_controllers())
            if (serves(rules->primary()) && !is_recorded(kind, *rules)) controllers_.emplace_back(rules, user_, clock);
    settle(timeline::start() + std::chrono::seconds(1));
    begin();
}

controller_cluster::~controller_cluster() {
    for (auto& c : controllers_) c.stop.emit(asio::cancellation_type::terminal);
    time_.settle();
    controllers_.clear();
    time_.settle();
}

void controller_cluster::restart_operator() {
    controllers_.front().stop.emit(asio::cancellation_type::terminal);
    time_.settle();
    controllers_.pop_front();
    controllers_.emplace_front(rules_, link_, [this] { return now(); });
}

bool controller_cluster::settle(time_point end) {
    for (int wakes = 0; wakes < wake_limit; ++wakes) {
        if (!time_.step(at(end))) return true;
    }
    return false;
}

} // namespace golden
