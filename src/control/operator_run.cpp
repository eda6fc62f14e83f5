#include "control/operator_state.hpp"
#include "kube/calls/client_core.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/error.hpp>

namespace kftrain::control {
namespace {

/// `team/PyTorchJob.v1.kubeflow.org`: several groups have a Job, and a namespace may have an operator of its own.
std::string distinct_name(resource_info const& type, std::string const& ns) {
    std::string name = ns.empty() ? std::string() : ns + "/";
    name.append(type.kind).append(".").append(type.version);
    if (!type.group.empty()) name.append(".").append(type.group);
    return name;
}

} // namespace

void controller_operator::state::start(kube::any_handler<void(error_code)> handler) {
    auto const cancel = [weak = weak_from_this()] {
        if (auto const self = weak.lock()) self->stop();
    };
    if (!run.begin(std::move(handler), cancel)) return;
    recorder.persist(true);
    gate->open();
    kube::detail::allow_calls(client);
    ++duty.number;
    duty.stopping = duty.broken = false;
    duty.why = asio::error::operation_aborted;
    follow();
    run.add([&](auto h) { begin_duty(std::move(h)); });
    run.add([&](auto h) { watched.primaries().async_run(std::move(h)); });
    for (auto& f : watched.sources()) run.add([&](auto h) { f.objects.async_run(std::move(h)); });
    if (own_elector) run.add([&](auto h) { elector->async_run(std::move(h)); });
}

/// The informers run while another leads: who takes over begins with what they know.
void controller_operator::state::begin_duty(kube::any_handler<void(error_code)> part) {
    auto slot = duty.part.emplace(std::move(part), reader.get_executor()).slot();
    slot.assign([weak = weak_from_this()](asio::cancellation_type) { // another part of the run has ended
        if (auto const self = weak.lock()) self->break_off(asio::error::operation_aborted);
    });
    if (!elector) return begin_work();
    duty.listening = elector->listen([weak = weak_from_this()](bool leads) {
        auto const self = weak.lock();
        if (!self) return;
        if (leads)
            self->begin_work();
        else
            self->break_off(errc::leadership_lost);
    });
    if (elector->is_leader()) begin_work();
}

void controller_operator::state::begin_work() {
    if (!duty.part || duty.working || duty.stopping) return;
    duty.working = true;
    if (elector) duty.holding = elector->hold();
    duty.stop = std::make_shared<asio::cancellation_signal>();
    auto ended = [weak = weak_from_this(), signal = duty.stop](error_code) {
        if (auto const self = weak.lock()) self->work_ended();
    };
    work.async_run(
        asio::bind_cancellation_slot(duty.stop->slot(), asio::bind_executor(reader.get_executor(), std::move(ended))));
}

void controller_operator::state::stop() {
    if (!duty.part) return run.cancel();
    if (std::exchange(duty.stopping, true)) return;
    if (!duty.working) return end_duty();
    duty.grace = std::make_shared<kube::detail::timer>(reader.get_executor(), options.shutdown_grace);
    duty.grace->async_wait([weak = weak_from_this(), grace = duty.grace](error_code ec) {
        auto const self = weak.lock();
        if (!ec && self && self->duty.grace == grace) self->break_off(asio::error::operation_aborted);
    });
    duty.stop->emit(asio::cancellation_type::terminal);
}

void controller_operator::state::break_off(error_code why) {
    if (closed || !duty.part || std::exchange(duty.broken, true)) return;
    duty.stopping = true;
    duty.why = why;
    write_no_more(why);
    if (duty.working)
        duty.stop->emit(asio::cancellation_type::terminal);
    else
        end_duty();
}

/// Requests in a retry delay or in the rate limit are not at the gate and end as well.
void controller_operator::state::write_no_more(error_code why) {
    recorder.persist(false);
    gate->shut(why);
    kube::detail::bar_calls(client);
}

void controller_operator::state::work_ended() {
    duty.working = false;
    if (duty.broken) return end_duty();
    recorder.persist(false);
    recorder.on_idle([weak = weak_from_this(), number = duty.number] {
        auto const self = weak.lock();
        if (self && self->duty.number == number) self->end_duty(); // the grace may have ended that run
    });
}

/// The first part of a run that ends ends the others: the lease is given back after this.
void controller_operator::state::end_duty() {
    if (!duty.part) return;
    if (auto const timer = std::exchange(duty.grace, nullptr)) timer->cancel();
    duty.listening.reset();
    duty.holding.reset();
    take(duty.part).complete_later(reader.get_executor(), duty.why);
}

void controller_operator::state::close() {
    closed = true;
    if (auto const timer = std::exchange(duty.grace, nullptr)) timer->cancel(); // its handler keeps it
    run.close();
    if (keys) keys->close();
    if (elector)
        write_no_more(errc::leadership_lost); // nobody holds the lease for it any more
    else
        recorder.persist(false);
    watched.primaries().close();
    for (auto& f : watched.sources()) f.objects.close();
    duty.listening.reset();
    duty.holding.reset();
    if (own_elector) elector.reset();
}

bool controller_operator::state::works() const {
    return duty.working && !duty.stopping && (!elector || elector->is_leader());
}

operator_metrics controller_operator::state::metrics() const {
    operator_metrics m;
    m.work = work.metrics();
    if (options.controller.name.empty()) m.work.name = distinct_name(*rules->primary().info, options.namespace_);
    auto const count = [&m](resource_info const& type, kube::any_informer const& objects) {
        std::string resource(type.plural);
        if (!type.group.empty()) resource.append(".").append(type.group);
        m.cached[std::move(resource)] += objects.list().size();
    };
    count(*rules->primary().info, watched.primaries());
    for (auto const& f : watched.sources()) count(*f.type->info, f.objects);
    m.events_dropped = recorder.dropped();
    m.synced = watched.all_synced();
    m.leads = works();
    if (!elector) return m;
    m.lease = elector->options().namespace_ + "/" + elector->options().name;
    m.leads = elector->is_leader();
    m.elections = elector->transitions();
    return m;
}

} // namespace kftrain::control
