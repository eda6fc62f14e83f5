#include "facade/preflight/preflight_job.hpp"

#include "facade/job_references.hpp"
#include "facade/preflight/evidence.hpp"
#include "facade/refuse_job.hpp"
#include "kube/async/blocking_form.hpp"
#include "kube/async/operation.hpp"
#include "kube/calls/client_core.hpp"

#include <kftrain/job/job_rules.hpp>
#include <kftrain/kube/request.hpp>
#include <kftrain/objects/authorization/self_subject_access_review.hpp>
#include <kftrain/objects/scheduling/priority_class.hpp>
#include <kftrain/training_client.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/experimental/parallel_group.hpp>
#include <boost/asio/strand.hpp>

namespace kftrain {
namespace {

namespace asio = boost::asio;
namespace request = kube::request;
using authorization::self_subject_access_review;

/// Quotas of a namespace that are looked at.
constexpr std::uint32_t most_quotas = 500;

/// Sends one request after the other. The requests about permissions, which are many, are sent at once.
class collection {
public:
    collection(kube::client c, any_job job, preflight_options o) : client_(std::move(c)), options_(std::move(o)) {
        evidence_.job = prepared_job::admitted(std::move(job));
    }

    asio::awaitable<preflight_report> run() {
        co_await look_at_catalog();
        auto wanted = evidence_.job->references();
        bool const refers = !wanted.empty();
        auto const how = options_.common();
        auto const found = co_await await_references(client_, std::move(wanted), how, absent_reference::is_missing);
        if (refers) {
            any_job job = *evidence_.job;
            found.supply(job);
            evidence_.job = prepared_job::admitted(std::move(job));
        }
        auto r = request::get(core::namespace_::resource, "", evidence_.job->metadata().namespace_);
        co_await look(evidence_.of_namespace, std::move(r));
        auto const needs = preflight::access_needs(evidence_.job, options_);
        co_await send_reviews(needs);
        co_await look_at_name();
        co_await look_at_quotas();
        bool const valid = evidence_.job.is_valid();
        if (valid) co_await look_at_gang();
        if (valid && evidence_.existing.is_absent() && may_create()) co_await try_it();
        if (options_.detail != nullptr) *options_.detail = diagnostics();
        co_return preflight::report_of(evidence_);
    }

private:
    using answer = std::tuple<error_code, std::string>;

    /// The rest of the time is that of the whole, which the operation keeps.
    asio::awaitable<answer> send(result<kube::http_request> r, kube::detail::call_report& report) {
        auto got = co_await kube::detail::call(client_, std::move(r), options_.common(), report);
        stop_at(std::get<0>(got), report.detail);
        co_return got;
    }

    /// An unreachable server, or one that does not authenticate the caller, serves no other request either.
    void stop_at(error_code ec, diagnostics const& why) const {
        if (!is_cancelled(ec) && !is_unreached(ec) && !is_unauthorized(ec) && ec != errc::timeout) return;
        if (options_.detail != nullptr) *options_.detail = why;
        kube::detail::fail(ec);
    }

    static void note(error_code ec, diagnostics const& why, error_code& to, std::string& message) {
        to = ec;
        message = failure(ec, why).to_string();
    }

    template <class T> asio::awaitable<void> look(preflight::looked_up<T>& to, result<kube::http_request> r) {
        kube::detail::call_report report;
        auto const got = co_await send(std::move(r), report);
        if (auto const ec = std::get<0>(got)) {
            note(ec, report.detail, to.ec, to.message);
            co_return;
        }
        auto value = from_json<T>(std::get<1>(got));
        if (value)
            to.value = *std::move(value);
        else
            note(value.error().code, value.error().detail, to.ec, to.message);
    }

    asio::awaitable<void> look_at_catalog() {
        diagnostics why;
        kube::call_options options = options_.common();
        options.detail = &why;
        kube::discovery const served(client_);
        auto got = co_await served.async_catalog(options, asio::as_tuple(asio::use_awaitable));
        auto const ec = std::get<0>(got);
        stop_at(ec, why);
        if (ec)
            note(ec, why, evidence_.catalog.ec, evidence_.catalog.message);
        else
            evidence_.catalog.value = std::get<1>(got);
    }

    /// The first error ends the others.
    asio::awaitable<void> send_reviews(std::vector<preflight::access_need> const& needs) {
        auto const own = co_await asio::this_coro::executor;
        auto const strand = asio::make_strand(own);
        evidence_.access.resize(needs.size());
        using review_operation = decltype(asio::co_spawn(strand, asio::awaitable<void>(), asio::deferred));
        std::vector<review_operation> reviews;
        for (std::size_t i = 0; i < needs.size(); ++i)
            reviews.push_back(asio::co_spawn(strand, send_review(needs[i], evidence_.access[i]), asio::deferred));
        auto group = asio::experimental::make_parallel_group(std::move(reviews));
        auto const ended = co_await group.async_wait(asio::experimental::wait_for_one_error(), asio::use_awaitable);
        auto const& [order, errors] = ended;
        for (auto const i : order)
            if (errors[i]) std::rethrow_exception(errors[i]);
    }

