#ifndef KFTRAIN_SRC_CLI_RUN_RUN_OBJECTS_HPP
#define KFTRAIN_SRC_CLI_RUN_RUN_OBJECTS_HPP

#include "cli/commands.hpp"
#include "cli/run/run_checks.hpp"
#include "cli/run/run_input.hpp"

#include <kftrain/kube/client.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <set>
#include <string>
#include <vector>

// Objects beside the jobs, in a cluster that `run` starts for these jobs and no other process can reach.
namespace kftrain::cli {

namespace asio = boost::asio;

/// Operations complete with their error code beside the value.
inline constexpr auto await = asio::as_tuple(asio::use_awaitable);

/// Creates a namespace unless it exists. A failure shows when an object is created in it.
asio::awaitable<void> make_namespace(kube::client, std::string name);
/** Creates the objects beside the jobs, such as a ConfigMap that a job mounts, and their namespaces. Skips an object
    that does not fit its type, whose kind the cluster does not serve, or that the cluster refuses; returns a note with
    the place and the reason for each. */
asio::awaitable<std::vector<std::string>> create_other_objects(kube::client, std::vector<object_to_create> const&);
/** Returns the Secrets, ConfigMaps and unbound claims that the pods need and that are not there when the job is
    submitted: they never come. An object that cannot be read for another reason than its absence does not count as
    missing. */
asio::awaitable<std::set<local::named_object>> missing_objects(kube::client, prepared_job const&,
                                                               local::pod_options const& = local::pod_options());
/** Creates missing objects that the job names, such as its queue, and waits until admission accepts the job with them.
    Returns the kind and the name of each new object. Failures appear when the job is submitted. */
asio::awaitable<std::vector<std::string>> create_admission_dependencies(kube::client, prepared_job const&);

} // namespace kftrain::cli

#endif
