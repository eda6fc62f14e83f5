#ifndef KFTRAIN_SRC_CLI_RUN_OBJECTS_HPP
#define KFTRAIN_SRC_CLI_RUN_OBJECTS_HPP

#include "cli/commands.hpp"
#include "cli/run_checks.hpp"

#include <kftrain/kube/client.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <set>
#include <string>
#include <vector>

// Objects beside the job, in a cluster that `run` starts for this job and nobody else can reach.
namespace kftrain::cli {

namespace asio = boost::asio;

/// Operations complete with their error code beside the value.
inline constexpr auto await = asio::as_tuple(asio::use_awaitable);

/// Makes the namespace of the job. A failure shows when the job is submitted.
asio::awaitable<void> make_namespace(kube::client, any_job const&);
/** Creates the objects beside the job, such as a ConfigMap that it mounts. Skips an object that does not fit its type
    or that the cluster refuses; returns a note with the reason for each. */
asio::awaitable<std::vector<std::string>> create_other_objects(kube::client, other_documents const&);
/** Returns the Secrets and ConfigMaps that the pods need and that are not there when the job is submitted: they never
    come. An object that cannot be read for another reason than its absence does not count as missing. */
asio::awaitable<std::set<named_object>> missing_objects(kube::client, any_job const&);
/** Makes the objects that the job names, such as its queue, and waits until admission accepts the job with them. Returns the kind and
    name of what it made. A failure shows when the job is submitted. */
asio::awaitable<std::vector<std::string>> create_admission_dependencies(kube::client, any_job const&);

} // namespace kftrain::cli

#endif
