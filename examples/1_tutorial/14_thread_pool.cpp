// Several threads of a service use one client: it works on a thread of its own, and the others start its operations.
// [readme]
#include <kftrain/apiserver/api_server.hpp>
#include <kftrain/kftrain.hpp>
#include <kftrain/local/served_kinds.hpp>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>

#include <atomic>
#include <iostream>
#include <thread>

namespace asio = boost::asio;

int main() {
    asio::io_context context;
    kftrain::apiserver::api_server server(context.get_executor());
    kftrain::local::serve_job_kinds(server).value();
    kftrain::kube::client const client(server.transport());
    kftrain::training_client const jobs(client.thread_safe()); // any thread may use this one

    auto work = asio::make_work_guard(context);
    std::thread network([&] { context.run(); }); // the one thread on which the client works

    std::atomic<int> submitted = 0;
    asio::thread_pool http(8); // as the handlers of an HTTP server
    for (int i = 0; i < 32; ++i)
        asio::post(http, [&, i] {
            auto const job =
                kftrain::pytorch_job_builder("job-" + std::to_string(i)).image("example.com/train:1").master().build();
            if (jobs.submit(job.value())) ++submitted;
        });
    http.join();

    work.reset();
    network.join();
    std::cout << submitted << " jobs submitted by 8 threads\n";
    return submitted == 32 ? 0 : 1;
}
// [readme end]
