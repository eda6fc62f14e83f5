#include <kftrain/control/controller_operator.hpp>

#include "control/change_list.hpp"
#include "control/key_worker.hpp"
#include "control/plans/gated_transport.hpp"
#include "control/plans/plan_executor.hpp"
#include "control/watched_world.hpp"
#include "kube/async/run_scope.hpp"
#include "kube/async/timer.hpp"
#include "kube/calls/client_state.hpp"

#include <kftrain/control/content_maker.hpp>
#include <kftrain/control/controller.hpp>
#include <kftrain/control/job_operator.hpp>
#include <kftrain/job/controller_rules.hpp>
#include <kftrain/job/job_rules.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/error.hpp>

#include <algorithm>
#include <cstddef>
#include <exception>
#include <map>
#include <new>
#include <optional>
#include <stdexcept>
#include <utility>

namespace kftrain::control {
namespace {

time_point system_now() { return std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now()); }

/// How long to wait for an informer that lags behind, should its event never come.
constexpr std::chrono::milliseconds lag_recheck{500};
/// How long to wait for the first lists.
constexpr std::chrono::milliseconds sync_recheck{20};

/// How long to wait for a missing event.
constexpr std::chrono::minutes lag_limit{5};

/// The changes for a plan. Unless the plan succeeds, they are returned to the list, also if it is destroyed.
class lent_changes {
public:
    lent_changes(std::shared_ptr<change_list> from, rules::world& to) : from_(std::move(from)), to_(to) {
        to_.set_changes(from_->take());
    }
    lent_changes(lent_changes const&) = delete;
    lent_changes& operator=(lent_changes const&) = delete;
    ~lent_changes() {
        if (from_) from_->give_back(to_.take_changes());
    }
    void done() { from_.reset(); }

private:
    std::shared_ptr<change_list> from_;
    rules::world& to_;
};

/// An exception of the rules is reported like any other failure; the key is retried later.
std::pair<error_code, reconcile_result> thrown(std::exception_ptr e) {
    std::pair<error_code, reconcile_result> outcome;
    try {
        std::rethrow_exception(std::move(e));
    } catch (boost::system::system_error const& x) {
        outcome.first = x.code();
        outcome.second.why.message = x.what();
    } catch (std::bad_alloc const&) {
        outcome.first = boost::system::errc::make_error_code(boost::system::errc::not_enough_memory);
    } catch (std::exception const& x) {
        outcome.first = boost::system::errc::make_error_code(boost::system::errc::state_not_recoverable);
        outcome.second.why.message = std::string("the rules threw an exception: ").append(x.what());
    } catch (...) {
        outcome.first = boost::system::errc::make_error_code(boost::system::errc::state_not_recoverable);
        outcome.second.why.message = "the rules threw an exception that is not a std::exception";
    }
    return outcome;
}

std::shared_ptr<leader_elector> elector_of(kube::client const& c, controller_operator_options const& o) {
    if (!o.leader_election) return o.elector;
    if (o.elector) throw std::invalid_argument("expected leader_election or elector, got both");
    return std::make_shared<leader_elector>(c, *o.leader_election);
}

std::shared_ptr<gated_transport> gate_for(kube::client const& c, std::shared_ptr<leader_elector> const& elector) {
    std::function<bool()> leads;
    if (elector)
        leads = [weak = std::weak_ptr(elector)] {
            auto const e = weak.lock();
            return e && e->is_leader();
        };
    return std::make_shared<gated_transport>(c.get_transport(), std::move(leads));
}

controller_options named(controller_options o, rules::controller_rules const& r) {
    if (o.name.empty()) o.name = r.primary().info->kind;
    return o;
}

/// `team/PyTorchJob.v1.kubeflow.org`: several groups have a Job, and a namespace may have an operator of its own.
std::string distinct_name(resource_info const& type, std::string const& ns) {
    std::string name = ns.empty() ? std::string() : ns + "/";
    name.append(type.kind).append(".").append(type.version);
    if (!type.group.empty()) name.append(".").append(type.group);
    return name;
}

} // namespace

/// The work of an operator within its run. Its writes pass the gate.
struct operator_duty {
    operator_duty() = default;
    operator_duty(operator_duty const&) = delete;
    operator_duty& operator=(operator_duty const&) = delete;

