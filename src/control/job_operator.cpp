#include <kftrain/control/job_operator.hpp>

#include "control/plan_executor.hpp"
#include "kube/pending_handler.hpp"

#include <kftrain/kube/informer.hpp>

#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/error.hpp>

#include <array>

namespace kftrain::control {
namespace {

std::string key_of(object_meta const& meta) { return meta.namespace_ + "/" + meta.name; }

/// The controller of a child, or null.
owner_reference const* controller_of(object_meta const& meta) noexcept {
    for (auto const& owner : meta.owner_references)
        if (owner.controller.value_or(false)) return &owner;
    return nullptr;
}

time_point system_now() { return std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now()); }

/// How long to wait for an informer that lags behind, should its event never come.
constexpr std::chrono::milliseconds lag_recheck{500};
/// How long to wait for the first lists.
constexpr std::chrono::milliseconds sync_recheck{20};

kube::informer_options following(job_kind const& kind) {
    kube::informer_options o;
    o.label_selector = kind.child_selector;
    return o;
}

} // namespace

struct any_job_operator::state : std::enable_shared_from_this<state> {
    state(job_kind const& k, kube::client c, job_operator_options o)
        : kind(k),
          client(std::move(c)),
          options(std::move(o)),
          now(options.clock ? options.clock : std::function<time_point()>(&system_now)),
          jobs(kube::detail::make_informer(client, options.namespace_, *kind.objects, {})),
          pods(kube::api<pod>(client, options.namespace_), following(kind)),
          services(kube::api<service>(client, options.namespace_), following(kind)),
          recorder(client, std::string(kind.operator_name), now),
          work(
              client.get_executor(),
              [this](std::string key, any_handler<void(error_code, reconcile_result)> h) {
                  asio::co_spawn(
                      client.get_executor(), reconcile(std::move(key)),
                      [h = std::move(h)](std::exception_ptr e, std::pair<error_code, reconcile_result> r) mutable {
                          // Only memory exhaustion throws in there; the key comes again later.
                          if (e) r.first = boost::system::errc::make_error_code(boost::system::errc::not_enough_memory);
                          kube::complete(std::move(h), r.first, r.second);
                      });
              },
              options.controller) {}

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
        auto const child_changed = [weak](object_meta const& meta) {
            auto const self = weak.lock();
            auto const* owner = controller_of(meta);
            if (self && owner != nullptr && owner->kind == self->kind.resource->kind)
                self->work.enqueue(meta.namespace_ + "/" + owner->name);
        };
        pods.on_event([=](auto const& e) { child_changed(e.object->metadata); });
        services.on_event([=](auto const& e) { child_changed(e.object->metadata); });
    }

    /// Whether the informers show everything that was written for this job.
    bool caught_up(pending_writes& written) {
        if (!written.job_version.empty() &&
            kube::compare_resource_versions(jobs->last_resource_version(), written.job_version) < 0)
            return false;
        return seen(pods, pod::resource.plural, written) && seen(services, service::resource.plural, written);
    }

    template <class Informer> bool seen(Informer const& informer, std::string_view plural, pending_writes& written) {
        if (auto const it = written.versions.find(std::string(plural));
            it != written.versions.end() && !it->second.empty() && !informer.has_observed(it->second))
            return false;
        auto const deleted = written.deleted.find(std::string(plural));
        if (deleted == written.deleted.end() || deleted->second.empty()) return true;
        for (auto const& object : informer.list())
            if (deleted->second.contains(object->metadata.uid) && !object->metadata.deletion_timestamp) return false;
        deleted->second.clear();
        return true;
    }

    template <class Informer> auto children(Informer const& informer, object_meta const& job) const {
        auto result = informer.list();
        std::erase_if(result, [&](auto const& object) {
            auto const* owner = controller_of(object->metadata);
            return owner == nullptr || owner->uid != job.uid;
        });
        return result;
    }

    asio::awaitable<std::pair<error_code, reconcile_result>> reconcile(std::string key) {
        std::pair<error_code, reconcile_result> outcome;
        auto const self = shared_from_this();
        auto const slash = key.find('/');
        auto const stored = jobs->find(key.substr(0, slash), key.substr(slash + 1));
        if (!stored) co_return outcome;
        auto& noted = writes[key];
        if (!noted) noted = std::make_shared<pending_writes>();
        auto const kept = noted; // the entry goes when the job is deleted meanwhile
        pending_writes& written = *kept;
        if (!jobs->has_synced() || !pods.has_synced() || !services.has_synced()) {
            outcome.second.requeue_after = sync_recheck;
            co_return outcome;
        }
        if (!caught_up(written)) {
            outcome.second.requeue_after = lag_recheck;
            co_return outcome;
        }

        any_job const job(kind, stored.get());
        if (job.metadata().deletion_timestamp) co_return outcome;
        if (auto const found = job.validate(); has_errors(found)) {
            report_invalid(job, found);
            co_return outcome;
        }
        observed world;
        world.pods = children(pods, job.metadata());
        world.services = children(services, job.metadata());
        auto const time = now();
        plan const todo = job.make_plan(world, time, options.rules);
        outcome.first = co_await carry_out(client, recorder, job, todo, written);
        if (todo.look_again)
            outcome.second.requeue_after =
                std::max(std::chrono::milliseconds(0), std::chrono::milliseconds(*todo.look_again - time));
        // Somebody else wrote the job meanwhile: its event brings the key back, nothing went wrong.
        if (is_conflict(outcome.first)) outcome.first = {};
        co_return outcome;
    }

    void report_invalid(any_job const& job, issues const& found) {
        recorder.record(reference_to(job), "Warning", std::string(kind.resource->kind) + "FailedValidation",
                        std::string(kind.resource->kind) + " failed validation because " + join_errors(found, ", "));
    }

    /// One of the four operations that make up async_run() ended.
    void part_ended(error_code ec) {
        if (!first_error) first_error = ec;
        cancel_parts();
        if (--running != 0) return;
        kube::complete_later(client.get_executor(), handler.take(), first_error);
    }

    void cancel_parts() {
        for (auto& s : signals) s.emit(asio::cancellation_type::terminal);
    }

    template <class Start> void run_part(std::size_t index, Start start) {
        ++running;
        start(asio::bind_cancellation_slot(
            signals[index].slot(),
            asio::bind_executor(client.get_executor(),
                                [self = shared_from_this()](error_code ec) { self->part_ended(ec); })));
    }

    job_kind const& kind;
    kube::client client;
    job_operator_options options;
    std::function<time_point()> now;
    std::shared_ptr<kube::detail::informer_core> jobs;
    kube::informer<pod> pods;
    kube::informer<service> services;
    event_recorder recorder;
    controller work;
    std::map<std::string, std::shared_ptr<pending_writes>> writes;
    std::array<asio::cancellation_signal, 4> signals;
    kube::pending_handler<void(error_code)> handler;
    error_code first_error;
    std::size_t running = 0;
    bool following_ = false;
};

