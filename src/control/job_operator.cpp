#include <kftrain/control/job_operator.hpp>

#include "control/plan_executor.hpp"
#include "control/watched_type.hpp"
#include "kube/owned_run.hpp"
#include "model/controller_of.hpp"

#include <kftrain/kube/informer.hpp>
#include <kftrain/kube/resource_version.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/error.hpp>

#include <algorithm>
#include <vector>

namespace kftrain::control {
namespace {

time_point system_now() { return std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now()); }

/// How long to wait for an informer that lags behind, should its event never come.
constexpr std::chrono::milliseconds lag_recheck{500};
/// How long to wait for the first lists.
constexpr std::chrono::milliseconds sync_recheck{20};

/// After which time an event that did not come is waited for no longer.
constexpr std::chrono::minutes lag_limit{5};

} // namespace

struct any_job_operator::state : std::enable_shared_from_this<state> {
    state(job_kind const& k, kube::client c, job_operator_options o)
        : kind(k),
          client(std::move(c)),
          options(std::move(o)),
          now(options.clock ? options.clock : std::function<time_point()>(&system_now)),
          jobs(kube::detail::follow(options.informers, client, options.namespace_, *kind.objects, {})),
          children(watch(kind.child_types(options.rules), options.informers, client, options.namespace_)),
          recorder(client, std::string(kind.operator_name), now, options.events),
          budget(std::make_shared<write_budget>(options.writes_in_flight)),
          work(
              client.get_executor(),
              [this](std::string key, any_handler<void(error_code, reconcile_result)> h) {
                  // The handler keeps this from before the first step on: the operator may be destroyed earlier.
                  asio::co_spawn(
                      client.get_executor(), reconcile(std::move(key)),
                      [kept = shared_from_this(), h = std::move(h)](std::exception_ptr e,
                                                                    std::pair<error_code, reconcile_result> r) mutable {
                          // Only memory exhaustion throws in there; the key comes again later.
                          if (e) r.first = boost::system::errc::make_error_code(boost::system::errc::not_enough_memory);
                          kube::complete(std::move(h), r.first, r.second);
                      });
              },
              named(options.controller, kind)),
          run(client.get_executor()),
          parts(client.get_executor(), [this](error_code ec) {
              recorder.persist(false);
              run.end(ec);
          }) {}
    state(state const&) = delete;
    state& operator=(state const&) = delete;

    /// The owner goes: nothing new is begun. What was begun for a job may keep this a while yet.
    void close() {
        run.end(asio::error::operation_aborted);
        parts.cancel();
        recorder.persist(false);
        jobs->close();
        for (auto const& c : children) c.objects->close();
    }

    static controller_options named(controller_options o, job_kind const& k) {
        if (o.name.empty()) o.name = k.resource->kind;
        return o;
    }

    void follow() {
        if (std::exchange(following_, true)) return;
        auto const weak = weak_from_this();
        jobs->add_handler([weak](kube::detail::erased_event const& e) {
            auto const self = weak.lock();
            if (!self) return;
            auto const key = key_of(self->kind.objects->metadata(e.object.get()));
            if (e.kind == kube::event_kind::deleted) self->writes.erase(key);
            self->work.enqueue(key);
        });
        for (std::size_t i = 0; i < children.size(); ++i)
            children[i].objects->add_handler([weak, i](kube::detail::erased_event const& e) {
                if (auto const self = weak.lock()) self->child_changed(self->children[i], e);
            });
    }

    void child_changed(watched_type& c, kube::detail::erased_event const& e) {
        c.controlled.take(e);
        auto const& meta = c.type->metadata(e.object.get());
        auto const job = controlling_job(meta);
        // A job that a child was taken from must look again as well.
        if (auto const before = e.old ? controlling_job(c.type->metadata(e.old.get())) : std::string();
            !before.empty() && before != job)
            work.enqueue(before);
        if (!job.empty())
            work.enqueue(job);
        else if (!c.is_replica() && jobs->find(meta.namespace_, meta.name)) // it is in the way of the job's, or was
            work.enqueue(key_of(meta));
    }

    /// The key of the job that controls a child; empty when that is none of this kind.
    std::string controlling_job(object_meta const& child) const {
        auto const* const owner = controller_of(child);
        if (owner == nullptr || owner->kind != kind.resource->kind ||
            owner->api_version != kind.resource->api_version())
            return {};
        return child.namespace_ + "/" + owner->name;
    }

    /// Whether the informers show everything that was written for this job.
    bool caught_up(pending_writes& written, std::string_view ns) const {
        if (!written.job_version.empty() &&
            kube::compare_resource_versions(jobs->last_resource_version(), written.job_version) < 0)
            return false;
        return std::all_of(children.begin(), children.end(),
                           [&](watched_type const& c) { return c.shows(written, ns); });
    }

