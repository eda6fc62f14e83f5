// Follows jobs: changes as they come, a wait for a state, and why a job failed. All of it on the cluster in this process.
// [readme]
#include <kftrain/kftrain.hpp>
#include <kftrain/kube/with_diagnostics.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_awaitable.hpp>

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
    auto const token = kftrain::kube::with_diagnostics(asio::use_awaitable);
    // Both jobs, and any number more, by one stream for the jobs of a kind and one for their pods.
    auto changes = jobs.watch(kftrain::job_watch_options().with_kind<kftrain::pytorch_job>());
    auto const good = co_await jobs.async_submit(shell_job("good", "sleep 1"), token);
    auto const bad = co_await jobs.async_submit(shell_job("bad", "echo no data; exit 3"), token);

    auto const limit = kftrain::kube::wait_options().with_timeout(std::chrono::minutes(1));
    co_await jobs.async_wait(good, until::all_ranks_ready() || until::finished(), limit, token);
    for (bool failed = false; !failed;) {
        auto const change = co_await changes.async_next(token);
        std::cout << change.state.job.name << ": " << change.state.to_string() << '\n';
        failed = change.state.phase == kftrain::job_phase::failed;
    }
    auto const why = co_await jobs.async_explain(bad, kftrain::explain_options(), token);
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
