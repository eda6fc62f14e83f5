#include <kftrain/control/controller_operator.hpp>

#include "control/operator_state.hpp"

#include <boost/asio/co_spawn.hpp>

#include <algorithm>
#include <exception>
#include <new>
#include <stdexcept>

namespace kftrain::control {
namespace {

time_point system_now() { return std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now()); }

/// How long to wait for an informer that lags behind, should its event never come.
constexpr std::chrono::milliseconds lag_recheck{500};
/// How long to wait for the first lists.
constexpr std::chrono::milliseconds sync_recheck{20};

/// After which time an event that did not come is waited for no longer.
constexpr std::chrono::minutes lag_limit{5};

/// Changes that a plan is made from: they come again unless it succeeds, even if it is destroyed on its way.
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

} // namespace

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
    // Nothing went wrong: the event of what somebody else wrote brings the key back. Should it have come already,
    // or never come, the time does.
    auto const later = written.outdated.next();
    outcome.first = {};
    outcome.second.requeue_after = std::min(outcome.second.requeue_after.value_or(later), later);
    co_return outcome;
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

} // namespace kftrain::control
