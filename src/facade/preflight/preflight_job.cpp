#include "facade/job_arguments.hpp"
#include "facade/job_operation.hpp"
#include "facade/job_references.hpp"
#include "facade/parallel_queries.hpp"
#include "facade/preflight/evidence.hpp"
#include "facade/read_jobs.hpp"
#include "kube/async/blocking_form.hpp"

#include <kftrain/job/job_rules.hpp>
#include <kftrain/kube/request.hpp>
#include <kftrain/objects/authorization/self_subject_access_review.hpp>
#include <kftrain/objects/scheduling/priority_class.hpp>
#include <kftrain/training_client.hpp>

#include <boost/asio/as_tuple.hpp>

#include <functional>
#include <utility>
#include <vector>

namespace kftrain {
namespace {

namespace asio = boost::asio;
namespace request = kube::request;
using authorization::self_subject_access_review;

/// Quotas of a namespace that are read.
constexpr std::uint32_t most_quotas = 500;

/// Collects the evidence for a report.
class collection {
public:
    collection(kube::client c, any_job job, preflight_options o) : client_(std::move(c)), options_(std::move(o)) {
        evidence_.job = prepared_job::admitted(std::move(job));
    }

    asio::awaitable<preflight_report> run() {
        co_await read_catalog();
        auto const how = options_.common();
        auto checked = co_await await_admitted_job(client_, evidence_.job, how, &evidence_.unread);
        evidence_.job = checked;
        for (auto const& need : preflight::access_needs(evidence_.job, options_)) add_review(need);
        add_reads();
        co_await send();
        if (evidence_.job.is_valid() && evidence_.existing.is_absent() && may_create()) {
            add_dry_run();
            co_await send();
        }
        if (options_.detail != nullptr) *options_.detail = diagnostics();
        co_return preflight::report_of(evidence_);
    }

private:
    using take_answer = std::function<void(call_answer const&)>;

    void add(result<kube::http_request> r, take_answer take) {
        requests_.push_back(std::move(r));
        takers_.push_back(std::move(take));
    }

    /// `decode` makes a result<T> of the text of an answer. `to` must stay in its place until send() is over.
    template <class T, class Decode>
    void add(result<kube::http_request> r, preflight::looked_up<T>& to, Decode decode) {
        add(std::move(r), [&to, decode](call_answer const& got) {
            note(to, got.ec ? result<T>(failure(got.ec, got.detail)) : decode(got.text));
        });
    }

    template <class T> void add(result<kube::http_request> r, preflight::looked_up<T>& to) {
        add(std::move(r), to, [](std::string const& text) { return from_json<T>(text); });
    }

    template <class T> static void note(preflight::looked_up<T>& to, result<T> outcome) {
        if (outcome) {
            to.value = *std::move(outcome);
        } else {
            to.ec = outcome.error().code;
            to.message = outcome.error().to_string();
        }
    }

    /// Sends all requests that were added. The operation keeps the deadline of the whole.
    asio::awaitable<void> send() {
        auto const how = options_.common();
        auto requests = std::exchange(requests_, {});
        auto const answers = co_await call_all(client_, std::move(requests), how);
        for (std::size_t i = 0; i < answers.size(); ++i) {
            stop_at(answers[i].ec, answers[i].detail);
            takers_[i](answers[i]);
        }
        takers_.clear();
    }

    /// An unreachable server, or one that does not authenticate the caller, serves no other request either.
    void stop_at(error_code ec, diagnostics const& why) const {
        if (is_cancelled(ec) || is_unreached(ec) || is_unauthorized(ec) || ec == errc::timeout)
            fail_with(failure(ec, why), options_.detail);
    }

    asio::awaitable<void> read_catalog() {
        diagnostics why;
        kube::call_options options = options_.common();
        options.detail = &why;
        kube::discovery const served(client_);
        auto got = co_await served.async_catalog(options, asio::as_tuple(asio::use_awaitable));
        auto const ec = std::get<0>(got);
        stop_at(ec, why);
        using catalog = std::shared_ptr<kube::api_catalog const>;
        note(evidence_.catalog, ec ? result<catalog>(failure(ec, why)) : result<catalog>(std::get<1>(got)));
    }

    void add_review(preflight::access_need const& need) {
        add(review_of(need), [this, need](call_answer const& got) { take_review(need, got); });
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
        note(review, got.ec ? result<self_subject_access_review>(failure(got.ec, got.detail))
                            : from_json<self_subject_access_review>(got.text));
        auto& answered = evidence_.access.emplace_back();
        answered.need = need;
        answered.message = review.message;
        if (!review.value) return;
        auto const& status = review.value->status;
        answered.message = status.reason;
        // A failed evaluation does not forbid anything.
        if (!status.allowed && !status.evaluation_error.empty() && !status.denied)
            answered.message = status.evaluation_error;
        else
            answered.allowed = status.allowed;
    }

    void add_reads() {
        auto const& job = evidence_.job;
        auto const& m = job->metadata();
        add(request::get(core::namespace_::resource, "", m.namespace_), evidence_.of_namespace);
        if (has_generated_name(*job))
            evidence_.existing.ec = reason::not_found;
        else
            add(request::get(job->resource(), m.namespace_, m.name), evidence_.existing,
                [kind = &job->rules()](std::string const& text) { return decode_job(*kind, text); });
        using quotas = std::vector<core::resource_quota>;
        kube::list_options page;
        page.limit = most_quotas;
        add(request::list(core::resource_quota::resource, m.namespace_, page), evidence_.quotas,
            [](std::string const& text) -> result<quotas> {
                auto list = from_json<object_list<core::resource_quota>>(text);
                return list ? result<quotas>(std::move(list->items)) : list.error();
            });
        if (!job.is_valid()) return;
        if (auto const gang = job.gang(); gang && !gang->queue.empty())
            add(request::get(volcano::queue::resource, "", gang->queue), evidence_.queue.emplace());
        for (auto const& name : preflight::priority_classes_of(job))
            add(request::get(scheduling::priority_class::resource, "", name), evidence_.priorities[name], exists);
    }

    static result<bool> exists(std::string const&) { return true; }

    bool may_create() const {
        for (auto const& a : evidence_.access)
            if (a.need.check == "may-create" && a.allowed == false) return false;
        return true;
    }

    /// All of admission, webhooks and quotas included, and nothing is stored.
    void add_dry_run() {
        kube::write_options how;
        how.dry_run = true;
        auto const& job = *evidence_.job;
        add(request::with(request::create(job.resource(), job.metadata().namespace_, job.to_json()), how),
            evidence_.dry_run.emplace(), exists);
    }

    kube::client client_;
    preflight_options options_;
    preflight::evidence evidence_;
    std::vector<result<kube::http_request>> requests_; ///< to send next
    std::vector<take_answer> takers_;                  ///< of their answers
};

} // namespace

void training_client::preflight_(handler_of<preflight_report> handler, any_job job, preflight_options options) const {
    if (refuse_job(job, get_executor(), handler, options.detail)) return;
    kube::detail::deadline limit(options.timeout, options.detail, "preflight of a job");
    auto c = std::make_shared<collection>(client_, placed(std::move(job)), std::move(options));
    kube::detail::spawn(get_executor(), run_shared(std::move(c)), std::move(limit), std::move(handler));
}

result<preflight_report> training_client::preflight(any_job const& job, preflight_options options) const {
    return kube::detail::blocking_form<preflight_report>(
        place(), std::move(options), [&](auto h, auto o) { preflight_(std::move(h), job, std::move(o)); });
}

} // namespace kftrain
