// The same with coroutines: follows the logs while it waits for the job, with one time limit for both.
#include <kftrain/kftrain.hpp>
#include <kftrain/kube/with_diagnostics.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <iostream>

namespace asio = boost::asio;

asio::awaitable<bool> train(kftrain::training_client client, kftrain::any_job job) {
    using namespace asio::experimental::awaitable_operators;
    job = co_await client.async_submit(job);

    auto print = [](kftrain::log_line const& line) { std::cout << line.member.pod_name << ": " << line.text << '\n'; };
    auto const limit = kftrain::kube::wait_options().with_timeout(std::chrono::minutes(5));
    // Await both: the caller stops the cluster when this returns, and lines that are still under way would be lost.
    auto const token = kftrain::kube::with_diagnostics(asio::use_awaitable); // the operator && needs awaitables
    job = co_await (client.async_wait(job, limit, token) && client.async_logs(job, print, token));
    for (auto const& c : job.conditions()) std::cout << c.type << '=' << c.status << ' ' << c.message << '\n';
    co_return job.phase() == kftrain::job_phase::succeeded;
}

int report(std::exception_ptr failed) {
    try {
        std::rethrow_exception(failed);
    } catch (std::exception const& e) {
        std::cerr << e.what() << '\n';
    }
    return 2;
}

int main(int argc, char** argv) {
    auto const job = kftrain::load_job(argc > 1 ? argv[1] : "examples/manifests/pytorch_digits.yaml");
    if (!job) {
        std::cerr << job.error().to_string() << '\n';
        return 2;
    }

    asio::io_context context;
    kftrain::local::local_cluster cluster(context);
    asio::cancellation_signal stop;
    int code = 2;

    cluster.async_start([&](kftrain::error_code ec) {
        if (ec) return void(std::cerr << "no local cluster: " << ec.message() << '\n');
        cluster.async_run(asio::bind_cancellation_slot(stop.slot(), asio::detached));
        asio::co_spawn(context, train(kftrain::training_client(cluster.client()), *job),
                       [&](std::exception_ptr failed, bool succeeded) {
                           code = failed ? report(failed) : succeeded ? 0 : 1;
                           stop.emit(asio::cancellation_type::terminal);
                       });
    });
    context.run();
    return code;
}
