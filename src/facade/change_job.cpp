#include "facade/change_job.hpp"

#include "facade/job_operation.hpp"
#include "facade/read_jobs.hpp"
#include "kube/calls/client_state.hpp"

#include <kftrain/base/backoff.hpp>
#include <kftrain/job/job_rules.hpp>
#include <kftrain/kube/request.hpp>

#include <boost/system/system_error.hpp>

namespace kftrain {
namespace {

namespace asio = boost::asio;
namespace request = kube::request;

/// The number of attempts if each one ends in a conflict.
constexpr int most_changes = 8;

/// The request that carries out a write.
struct request_of_write {
    using made = result<kube::http_request>;

    made operator()(rules::patch const& p) const {
        auto const send = p.part == rules::subresource::status ? &request::patch_status : &request::patch;
        return send(*p.of.type, p.of.namespace_, p.of.name, kube::patch_body(p.type, p.text));
    }
    made operator()(rules::create const& c) const {
        return request::create(c.object.resource(), c.object.metadata().namespace_, c.object.to_json());
    }
};

/// Whether the response to the write is the job.
bool changes(rules::job_write const& a, any_job const& job) {
    auto const* const p = std::get_if<rules::patch>(&a);
    return p != nullptr && p->of.type == &job.resource() && p->of.name == job.metadata().name;
}

asio::awaitable<any_job> timed(asio::awaitable<any_job> change, std::string what, kube::call_options options) {
    try {
        auto job = co_await std::move(change);
        co_return job;
    } catch (boost::system::system_error const& e) {
        if (e.code() == errc::timeout && options.detail != nullptr) {
            auto& message = options.detail->message;
            message = what + ": not complete after " + std::to_string(options.timeout.count()) + " ms" +
                      (message.empty() ? "" : "; ") + message;
        }
        throw;
    }
}

} // namespace

asio::awaitable<any_job> change_job(kube::client client, job_reference job, decide_change decide, shared_deadline time,
                                    await_readiness ready) {
    auto* const detail = time.options().detail;
    backoff rests(std::chrono::milliseconds(10), std::chrono::milliseconds(500));
    for (int changes_tried = 1;; ++changes_tried) {
        any_job read = co_await await_job(client, job, time.next());
        auto now = prepared_job::stored(std::move(read));
        bool waited = false;
        if (ready) waited = co_await ready(now);
        if (waited) {
            any_job again = co_await await_job(client, job, time.next());
            now = prepared_job::stored(std::move(again));
        }
        auto const action = decide(now);
        if (!action) fail_with(action.error(), detail);
        auto r = std::visit(request_of_write(), *action);
        if (!r) fail_with(r.error(), detail);
        kube::detail::call_report report;
        auto answer = co_await kube::detail::call(client, std::move(r), time.next(), report);
        error_code const ec = std::get<0>(answer);
        if (!ec && !changes(*action, *now)) co_return *now;
        if (!ec) {
            auto written = decode_job(*job.kind, std::get<1>(answer));
            if (written) co_return *written;
            failure unreadable = written.error();
            unreadable.detail.message.insert(0, "the job was changed, but the answer cannot be read: ");
            fail_with(unreadable, detail);
        }
        auto const rest = rests.next(0.5 + 0.5 * kube::detail::state_of(client).jitter());
        if (!is_conflict(ec) || changes_tried == most_changes || !time.leaves(rest)) kube::detail::fail(ec);
        kube::detail::timer timer(client.get_executor(), rest);
        co_await timer.async_wait(asio::use_awaitable);
    }
}

void start_change(job_handler handler, kube::client const& client, std::string what, shared_deadline const& time,
                  asio::awaitable<any_job> change) {
    kube::detail::spawn(client.get_executor(), timed(std::move(change), std::move(what), time.options()),
                        kube::detail::deadline(), std::move(handler), kube::detail::unclean_cancellation);
}

} // namespace kftrain
