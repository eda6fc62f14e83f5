#include "job/v1/lint/lint_rules.hpp"
#include "job/v1/lint/lint_table.hpp"

#include <algorithm>
#include <map>

namespace kftrain::kubeflow_v1 {
namespace {

/// The service has the ports without their protocols, so two protocols of one number collide.
void lint_service(core::container const& c, std::string const& path, replica_constants const& constants,
                  issues& found) {
    std::map<std::int32_t, std::size_t> numbers;
    for (std::size_t i = 0; i < c.ports.size(); ++i) {
        auto const& port = c.ports[i];
        std::string const at = path + ".ports[" + std::to_string(i) + "]";
        if (port.name.empty() && c.ports.size() > 1)
            report(found, lint::service_ports, at,
                   "port " + std::to_string(port.container_port_) +
                       " has no name, expected one because the operator adds the port " +
                       std::string(constants.port_name));
        auto const [it, added] = numbers.emplace(port.container_port_, i);
        if (!added)
            report(found, lint::service_ports, at,
                   "number " + std::to_string(port.container_port_) + " is also the number of port " +
                       in_quotes(c.ports[it->second].name) + ", expected distinct numbers");
    }
}

/// A name that the author of a rendezvous port may choose.
bool is_meant_for_training(std::string_view name) {
    for (std::string_view const part :
         {"master", "torch", "tfjob", "xgb", "jax", "rdzv", "rendezvous", "dist", "nccl", "job"})
        if (name.find(part) != name.npos) return true;
    return false;
}

/// Looks at the ports as written, because the defaults add the one of the framework.
void lint_port_name(core::container const& written, std::string const& path, replica_constants const& constants,
                    issues& found) {
    auto const is_known = [&](core::container_port const& port) { return port.name == constants.port_name; };
    if (std::ranges::any_of(written.ports, is_known)) return;
    for (std::size_t i = 0; i < written.ports.size(); ++i) {
        auto const& port = written.ports[i];
        if (!is_meant_for_training(port.name) || port.container_port_ == constants.port) continue;
        return report(found, lint::port_name, path + ".ports[" + std::to_string(i) + "].name",
                      in_quotes(port.name) + " is not the port of the framework, which remains " +
                          std::to_string(constants.port) + "; expected the name " + std::string(constants.port_name));
    }
}

/// Whether the reference names no fixed content: no digest, and no tag or `latest`.
bool moves(std::string_view image) {
    if (image.empty() || image.find('@') != std::string_view::npos) return false;
    auto const slash = image.rfind('/');
    std::string_view const last = slash == std::string_view::npos ? image : image.substr(slash + 1);
    auto const colon = last.find(':');
    return colon == std::string_view::npos || last.substr(colon + 1) == "latest";
}

} // namespace

void lint_containers(replica_job const& written, replica_job const& job, std::string_view type, issues& found) {
    auto const& spec = job.spec_of(type)->template_.spec;
    auto const look_at = [&](std::vector<core::container> const& list, std::string_view field) {
        for (std::size_t i = 0; i < list.size(); ++i) {
            auto const& c = list[i];
            std::string const path = container_path(job, type, i, field);
            if (moves(c.image))
                report(found, lint::moving_image, path + ".image",
                       in_quotes(c.image) + ", expected a fixed tag or a digest");
        }
    };
    look_at(spec.init_containers, "initContainers");
    look_at(spec.containers, "containers");

    auto const trains = [&](core::container const& c) { return c.name == job.constants.container; };
    auto const training = std::find_if(spec.containers.begin(), spec.containers.end(), trains);
    if (training == spec.containers.end()) return; // admission refuses it
    auto const index = static_cast<std::size_t>(training - spec.containers.begin());
    if (!job.constants.own_members) lint_service(*training, container_path(job, type, index), job.constants, found);
    auto const* const as_written = written.spec_of(type);
    if (!job.constants.port_name.empty() && as_written != nullptr &&
        index < as_written->template_.spec.containers.size())
        lint_port_name(as_written->template_.spec.containers[index], container_path(job, type, index), job.constants,
                       found);
    for (std::size_t i = 0; i < spec.containers.size(); ++i)
        if (!trains(spec.containers[i]))
            report(found, lint::sidecar, container_path(job, type, i),
                   "container " + in_quotes(spec.containers[i].name) + " must end before the pod of " +
                       in_quotes(training->name) + " counts as finished");
}

} // namespace kftrain::kubeflow_v1