    std::optional<kube::waiting_caller<>> part;      ///< of the run; it has ended when this is empty
    std::shared_ptr<void> listening;                 ///< to the elector
    std::shared_ptr<void> holding;                   ///< the lease, while there is work
    std::shared_ptr<asio::cancellation_signal> stop; ///< of the controller, whose handler keeps it
    std::shared_ptr<kube::detail::timer> grace;
    bool working = false;
    bool stopping = false;  ///< nothing new is begun
    bool broken = false;    ///< begun work is not finished either
    error_code why;         ///< how the part ends
    std::size_t number = 0; ///< of the run: a handler of an earlier run may be called late
};

struct controller_operator::state : std::enable_shared_from_this<state> {
    /// The state of one primary object, kept as long as the object exists.
    struct kept_state {
        pending_writes written;
        change_list changes;
        std::shared_ptr<rules::memory const> remembered;
        std::optional<controller_clock::instant> looked; ///< when the last plan was made
    };
    using outcome_of_look = std::pair<error_code, reconcile_result>;

    state(std::shared_ptr<rules::controller_rules const> what, kube::client c, controller_operator_options o);
    state(state const&) = delete;
    state& operator=(state const&) = delete;

    // Reads and plans.

    void follow();
    void object_changed(std::size_t source, kube::any_event const& e);
    void note_change(std::string const& key, watched_world::effect const& effect, kube::any_event const& e);
    /// Enqueues the object after a short time, so that one plan covers several changes.
    void enqueue_gathered(std::string const& key);
    controller_clock::instant instant_now() const;
    any_object find(std::string const& key) const;
    std::shared_ptr<kept_state> const& of(std::string const& key);
    void forget_what_is_lost();
    bool waits_too_long(std::string const& key, pending_writes& written) const;
    plan_subject subject_of(any_object object);
    asio::awaitable<outcome_of_look> reconcile(std::string key);

    // The run.

    void start(kube::any_handler<void(error_code)> handler);
    void begin_duty(kube::any_handler<void(error_code)> part);
    void begin_work();
    /// Ends a cancelled run: finishes begun work, within the grace.
    void stop();
    /// Stops all writes.
    void break_off(error_code why);
    void write_no_more(error_code why);
    void work_ended();
    void end_duty();
    /// Called when the owner is destroyed: nothing new starts, and with an elector nothing more is written. Work that
    /// has started for an object may keep this alive for a while.
    void close();
    bool works() const;
    operator_metrics metrics() const;

    std::shared_ptr<rules::controller_rules const> rules;
    kube::client reader; ///< without the gate: for informers and the lease
    controller_operator_options options;
    std::shared_ptr<leader_elector> elector; ///< empty: leads always
    bool own_elector;
    std::shared_ptr<gated_transport> gate;
    kube::client client;
    std::function<time_point()> now;
    watched_world watched;
    event_recorder recorder;
    std::shared_ptr<write_budget> budget;
    std::shared_ptr<key_worker> keys; ///< null: the contents that the options name
    controller work;
    std::map<std::string, std::shared_ptr<kept_state>> kept;
    operator_duty duty;
    kube::run_scope run;
    bool following = false;
    bool closed = false;
};

controller_operator::state::state(std::shared_ptr<rules::controller_rules const> what, kube::client c,
                                  controller_operator_options o)
    : rules(std::move(what)),
      reader(std::move(c)),
      options(std::move(o)),
      elector(elector_of(reader, options)),
      own_elector(options.leader_election.has_value()),
      gate(gate_for(reader, elector)),
      client(reader.with_transport(gate)),
      now(options.clock ? options.clock : std::function<time_point()>(&system_now)),
      watched(*rules, options.informers, reader, options.namespace_),
      recorder(client, std::string(rules->name()), now, options.events),
      budget(std::make_shared<write_budget>(options.writes_in_flight)),
      work(
          reader.get_executor(),
          [this](std::string key, any_handler<void(error_code, reconcile_result)> h) {
              // The handler keeps this from before the first step on: the operator may be destroyed earlier.
              asio::co_spawn(
                  client.get_executor(), reconcile(std::move(key)),
                  [self = shared_from_this(), h = std::move(h)](std::exception_ptr e, outcome_of_look r) mutable {
                      if (e) r = thrown(std::move(e));
                      std::move(h)(r.first, std::move(r.second));
                  });
          },
          named(options.controller, *rules)),
      run(reader.get_executor(), [this](error_code ec) {
          recorder.persist(false);
          run.end(ec);
      }) {
    if (!options.contents) {
        options.contents = make_content_maker();
        keys = std::make_shared<key_worker>(reader.get_executor());
    }
}

