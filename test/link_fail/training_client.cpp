#include <kftrain/training_client.hpp>

#include <memory>

int main() {
    kftrain::kube::client const client{std::shared_ptr<kftrain::kube::transport>()};
    kftrain::training_client const jobs(client);
    return jobs.get_executor() == boost::asio::any_io_executor() ? 0 : 1;
}
