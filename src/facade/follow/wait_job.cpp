#include "facade/follow/job_waiter.hpp"
#include "facade/job_handlers.hpp"
#include "facade/refuse_job.hpp"
#include "kube/async/blocking_form.hpp"
#include "kube/async/operation.hpp"
#include "kube/calls/client_core.hpp"

#include <kftrain/kube/request.hpp>
#include <kftrain/kube/then_complete.hpp>
#include <kftrain/training_client.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>

#include <algorithm>
#include <chrono>

namespace kftrain {
namespace {

namespace asio = boost::asio;
namespace request = kube::request;

constexpr std::chrono::steady_clock::duration least_patience = std::chrono::milliseconds(500);
constexpr std::chrono::steady_clock::duration most_patience = std::chrono::seconds(30);

/// Most waits need nothing else: what is waited for is there already, or the job is not.
asio::awaitable<void> read_once(std::shared_ptr<job_waiter> w) {
    auto const& job = w->job();
    kube::detail::call_report report;
    auto r = request::get(*job.kind->primary().info, job.namespace_, job.name);
    w->note_known();
    auto answer = co_await kube::detail::call(w->client(), std::move(r), kube::call_options(), report);
    auto const ec = std::get<0>(answer);
    if (is_not_found(ec)) {
        w->take_answer(nullptr);
    } else if (ec) {
        w->take_no_answer(ec, report.detail);
    } else {
        auto const object = job.kind->primary().decode(std::get<1>(answer));
        if (object)
            w->take_answer(*object);
        else
            w->give_up(object.error().code, object.error().detail);
    }
}

/// A feed that was behind in its last report may not report again, as after a list: the waiter checks it again, and the
/// server, too.
asio::awaitable<void> listen(std::shared_ptr<job_waiter> w) {
    w->follow();
    auto patience = least_patience;
    while (!w->is_over() && !w->is_denied()) {
        if (w->is_behind())
            w->wake().expires_after(patience);
        else
            w->wake().expires_at(asio::steady_timer::time_point::max());
        error_code woken; // cancelled when there is something to see
        co_await w->wake().async_wait(asio::redirect_error(asio::use_awaitable, woken));
        if (woken || !w->is_behind()) continue;
        patience = std::min<std::chrono::steady_clock::duration>(2 * patience, most_patience);
        co_await read_once(w);
        if (!w->is_over()) w->listen_again();
    }
}

/// A caller without permission to list all jobs may be allowed to watch this one.
asio::awaitable<void> watch_alone(std::shared_ptr<job_waiter> w) {
    auto why = std::make_shared<diagnostics>();
    kube::wait_options options;
    options.detail = why.get();
    auto done = [w](erased_object const& object) { return w->see(object); };
    auto begin = [w, done, options](kube::any_handler<void(error_code, erased_object)> h) {
        auto const& job = w->job();
        kube::detail::start_wait(std::move(h), w->client(), job.namespace_, job.name, job.kind->primary(), done,
                                 options);
    };
    auto const executor = w->client().get_executor();
    auto outcome = co_await kube::detail::initiate<void(error_code, erased_object)>(
        executor, asio::as_tuple(asio::use_awaitable), std::move(begin));
    auto const ec = std::get<0>(outcome);
    if (ec) w->give_up(ec, *why);
}

asio::awaitable<erased_object> wait_for_job(std::shared_ptr<job_waiter> w) {
    co_await read_once(w);
    if (!w->is_over()) co_await listen(w);
    if (!w->is_over()) co_await watch_alone(w);
    if (w->outcome()) kube::detail::fail(w->outcome());
    co_return w->result();
}

/// Body of training_client::async_wait(), of a job with its namespace.
void wait_job(job_handler handler, std::shared_ptr<detail::job_board> board, job_reference job,
              wait_condition condition, kube::wait_options options) {
    auto const executor = board->client.get_executor();
    auto* const detail = options.detail;
    if (detail != nullptr) *detail = diagnostics();
    if (job.uid.empty()) job.uid = std::move(options.uid);
    auto const& kind = *job.kind;
    auto what = "wait for " + job.to_string() + " (" + condition.what() + "): not complete after " +
                std::to_string(options.timeout.count()) + " ms";
    auto w = std::make_shared<job_waiter>(std::move(board), std::move(job), std::move(condition));
    auto deliver = [w, &kind, detail, what = std::move(what)](job_handler h, error_code ec,
                                                              erased_object const& object) {
        if (detail != nullptr && ec == errc::timeout) detail->message = what + w->last_state_text();
        if (detail != nullptr && ec && ec == w->outcome()) *detail = w->why();
        std::move(h)(ec, object ? any_job(kind, object.get()) : any_job());
    };
    auto then = kube::detail::then_complete(std::move(handler), std::move(deliver));
    kube::detail::deadline const limit(options.timeout, nullptr, {});
    auto body = wait_for_job(std::move(w));
    kube::detail::spawn(executor, std::move(body), limit,
                        kube::any_handler<void(error_code, erased_object)>(std::move(then)));
}

} // namespace

void training_client::wait_(job_handler handler, job_reference job, wait_condition condition,
                            kube::wait_options options) const {
    if (refuse_job(job, get_executor(), handler, options.detail)) return;
    wait_job(std::move(handler), board_, placed(std::move(job)), std::move(condition), std::move(options));
}

result<any_job> training_client::wait(job_reference const& job, wait_condition condition,
                                      kube::wait_options options) const {
    return kube::detail::blocking_form<any_job>(place(), std::move(options), [&](auto h, auto o) {
        wait_(std::move(h), job, std::move(condition), std::move(o));
    });
}

result<any_job> training_client::wait(job_reference const& job, kube::wait_options options) const {
    return wait(job, until::finished(), std::move(options));
}

} // namespace kftrain
