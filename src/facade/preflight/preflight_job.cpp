#include "facade/job_arguments.hpp"
#include "facade/job_references.hpp"
#include "facade/parallel_queries.hpp"
#include "facade/preflight/evidence.hpp"
#include "kube/async/blocking_form.hpp"
#include "kube/async/operation.hpp"
#include "kube/calls/client_state.hpp"

#include <kftrain/job/job_rules.hpp>
#include <kftrain/kube/request.hpp>
#include <kftrain/objects/authorization/self_subject_access_review.hpp>
#include <kftrain/objects/scheduling/priority_class.hpp>
#include <kftrain/training_client.hpp>

#include <boost/asio/as_tuple.hpp>

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
        auto const how = options_.common();
        auto checked = co_await await_admitted_job(client_, evidence_.job, how);
        evidence_.job = checked;
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

    template <class T>
    static void fill(preflight::looked_up<T>& to, error_code ec, diagnostics const& why, std::string const& text) {
        if (ec) return note(ec, why, to.ec, to.message);
        auto value = from_json<T>(text);
        if (value)
            to.value = *std::move(value);
        else
            note(value.error().code, value.error().detail, to.ec, to.message);
    }

    template <class T> asio::awaitable<void> look(preflight::looked_up<T>& to, result<kube::http_request> r) {
        kube::detail::call_report report;
        auto const got = co_await send(std::move(r), report);
        fill(to, std::get<0>(got), report.detail, std::get<1>(got));
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

    asio::awaitable<void> send_reviews(std::vector<preflight::access_need> const& needs) {
        std::vector<result<kube::http_request>> requests;
        for (auto const& need : needs) requests.push_back(review_of(need));
        auto const answers = co_await call_all(client_, std::move(requests), options_.common());
        for (std::size_t i = 0; i < needs.size(); ++i) {
            stop_at(answers[i].ec, answers[i].detail);
            take_review(needs[i], answers[i]);
        }
    }

    result<kube::http_request> review_of(preflight::access_need const& need) const {
        self_subject_access_review review;
        auto& of = review.spec.resource_attributes.emplace();
        of.namespace_ = evidence_.job->metadata().namespace_;
        of.verb = need.verb;
        of.group = need.group;
        of.resource = need.resource;
        of.subresource = need.subresource;
        return request::create(self_subject_access_review::resource, "", to_json(review));
    }

    void take_review(preflight::access_need const& need, call_answer const& got) {
        preflight::looked_up<self_subject_access_review> review;
        fill(review, got.ec, got.detail, got.text);
        auto& answered = evidence_.access.emplace_back();
        answered.need = need;
        answered.message = review.message;
        if (!review.value) return;
        auto const& status = review.value->status;
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

void training_client::preflight_(handler_of<preflight_report> handler, any_job job, preflight_options options) const {
    if (refuse_job(job, get_executor(), handler, options.detail)) return;
    kube::detail::deadline limit(options.timeout, options.detail, "preflight of a job");
    auto c = std::make_shared<collection>(client_, placed(std::move(job)), std::move(options));
    kube::detail::spawn(get_executor(), collect(std::move(c)), std::move(limit), std::move(handler));
}

result<preflight_report> training_client::preflight(any_job const& job, preflight_options options) const {
    return kube::detail::blocking_form<preflight_report>(
        place(), std::move(options), [&](auto h, auto o) { preflight_(std::move(h), job, std::move(o)); });
}

} // namespace kftrain