void controller_operator::state::follow() {
    if (std::exchange(following, true)) return;
    auto const weak = weak_from_this();
    watched.primaries().on_event([weak](kube::any_event const& e) {
        auto const self = weak.lock();
        if (!self) return;
        self->watched.take_primary(e);
        auto const key = key_of(e.object.metadata());
        bool const planned = self->rules->plans_for(e.object.erased().get());
        if (e.kind == change_kind::deleted || !planned) self->kept.erase(key);
        if (planned) self->enqueue_gathered(key);
    });
    for (std::size_t i = 0; i < watched.sources().size(); ++i)
        watched.sources()[i].objects.on_event([weak, i](kube::any_event const& e) {
            if (auto const self = weak.lock()) self->object_changed(i, e);
        });
}

void controller_operator::state::object_changed(std::size_t source, kube::any_event const& e) {
    for (auto const& effect : watched.take(source, e)) {
        bool const noted = rules->watches()[effect.row].changes && !e.initial;
        for (auto const& key : effect.keys()) {
            if (noted) note_change(key, effect, e);
            enqueue_gathered(key);
        }
    }
}

/** Ignores changes of an object that is not known yet, because its first plan sees the whole state, and changes that
    belong to an earlier object of the same name. */
void controller_operator::state::note_change(std::string const& key, watched_world::effect const& effect,
                                             kube::any_event const& e) {
    auto const primary = find(key);
    if (primary.empty()) return;
    auto const& meta = primary.metadata();
    if (meta.deletion_timestamp && !rules->looks_at_deleted()) return; // no plan would take it
    rules::change c;
    c.watched = effect.row;
    if (!e.old.empty() && contains_primary(effect.before, key, meta.uid)) c.before = e.old;
    if (e.kind != change_kind::deleted && contains_primary(effect.after, key, meta.uid)) c.after = e.object;
    if (c.before.empty() && c.after.empty()) return;
    if (!of(key)->changes.add(std::move(c))) return;
    options.controller.logger(log_level::warning, "too many changes without a successful plan; merging them",
                              {{"kind", std::string(rules->primary().info->kind)}, {"key", key}});
}

controller_clock::instant controller_operator::state::instant_now() const {
    if (options.controller.clock) return options.controller.clock->now();
    return kube::detail::time_source::of(client.get_executor()).now();
}

void controller_operator::state::enqueue_gathered(std::string const& key) {
    auto const it = kept.find(key);
    if (it == kept.end() || !it->second->looked) return work.enqueue(key);
    auto const left = *it->second->looked + options.gather - instant_now();
    if (left.count() <= 0) return work.enqueue(key);
    work.enqueue_after(key, std::chrono::ceil<std::chrono::milliseconds>(left));
}

any_object controller_operator::state::find(std::string const& key) const {
    auto const slash = key.find('/');
    return watched.primaries().find(key.substr(0, slash), key.substr(slash + 1));
}
std::shared_ptr<controller_operator::state::kept_state> const& controller_operator::state::of(std::string const& key) {
    auto& entry = kept[key];
    if (!entry) entry = std::make_shared<kept_state>();
    return entry;
}

/// Nothing is waited for that a server restored from an older state has lost.
void controller_operator::state::forget_what_is_lost() {
    for (auto const& source : watched.rolled_back())
        for (auto const& [key, entry] : kept) {
            if (source.empty()) entry->written.job_version.clear();
            entry->written.versions.erase(source);
            entry->written.deleted.erase(source);
        }
}

