#include "golden/operator_world.hpp"

#include "golden/timeline.hpp"

#include <kftrain/controllers/registry.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>

namespace golden {

using namespace kftrain;
namespace asio = boost::asio;

namespace {

/// How often the operators may be woken in one step; retries that never succeed come at growing intervals.
constexpr int wake_limit = 200;

control::controller_operator_options options_in(std::shared_ptr<simulated_time> const& time) {
    control::controller_operator_options o;
    o.clock = [time] { return time->wall(); };
    o.controller.clock = time->make_clock();
    o.contents = control::make_content_maker(); // on this thread: time stands still while it makes a key
    o.gather = std::chrono::milliseconds(0);    // recorded is what follows from each change
    return o;
}

} // namespace

operator_world::running::running(std::shared_ptr<rules::controller_rules const> rules,
                                 std::shared_ptr<kube::transport> link, std::shared_ptr<simulated_time> const& time)
    : controller(std::move(rules), kube::client(std::move(link)), options_in(time)) {
    controller.async_run(asio::bind_cancellation_slot(stop.slot(), [](error_code) {}));
}

operator_world::operator_world(recorded_kind const& kind, bool kubernetes)
    : served_world(kind, kubernetes),
      rules_(kind.rules),
      slow_link_(std::make_shared<test::faulty_transport>(server_.transport())) {
    slow_link_->hold_watches(true);
    controllers_.emplace_back(kind.rules, link_, time_);
    for (auto const& rules : kind.partners) controllers_.emplace_back(rules, link_, time_);
    if (kubernetes)
        for (auto const& rules : controllers::known_controllers())
            if (serves(rules->primary()) && !is_recorded(kind, *rules))
                controllers_.emplace_back(rules, slow_link_, time_);
    settle(timeline::start() + std::chrono::seconds(1));
    time_->set(timeline::start());
}

operator_world::~operator_world() {
    slow_link_->hold_watches(false);
    for (auto& c : controllers_) c.stop.emit(asio::cancellation_type::terminal);
    poll();
    controllers_.clear();
    poll();
}

void operator_world::restart_operator() {
    controllers_.front().stop.emit(asio::cancellation_type::terminal);
    poll();
    controllers_.pop_front();
    controllers_.emplace_front(rules_, link_, time_);
}

bool operator_world::settle(time_point end) {
    for (int wakes = 0; wakes < wake_limit; ++wakes) {
        poll();
        if (!slow_link_->release_watches() && !time_->advance_before(end)) return true;
    }
    return false;
}

} // namespace golden