    asio::awaitable<void> send_review(preflight::access_need const& need, preflight::access_answer& answered) {
        self_subject_access_review review;
        auto& of = review.spec.resource_attributes.emplace();
        of.namespace_ = evidence_.job->metadata().namespace_;
        of.verb = need.verb;
        of.group = need.group;
        of.resource = need.resource;
        of.subresource = need.subresource;
        preflight::looked_up<self_subject_access_review> got;
        auto r = request::create(self_subject_access_review::resource, "", to_json(review));
        co_await look(got, std::move(r));
        answered.need = need;
        answered.message = got.message;
        if (!got.value) co_return;
        auto const& status = got.value->status;
        answered.message = status.reason;
        // What could not be found out is not forbidden for that.
        if (!status.allowed && !status.evaluation_error.empty() && !status.denied)
            answered.message = status.evaluation_error;
        else
            answered.allowed = status.allowed;
    }

    asio::awaitable<void> look_at_name() {
        auto const& m = evidence_.job->metadata();
        if (is_name_drawn(*evidence_.job)) {
            evidence_.existing.ec = reason::not_found;
            co_return;
        }
        kube::detail::call_report report;
        auto r = request::get(evidence_.job->resource(), m.namespace_, m.name);
        auto const got = co_await send(std::move(r), report);
        if (auto const ec = std::get<0>(got)) {
            note(ec, report.detail, evidence_.existing.ec, evidence_.existing.message);
            co_return;
        }
        any_job stored(evidence_.job->rules());
        auto const read = stored.read_json(std::get<1>(got));
        if (read)
            evidence_.existing.value = std::move(stored);
        else
            note(read.error().code, read.error().detail, evidence_.existing.ec, evidence_.existing.message);
    }

    asio::awaitable<void> look_at_quotas() {
        preflight::looked_up<object_list<core::resource_quota>> list;
        kube::list_options page;
        page.limit = most_quotas;
        auto r = request::list(core::resource_quota::resource, evidence_.job->metadata().namespace_, page);
        co_await look(list, std::move(r));
        evidence_.quotas.ec = list.ec;
        evidence_.quotas.message = list.message;
        if (list.value) evidence_.quotas.value = std::move(list.value->items);
    }

    asio::awaitable<void> look_at_gang() {
        auto const gang = evidence_.job.gang();
        if (gang && !gang->queue.empty()) {
            evidence_.queue.emplace();
            auto r = request::get(volcano::queue::resource, "", gang->queue);
            co_await look(*evidence_.queue, std::move(r));
        }
        auto const classes = preflight::priority_classes_of(evidence_.job);
        for (auto const& name : classes) {
            preflight::looked_up<scheduling::priority_class> found;
            auto r = request::get(scheduling::priority_class::resource, "", name);
            co_await look(found, std::move(r));
            auto& to = evidence_.priorities[name];
            to.ec = found.ec;
            to.message = found.message;
            if (found.value) to.value = true;
        }
    }

    bool may_create() const {
        for (auto const& a : evidence_.access)
            if (a.need.check == "may-create" && a.allowed == false) return false;
        return true;
    }

    /// All of admission, webhooks and quotas included, and nothing is stored.
    asio::awaitable<void> try_it() {
        kube::write_options how;
        how.dry_run = true;
        auto const& ns = evidence_.job->metadata().namespace_;
        auto r = request::with(request::create(evidence_.job->resource(), ns, evidence_.job->to_json()), how);
        kube::detail::call_report report;
        auto const got = co_await send(std::move(r), report);
        auto& to = evidence_.dry_run.emplace();
        if (auto const ec = std::get<0>(got))
            note(ec, report.detail, to.ec, to.message);
        else
            to.value = true;
    }

    kube::client client_;
    preflight_options options_;
    preflight::evidence evidence_;
};

asio::awaitable<preflight_report> collect(std::shared_ptr<collection> c) {
    auto report = co_await c->run();
    co_return report;
}

} // namespace

void preflight_job(kube::any_handler<void(error_code, preflight_report)> handler, kube::client client, any_job job,
                   preflight_options options) {
    auto const executor = client.get_executor();
    kube::detail::deadline limit(options.timeout, options.detail, "preflight of a job");
    auto c = std::make_shared<collection>(std::move(client), std::move(job), std::move(options));
    kube::detail::spawn(executor, collect(std::move(c)), std::move(limit), std::move(handler));
}

void training_client::preflight_(handler_of<preflight_report> handler, any_job job, preflight_options options) const {
    if (refuse_job(job, get_executor(), handler, options.detail)) return;
    preflight_job(std::move(handler), client_, placed(std::move(job)), std::move(options));
}

result<preflight_report> training_client::preflight(any_job const& job, preflight_options options) const {
    return kube::detail::blocking_form<preflight_report>(
        place(), std::move(options), [&](auto h, auto o) { preflight_(std::move(h), job, std::move(o)); });
}

} // namespace kftrain
