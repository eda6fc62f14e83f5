// The same with coroutines: the logs are followed while the job is waited for, and all of it has a time limit.
#include <kftrain/kftrain.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <iostream>

namespace asio = boost::asio;

asio::awaitable<bool> train(kftrain::training_client client, kftrain::any_job job) {
    kftrain::diagnostics why;
    job = co_await client.async_submit(job, kftrain::kube::call_options().with_detail(why), asio::use_awaitable);

    auto print = [](kftrain::log_line const& line) { std::cout << line.member.pod_name << ": " << line.text << '\n'; };
    client.async_logs(job, print, kftrain::job_log_options(), asio::detached);

    auto const limit = kftrain::kube::wait_options().with_timeout(std::chrono::minutes(5)).with_detail(why);
    job = co_await client.async_wait(job, limit, asio::use_awaitable);
    for (auto const& c : job.conditions()) std::cout << c.type << '=' << c.status << ' ' << c.message << '\n';
    co_return job.phase() == kftrain::job_phase::succeeded;
}

int main(int argc, char** argv) {
    auto const job = kftrain::load_job(argc > 1 ? argv[1] : "examples/manifests/pytorch_digits.yaml").value();

    asio::io_context context;
    kftrain::local::local_cluster cluster(context);
    asio::cancellation_signal stop;
    bool succeeded = false;

    cluster.async_start([&](kftrain::error_code ec) {
        if (ec) return void(std::cerr << "no local cluster: " << ec.message() << '\n');
        cluster.async_run(asio::bind_cancellation_slot(stop.slot(), asio::detached));
        asio::co_spawn(context, train(kftrain::training_client(cluster.client()), job),
                       [&](std::exception_ptr e, bool ok) {
                           succeeded = !e && ok;
                           stop.emit(asio::cancellation_type::terminal);
                       });
    });
    context.run();
    return succeeded ? 0 : 1;
}
