#include <kftrain/control/leader_election.hpp>

#include "control/leadership/leader_state.hpp"

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

} // namespace kftrain::control
