// Tests functions of your service against the API server in this process: no network, no pods, milliseconds.
// [readme]
#include <kftrain/apiserver/api_server.hpp>
#include <kftrain/control/job_operator.hpp>
#include <kftrain/kftrain.hpp>
#include <kftrain/local/served_kinds.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/detached.hpp>

#include <cstdlib>
#include <iostream>

namespace asio = boost::asio;
namespace kube = kftrain::kube;

// The function under test: submits one job for each request, also if the request is retried.
kftrain::result<kftrain::any_job> train(kftrain::training_client jobs, std::string const& user, std::string request) {
    auto job = kftrain::pytorch_job_builder("train-" + user).image("example.com/train:1").master().workers(2).build();
    if (!job) return job.error();
    return jobs.submit(*job, kftrain::submit_options().with_idempotency_key(std::move(request)));
}

void expect(bool holds, char const* what) {
    if (holds) return;
    std::cerr << "expected: " << what << '\n';
    std::exit(1);
}

/// Sets the phase of a pod, as a kubelet does.
void set_phase(kube::api<kftrain::pod> const& pods, kftrain::pod p, std::string phase) {
    p.status.phase = std::move(phase);
    auto const write = [&](auto handler) { pods.async_replace_status(p, kube::write_options(), std::move(handler)); };
    kftrain::diagnostics detail;
    kube::run_blocking<kftrain::pod>(pods.get_executor(), detail, write).value();
}

int main() {
    asio::io_context context;
    kftrain::apiserver::api_server server(context.get_executor());
    kftrain::local::serve_job_kinds(server).value();
    kube::client const client(server.transport());
    kftrain::training_client jobs(client);

    // No operator runs yet: the server only stores the jobs.
    auto const first = train(jobs, "ada", "request-1").value();
    expect(train(jobs, "ada", "request-1").value().metadata().uid == first.metadata().uid, "one job for one request");
    expect(is_already_exists(train(jobs, "ada", "request-2").error().code), "no second job of the same name");
    expect(!train(jobs, "Ada!", "request-3"), "an invalid name is refused");

    // The operator creates pods; the test acts as their kubelet.
    kftrain::control::job_operator<kftrain::pytorch_job> op(client);
    asio::cancellation_signal stop;
    op.async_run(asio::bind_cancellation_slot(stop.slot(), asio::detached));
    auto const limit = kube::wait_options().with_timeout(std::chrono::seconds(30));
    auto const has_pods = kftrain::until::holds("pods", [](kftrain::job_state const& s) {
        return s.ranks.size() == 3 && s.ranks.back().phase != kftrain::rank_phase::absent;
    });
    jobs.wait(first, has_pods, limit).value();
    kube::api<kftrain::pod> const pods(client, "default");
    kftrain::diagnostics detail;
    auto const list = [&](auto handler) { pods.async_list(kube::list_options(), std::move(handler)); };
    auto const all =
        kube::run_blocking<kftrain::object_list<kftrain::pod>>(context.get_executor(), detail, list).value();
    for (auto const& p : all.items) set_phase(pods, p, "Succeeded");
    expect(jobs.wait(first, limit).value().phase() == kftrain::job_phase::succeeded, "the job succeeds");
    stop.emit(asio::cancellation_type::terminal);
    return 0;
}
// [readme end]
