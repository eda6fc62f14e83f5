// Follows jobs on a cluster in this process: prints changes, waits for a state, and explains why a job failed.
// [readme]
#include <kftrain/kftrain.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>

#include <iostream>

namespace asio = boost::asio;
namespace until = kftrain::until;

kftrain::any_job shell_job(std::string name, std::string script) {
    return kftrain::pytorch_job_builder(std::move(name))
        .image("none")
        .command({"sh", "-c", std::move(script)})
        .restart_policy(kftrain::restart::never)
        .master()
        .workers(2)
        .build()
        .value();
}

asio::awaitable<int> work(kftrain::training_client jobs) {
    // One watch follows all jobs of the kind, and one their pods.
    auto changes = jobs.watch(kftrain::job_watch_options().with_kind<kftrain::pytorch_job>());
    auto const good = co_await jobs.async_submit(shell_job("good", "sleep 1"));
    auto const bad = co_await jobs.async_submit(shell_job("bad", "echo no data; exit 3"));

    auto const limit = kftrain::kube::wait_options().with_timeout(std::chrono::minutes(1));
    co_await jobs.async_wait(good, until::all_ranks_ready() || until::finished(), limit);
    for (bool failed = false; !failed;) {
        auto const change = co_await changes.async_next();
        std::cout << change.state.job.name << ": " << change.state.to_string() << '\n';
        failed = change.state.phase == kftrain::job_phase::failed;
    }
    auto const why = co_await jobs.async_explain(bad);
    std::cout << why.causes.front().summary << '\n';
    co_return why.causes.front().code.value_or(0) == 3 ? 0 : 1;
}

int main() {
    asio::io_context context;
    kftrain::local::local_cluster cluster(context);
    cluster.start().value();
    int code = 2;
    auto const done = [&](std::exception_ptr failed, int outcome) {
        if (!failed) code = outcome;
        context.stop();
    };
    asio::co_spawn(context, work(kftrain::training_client(cluster.client())), done);
    context.run();
    return code;
}
// [readme end]
