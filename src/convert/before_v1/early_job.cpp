#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include "convert/before_v1/early_job.hpp"

#include "base/ascii.hpp"

#include <kftrain/model/reflect.hpp>

#include <algorithm>

namespace kftrain::convert {

KFTRAIN_TABLE(early_policy_fields)
KFTRAIN_TABLE(chief_v1alpha1)
KFTRAIN_TABLE(termination_policy_v1alpha1)

bool has_early_policy(document& text) { return has_form<early_policy_fields>(text); }

void convert_cleaning(std::string const& given, kubeflow_v1::run_policy& policy, change_list& changes) {
    policy.clean_pod_policy = given.empty() ? "All" : given;
    changes.changed("spec.cleanupPodPolicy", given.empty() ? std::string(absent) : json_text(given),
                    "spec.runPolicy.cleanPodPolicy",
                    given.empty() ? "The default was All and is now None." : "The field is now in runPolicy.");
}

result<std::string_view> type_of_set(set_types const& types, std::size_t number, std::string_view field,
                                     std::string_view type, std::optional<std::int32_t> replicas,
                                     kubeflow_v1::replica_spec_map const& made) {
    auto const path = set_path(number);
    auto const known = std::ranges::find(types, type, &set_type::old_name);
    if (known == types.end())
        return refused_field(path + "." + std::string(field),
                             "is " + json_text(type) + ", expected " + std::string(types[0].old_name) + ", " +
                                 std::string(types[1].old_name) + " or " + std::string(types[2].old_name));
    if (made.contains(known->name))
        return refused_field(path, "is a second set of type " + std::string(type) + ", expected one set of each type");
    if (known == types.begin() && replicas.value_or(1) != 1)
        return refused_field(path + ".replicas", "is " + std::to_string(*replicas) +
                                                     ", expected 1: the operator rejects more than one " +
                                                     to_lower(type));
    return known->name;
}

void convert_scheduler(std::string const& scheduler, core::pod_spec& pod, std::string const& path,
                       std::string const& to, change_list& changes) {
    if (!pod.scheduler_name.empty() && pod.scheduler_name != scheduler)
        changes.changed(path, json_text(pod.scheduler_name), "",
                        "The operator replaced this value by the schedulerName of the job, even if that was empty.");
    if (!scheduler.empty())
        changes.changed("spec.schedulerName", json_text(scheduler), to, "Each template now names the scheduler.");
    pod.scheduler_name = scheduler;
}

void convert_port(set_port const& kind, std::optional<std::int32_t> given, core::pod_spec& pod, std::string const& path,
                  std::string const& to, change_list& changes) {
    auto const field = path + "." + std::string(kind.field);
    auto const value = given ? std::to_string(*given) : std::string(absent);
    auto const port = given.value_or(kind.standard);
    auto const main = std::ranges::find(pod.containers, kind.container, &core::container::name);
    if (main == pod.containers.end()) return;
    auto& ports = main->ports;
    auto named = std::ranges::find(ports, kind.name, &core::container_port::name);
    if (named == ports.end()) {
        named = std::ranges::find(ports, port, &core::container_port::container_port_);
        if (named == ports.end() && port == kind.standard) {
            if (given) changes.changed(field, value, "", "This port is now the default.");
            return;
        }
        if (named == ports.end()) named = ports.emplace(ports.end());
    }
    auto const place = ".template.spec.containers[" + std::to_string(main - pod.containers.begin()) + "].ports[" +
                       std::to_string(named - ports.begin()) + "]";
    auto const owner = std::string(kind.owner);
    if (!named->name.empty() && named->name != kind.name)
        changes.approximated(path + place + ".name", json_text(named->name), to + place + ".name",
                             "The port of " + owner + " must now have this name.");
    if (named->name == kind.name && named->container_port_ != port)
        changes.approximated(path + place + ".containerPort", std::to_string(named->container_port_),
                             to + place + ".containerPort", "The port with this name is the port of " + owner + ".");
    named->name = kind.name;
    named->container_port_ = port;
    changes.changed(field, value, to + place,
                    "The port of " + owner + " is now the port with this name in its container.");
}

} // namespace kftrain::convert
