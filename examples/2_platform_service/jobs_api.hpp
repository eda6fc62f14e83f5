// The requests about jobs, and what they do with the client of the library. README.md lists them.
#ifndef EXAMPLE_JOBS_API_HPP
#define EXAMPLE_JOBS_API_HPP

#include "http_server.hpp"

#include <kftrain/kube/discovery.hpp>
#include <kftrain/training_client.hpp>

namespace service {

/// It keeps no state: all state is in the cluster.
class jobs_api {
public:
    explicit jobs_api(kftrain::training_client jobs) : jobs_(std::move(jobs)), served_(jobs_.get_client()) {}

    asio::awaitable<answer> handle(http_request const& request);
    /// The method and the path of a request, with a star for KIND/NAMESPACE/NAME; `other` for unknown ones.
    static std::string route_name(http_request const& request);
    /// Whether the cluster answers.
    asio::awaitable<bool> is_ready();

private:
    asio::awaitable<answer> dispatch(http_request const& request);

    kftrain::training_client jobs_;
    kftrain::kube::discovery served_; ///< the kinds that the cluster serves, read once in a while
};

} // namespace service

#endif
