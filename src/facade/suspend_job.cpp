#include "facade/suspend_job.hpp"

#include "facade/change_job.hpp"

#include <kftrain/job/job_rules.hpp>

namespace kftrain {

void suspend_job(job_handler handler, kube::client client, job_reference job, bool on, kube::call_options options) {
    shared_deadline const time(std::move(options));
    auto decide = [on](any_job const& now) { return now.rules().suspended(now.get(), on); };
    auto what = (on ? "suspension of " : "resumption of ") + job.to_string();
    auto change = change_job(client, std::move(job), std::move(decide), time);
    start_change(std::move(handler), client, std::move(what), time, std::move(change));
}

} // namespace kftrain
