#ifndef KFTRAIN_TEST_UNIT_CONVERT_CHANGE_LINES_HPP
#define KFTRAIN_TEST_UNIT_CONVERT_CHANGE_LINES_HPP

#include <kftrain/convert/mpi_job.hpp>
#include <kftrain/model/codec.hpp>

#include <algorithm>
#include <string>
#include <vector>

/// The changes of conversions as text, and MPIJobs to convert.
namespace convert_sample {

using namespace kftrain;
using lines = std::vector<std::string>;

/// Returns lines such as `dropped spec.x 1 -> spec.y`, with `-` for an absent value. Leaves out apiVersion, which each
/// conversion of an MPIJob reports.
inline lines change_lines(std::vector<convert::change> const& changes) {
    lines all;
    for (auto const& c : changes) {
        if (c.path == "apiVersion") continue;
        std::string line(convert::to_string(c.becomes));
        line += " " + c.path + " " + (c.value.text.empty() ? "-" : c.value.text);
        if (!c.result_path.empty()) line += " -> " + c.result_path;
        all.push_back(std::move(line));
    }
    return all;
}

/// The same for a successful conversion.
template <class Job> lines change_lines(result<convert::converted<Job>> const& made) {
    return change_lines(made.value().changes);
}

template <class Job> std::string refusal(result<convert::converted<Job>> const& made) {
    return made ? "none" : made.error().code.message() + " | " + made.error().to_string();
}

inline std::string text_of(std::string const& spec, std::string const& launcher, std::string const& worker) {
    return "metadata: {name: hvd, namespace: team}\nspec:\n" + spec + "  mpiReplicaSpecs:\n    Launcher: {" + launcher +
           "}\n" + (worker.empty() ? "" : "    Worker: {" + worker + "}\n");
}

inline std::string const one_pod = "template: {spec: {containers: [{name: mpi, image: 'i:1'}]}}";
inline std::string const two_workers = "replicas: 2, " + one_pod;

/// Jobs `hvd` with these lines of their spec, each indented by two, and these fields of their replicas.
inline kubeflow_v1::mpi_job v1_job(std::string const& spec = "", std::string const& launcher = one_pod,
                                   std::string const& worker = two_workers) {
    return from_yaml<kubeflow_v1::mpi_job>(text_of(spec, launcher, worker)).value();
}
inline kubeflow_v2beta1::mpi_job v2beta1_job(std::string const& spec = "", std::string const& launcher = one_pod,
                                             std::string const& worker = two_workers) {
    return from_yaml<kubeflow_v2beta1::mpi_job>(text_of(spec, launcher, worker)).value();
}

/// Whether the lines contain a line.
inline bool has(lines const& all, std::string const& line) { return std::ranges::find(all, line) != all.end(); }

} // namespace convert_sample

#endif