    /// Nothing is waited for that a server restored from an older state has lost.
    void forget_what_is_lost() {
        if (jobs_shown.falls_to(jobs->last_resource_version()))
            for (auto const& [key, written] : writes) written->job_version.clear();
        for (auto& c : children) {
            if (!c.shown.falls_to(c.objects->last_resource_version())) continue;
            auto const type = type_key(*c.type->info);
            for (auto const& [key, written] : writes) {
                written->versions.erase(type);
                written->deleted.erase(type);
            }
        }
    }

    /// Acting upon an old state is harmless, since names are fixed and writes name the version or the uid that they
    /// change; waiting for ever is not.
    bool waits_too_long(std::string const& key, pending_writes& written) const {
        auto const time = now();
        if (!written.behind_since || time < *written.behind_since) written.behind_since = time;
        if (time - *written.behind_since < lag_limit) return false;
        options.controller.logger(log_level::warning, "own writes not seen, going on without",
                                  {{"kind", std::string(kind.resource->kind)}, {"key", key}});
        written.forget();
        return true;
    }

    /// What the job controls, and what bears its name of the types that have one object per job.
    observed look_at(object_meta const& job) const {
        observed world;
        for (auto const& c : children) {
            for (auto& object : c.controlled.of(job.uid)) world.add(any_object(*c.type, std::move(object)));
            if (c.is_replica()) continue;
            auto object = c.objects->find(job.namespace_, job.name);
            if (!object) continue;
            if (!is_controlled_by(c.type->metadata(object.get()), job.uid))
                world.add(any_object(*c.type, std::move(object)));
        }
        return world;
    }

    bool all_synced() const {
        return jobs->has_synced() && std::all_of(children.begin(), children.end(),
                                                 [](watched_type const& c) { return c.objects->has_synced(); });
    }

    asio::awaitable<std::pair<error_code, reconcile_result>> reconcile(std::string key) {
        std::pair<error_code, reconcile_result> outcome;
        auto const slash = key.find('/');
        auto const ns = key.substr(0, slash);
        auto const stored = jobs->find(ns, key.substr(slash + 1));
        if (!stored) co_return outcome;
        auto& noted = writes[key];
        if (!noted) noted = std::make_shared<pending_writes>();
        auto const kept = noted; // the entry goes when the job is deleted meanwhile
        pending_writes& written = *kept;
        if (!all_synced()) {
            outcome.second.requeue_after = sync_recheck;
            co_return outcome;
        }
        forget_what_is_lost();
        if (!caught_up(written, ns) && !waits_too_long(key, written)) {
            outcome.second.requeue_after = lag_recheck;
            co_return outcome;
        }
        written.behind_since.reset();

        any_job job(kind, stored.get());
        if (job.metadata().deletion_timestamp) co_return outcome;
        if (auto const found = job.validate(); has_errors(found)) {
            report_invalid(job, found);
            co_return outcome;
        }
        observed const world = look_at(job.metadata());
        auto const time = now();
        plan todo = job.make_plan(world, time, options.rules);
        auto const look_again = todo.look_again;
        plan_outcome went = co_await carry_out(client, recorder, std::move(job), std::move(todo), kept, budget);
        outcome.first = went.problem.code;
        outcome.second.why = std::move(went.problem.detail);
        if (look_again)
            outcome.second.requeue_after =
                std::max(std::chrono::milliseconds(0), std::chrono::milliseconds(*look_again - time));
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

    void report_invalid(any_job const& job, issues const& found) {
        recorder.record(reference_to(job), "Warning", std::string(kind.resource->kind) + "FailedValidation",
                        std::string(kind.resource->kind) + " failed validation because " + join_errors(found, ", "));
    }

    job_kind const& kind;
    kube::client client;
    job_operator_options options;
    std::function<time_point()> now;
    std::shared_ptr<kube::detail::informer_core> jobs;
    std::vector<watched_type> children;
    event_recorder recorder;
    std::shared_ptr<write_budget> budget;
    controller work;
    std::map<std::string, std::shared_ptr<pending_writes>> writes;
    version_mark jobs_shown;
    kube::owned_run run;
    kube::run_parts parts;
    bool following_ = false;
};

any_job_operator::any_job_operator(job_kind const& kind, kube::client client, job_operator_options options)
    : state_(std::make_shared<state>(kind, std::move(client), std::move(options))) {}

any_job_operator::~any_job_operator() {
    if (state_) state_->close();
}

asio::any_io_executor any_job_operator::get_executor() const noexcept { return state_->client.get_executor(); }

void any_job_operator::run(std::shared_ptr<state> const& s, any_handler<void(error_code)> handler) {
    auto const stop = [weak = std::weak_ptr<state>(s)] {
        if (auto const self = weak.lock()) self->parts.cancel();
    };
    if (!s->run.begin(std::move(handler), stop)) return;
    s->recorder.persist(true);
    s->follow();
    s->parts.add([&](auto h) { s->jobs->run(std::move(h)); });
    s->parts.add([&](auto h) { s->work.async_run(std::move(h)); });
    for (auto const& c : s->children) s->parts.add([&](auto h) { c.objects->run(std::move(h)); });
}

} // namespace kftrain::control