any_job_operator::any_job_operator(job_kind const& kind, kube::client client, job_operator_options options)
    : state_(std::make_shared<state>(kind, std::move(client), std::move(options))) {}

any_job_operator::~any_job_operator() {
    if (state_ && state_->running != 0) state_->cancel_parts();
}

asio::any_io_executor any_job_operator::get_executor() const noexcept { return state_->client.get_executor(); }

void any_job_operator::run(std::shared_ptr<state> const& s, any_handler<void(error_code)> handler) {
    if (s->running != 0) {
        kube::complete_later(s->client.get_executor(), std::move(handler), make_error_code(errc::invalid_argument));
        return;
    }
    auto slot = asio::get_associated_cancellation_slot(handler);
    s->handler.put(std::move(handler));
    s->first_error = {};
    s->follow();
    s->run_part(0, [&](auto h) { s->jobs->run(std::move(h)); });
    s->run_part(1, [&](auto h) { s->pods.async_run(std::move(h)); });
    s->run_part(2, [&](auto h) { s->services.async_run(std::move(h)); });
    s->run_part(3, [&](auto h) { s->work.async_run(std::move(h)); });
    if (slot.is_connected())
        slot.assign([weak = std::weak_ptr<state>(s)](asio::cancellation_type) {
            if (auto const self = weak.lock()) self->cancel_parts();
        });
}

} // namespace kftrain::control
