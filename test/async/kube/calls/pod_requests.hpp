#ifndef KFTRAIN_TEST_ASYNC_KUBE_CALLS_POD_REQUESTS_HPP
#define KFTRAIN_TEST_ASYNC_KUBE_CALLS_POD_REQUESTS_HPP

#include "async/probe.hpp"

#include <kftrain/objects/core.hpp>

namespace pod_requests {

using namespace kftrain;
namespace request = kftrain::kube::request;

inline std::string const target = "/api/v1/namespaces/d/pods/a";
inline auto get() { return request::get(pod::resource, "d", "a"); }
inline auto create() { return request::create(pod::resource, "d", "{}"); }

} // namespace pod_requests

#endif
