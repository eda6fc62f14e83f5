// An operator and its work queue, without a cluster.
#include <kftrain/control/job_operator.hpp>
#include <kftrain/control/operator_metrics.hpp>
#include <kftrain/control/work_queue.hpp>
#include <kftrain/kinds/jax_job.hpp>
#include <kftrain/kube/https_transport.hpp>

#include <boost/asio/io_context.hpp>

#include <iostream>

int main() {
    kftrain::control::work_queue queue;
    queue.add("default/first");
    if (queue.take(std::chrono::steady_clock::now()) != "default/first") return 1;

    boost::asio::io_context context;
    kftrain::kube::config config;
    config.server = "https://127.0.0.1:1";
    auto const transport = kftrain::kube::make_https_transport(context.get_executor(), config);
    if (!transport) return 1;
    kftrain::control::job_operator<kftrain::jax_job> const jobs((kftrain::kube::client(*transport)));
    auto const text = kftrain::control::prometheus_text({jobs.metrics()});
    std::cout << text.substr(0, text.find('\n')) << '\n';
    return text.find("JAXJob") != text.npos ? 0 : 1;
}
