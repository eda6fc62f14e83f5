#include <kftrain/control/leader_election.hpp>

#include "control/leadership/leader_state.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace kftrain::control {

leader_elector::leader_elector(kube::client client, leader_election_options options) {
    if (auto const ok = check(options); !ok) throw std::invalid_argument("leader election: " + ok.error().to_string());
    state_ = std::make_shared<state>(std::move(client), std::move(options));
}

leader_elector::~leader_elector() {
    if (state_) state_->close();
}

asio::any_io_executor leader_elector::get_executor() const noexcept { return state_->executor(); }
leader_election_options const& leader_elector::options() const noexcept { return state_->options; }
bool leader_elector::is_leader() const { return state_->leads(); }
std::string const& leader_elector::leader() const noexcept { return state_->leader; }
std::int32_t leader_elector::transitions() const noexcept {
    return state_->observed.spec.lease_transitions.value_or(0);
}

std::shared_ptr<void> leader_elector::listen(std::function<void(bool leads)> f) {
    auto kept = std::make_shared<std::function<void(bool)>>(std::move(f));
    state_->listeners.push_back(kept);
    return kept;
}

std::shared_ptr<void> leader_elector::hold() {
    if (auto kept = state_->held.lock()) return kept;
    auto made = std::make_shared<state::holding>(state_->weak_from_this());
    state_->held = made;
    return made;
}

void leader_elector::run(std::shared_ptr<state> const& s, kube::any_handler<void(error_code)> handler) {
    auto const cancel = [weak = std::weak_ptr<state>(s)] {
        if (auto const self = weak.lock()) self->cancel();
    };
    if (s->run.begin(std::move(handler), cancel)) s->begin();
}

namespace {

/// What others read, not what anybody is judged by.
micro_time stamp() { return std::chrono::floor<std::chrono::microseconds>(std::chrono::system_clock::now()); }

/// One more than what another candidate wrote, which may be anything.
std::int32_t next_transition(std::optional<std::int32_t> last) {
    auto const known = std::max(last.value_or(0), 0);
    return known == std::numeric_limits<std::int32_t>::max() ? known : known + 1;
}

} // namespace

using coordination::lease;

lease first_lease(leader_election_options const& by, lease const& before) {
    lease made;
    made.metadata.name = by.name;
    made.metadata.namespace_ = by.namespace_;
    auto const& holder = before.spec.holder_identity;
    bool const first = !holder && !before.spec.lease_transitions;
    made.spec.lease_transitions = first ? 0 : before.spec.lease_transitions;
    return held_by(std::move(made), by, first || holder == by.identity);
}

lease held_by(lease observed, leader_election_options const& by, bool again) {
    auto& spec = observed.spec;
    auto const now = stamp();
    if (!again) spec.lease_transitions = next_transition(spec.lease_transitions);
    if (!again || !spec.acquire_time) spec.acquire_time = now;
    spec.renew_time = now;
    spec.holder_identity = by.identity;
    spec.lease_duration_seconds =
        static_cast<std::int32_t>(std::chrono::floor<std::chrono::seconds>(by.lease_duration).count());
    return observed;
}

lease held_by_nobody(lease observed) {
    auto const now = stamp();
    observed.spec.holder_identity = std::string();
    observed.spec.lease_duration_seconds = 1; // servers refuse 0
    observed.spec.acquire_time = now;
    observed.spec.renew_time = now;
    return observed;
}

std::chrono::milliseconds duration_of(lease const& observed, leader_election_options const& by) {
    auto const duration = observed.spec.lease_duration_seconds.value_or(0);
    return duration > 0 ? std::chrono::milliseconds(std::chrono::seconds(duration)) : by.lease_duration;
}

} // namespace kftrain::control