/// Acting upon an old state is harmless, since names are fixed and writes name the version or the uid that they
/// change; waiting for ever is not.
bool controller_operator::state::waits_too_long(std::string const& key, pending_writes& written) const {
    auto const time = now();
    if (!written.behind_since || time < *written.behind_since) written.behind_since = time;
    if (time - *written.behind_since < lag_limit) return false;
    options.controller.logger(log_level::warning, "own writes are not visible yet; continuing without them",
                              {{"kind", std::string(rules->primary().info->kind)}, {"key", key}});
    written.forget();
    return true;
}

plan_subject controller_operator::state::subject_of(any_object object) {
    plan_subject subject(std::move(object), rules->status(), options.contents);
    subject.keys = keys;
    subject.informers = [weak = weak_from_this()](resource_info const& type, std::string_view ns, std::string_view name,
                                                  string_map const* labels) {
        auto const self = weak.lock();
        return self ? self->watched.informers_of(type, ns, name, labels) : std::vector<std::string>();
    };
    return subject;
}

asio::awaitable<controller_operator::state::outcome_of_look> controller_operator::state::reconcile(std::string key) {
    outcome_of_look outcome;
    any_object object;
    if (!closed) object = find(key);
    if (object.empty() || !rules->plans_for(object.erased().get())) co_return outcome;
    auto const about = of(key); // the entry goes when the object is deleted meanwhile
    pending_writes& written = about->written;
    if (!watched.all_synced()) {
        outcome.second.requeue_after = sync_recheck;
        co_return outcome;
    }
    forget_what_is_lost();
    if (!watched.has_observed(written) && !waits_too_long(key, written)) {
        outcome.second.requeue_after = lag_recheck;
        co_return outcome;
    }
    written.behind_since.reset();

    if (object.metadata().deletion_timestamp && !rules->looks_at_deleted()) co_return outcome;
    rules::world world = watched.world_of(object.erased().get());
    lent_changes changes(std::shared_ptr<change_list>(about, &about->changes), world);
    auto const time = now();
    about->looked = instant_now();
    rules::plan todo = rules->make_plan(object.erased().get(), world, about->remembered, time);
    auto const requeue_at = todo.requeue_at;
    auto remember = std::move(todo.remember);
    plan_subject subject = subject_of(object);
    auto const noted = std::shared_ptr<pending_writes>(about, &written);
    plan_outcome went = co_await carry_out(client, recorder, std::move(subject), std::move(todo), noted, budget);
    if (!went.problem.code) {
        changes.done();
        if (remember) about->remembered = std::move(remember);
    }
    outcome.first = went.problem.code;
    outcome.second.why = std::move(went.problem.detail);
    if (requeue_at)
        outcome.second.requeue_after =
            std::max(std::chrono::milliseconds(0), std::chrono::milliseconds(*requeue_at - time));
    if (!went.outdated) {
        written.outdated.reset();
        co_return outcome;
    }
    // This is no failure: the event of the other write enqueues the key. If it has come before or does not come, the
    // delay does.
    auto const later = written.outdated.next();
    outcome.first = {};
    outcome.second.requeue_after = std::min(outcome.second.requeue_after.value_or(later), later);
    co_return outcome;
}

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

/// The informers also run while another process leads, so that a new leader starts with their objects.
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
        write_no_more(errc::leadership_lost); // it holds the lease no longer
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

controller_operator::controller_operator(std::shared_ptr<rules::controller_rules const> rules, kube::client client,
                                         controller_operator_options options)
    : state_(std::make_shared<state>(std::move(rules), std::move(client), std::move(options))) {}

controller_operator::~controller_operator() {
    if (state_) state_->close();
}

asio::any_io_executor controller_operator::get_executor() const noexcept { return state_->client.get_executor(); }

bool controller_operator::has_synced() const { return state_->watched.all_synced(); }
bool controller_operator::is_working() const { return state_->works(); }
operator_metrics controller_operator::metrics() const { return state_->metrics(); }

void controller_operator::run(std::shared_ptr<state> const& s, any_handler<void(error_code)> handler) {
    s->start(std::move(handler));
}

any_job_operator::any_job_operator(rules::job_rules const& kind, kube::client client, job_operator_options options)
    : controller_operator(kind.with(options.rules), std::move(client),
                          static_cast<controller_operator_options const&>(options)) {}

} // namespace kftrain::control
