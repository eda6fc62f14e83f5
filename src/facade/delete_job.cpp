#include "base/joined.hpp"
#include "facade/job_arguments.hpp"
#include "facade/job_operation.hpp"
#include "facade/shared_deadline.hpp"
#include "kube/answers/undecodable_object.hpp"
#include "kube/async/blocking_form.hpp"
#include "kube/calls/client_state.hpp"

#include <kftrain/job/job_rules.hpp>
#include <kftrain/kube/request.hpp>
#include <kftrain/kube/wait.hpp>
#include <kftrain/training_client.hpp>

#include <boost/asio/as_tuple.hpp>

namespace kftrain {
namespace {

namespace asio = boost::asio;
namespace request = kube::request;

class removal {
public:
    removal(kube::client c, job_reference j, job_delete_options o)
        : client_(std::move(c)), job_(std::move(j)), options_(std::move(o)), time_(client_, options_.common()) {}

    asio::awaitable<void> run() {
        kube::delete_options how;
        how.propagation_policy = options_.foreground ? kube::propagation::foreground : kube::propagation::background;
        how.precondition_uid = job_.uid;
        auto const& type = job_.kind->primary();
        kube::detail::call_report report;
        auto r = request::remove(*type.info, job_.namespace_, job_.name, how);
        auto answer = co_await kube::detail::call(client_, std::move(r), options_.common(), report);
        if (auto const ec = std::get<0>(answer)) kube::detail::fail(ec);
        if (!options_.wait) co_return;
        note_uid(std::get<1>(answer));
        auto const gone = co_await absence();
        if (gone) {
            if (gone == errc::timeout) name_finalizers();
            kube::detail::fail(gone);
        }
    }

private:
    /// A server that keeps the job for its finalizers answers with it; else with a Status that names it.
    void note_uid(std::string const& answer) {
        if (auto const status = from_json<meta::api_status>(answer); status && status->details) {
            if (job_.uid.empty()) job_.uid = status->details->uid;
            return;
        }
        auto left = kube::detail::read_undecodable(*job_.kind->primary().info, answer, failure());
        if (left.name != job_.name) return;
        if (job_.uid.empty()) job_.uid = std::move(left.uid);
        finalizers_ = std::move(left.finalizers);
    }

    asio::awaitable<error_code> absence() {
        kube::wait_options wait;
        wait.detail = options_.detail;
        wait.timeout = time_.left();
        auto const* const type = &job_.kind->primary();
        auto gone = [this, type, uid = job_.uid](erased_object const& object) {
            if (object == nullptr) return true;
            auto const& m = type->metadata(object.get());
            if (!uid.empty() && m.uid != uid) return true;
            finalizers_ = m.finalizers;
            return false;
        };
        auto const executor = client_.get_executor();
        auto begin = [this, type, gone, wait](kube::any_handler<void(error_code, erased_object)> h) {
            kube::detail::start_wait(std::move(h), client_, job_.namespace_, job_.name, *type, gone, wait,
                                     kube::detail::undecodable_handling::use_metadata);
        };
        auto outcome = co_await kube::detail::initiate<void(error_code, erased_object)>(
            executor, asio::as_tuple(asio::use_awaitable), std::move(begin));
        co_return std::get<0>(outcome);
    }

    void name_finalizers() const {
        if (options_.detail == nullptr || finalizers_.empty()) return;
        options_.detail->message += "; the deletion waits for its finalizers " + joined(finalizers_, ", ");
    }

    kube::client client_;
    job_reference job_;
    job_delete_options options_;
    shared_deadline time_;
    std::vector<std::string> finalizers_; ///< as last read
};

} // namespace

void training_client::delete_(plain_handler handler, job_reference job, job_delete_options options) const {
    if (refuse_job(job, get_executor(), handler, options.detail)) return;
    auto r = std::make_shared<removal>(client_, placed(std::move(job)), std::move(options));
    kube::detail::spawn(get_executor(), run_shared(std::move(r)), kube::detail::deadline(), std::move(handler),
                        kube::detail::unclean_cancellation);
}

result<void> training_client::delete_job(job_reference const& job, job_delete_options options) const {
    return kube::detail::blocking_form<void>(place(), std::move(options),
                                             [&](auto h, auto o) { delete_(std::move(h), job, std::move(o)); });
}

} // namespace kftrain
