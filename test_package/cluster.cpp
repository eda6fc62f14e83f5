// A local cluster with its sandbox helper, a client of it, and the umbrella header.
#include <kftrain/kftrain.hpp>

#include <iostream>

int main() {
    boost::asio::io_context context;
    kftrain::local::local_cluster cluster(context);
    cluster.start().value();
    kftrain::training_client const jobs(cluster.client());
    auto const list = jobs.list().value();
    std::cout << "a local cluster has " << list.items.size() << " jobs\n";
    cluster.stop();
    return list.items.empty() ? 0 : 1;
}
