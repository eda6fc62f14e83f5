#ifndef KFTRAIN_SRC_OBJECTS_POD_VALIDATION_CHECKS_HPP
#define KFTRAIN_SRC_OBJECTS_POD_VALIDATION_CHECKS_HPP

#include "base/is_one_of.hpp"
#include "model/json/go_text.hpp"
#include "model/schema/field_faults.hpp"

#include <kftrain/objects/core/pod_spec.hpp>

#include <algorithm>
#include <map>
#include <string_view>

// Common parts of the sources of model/pod_validation.hpp. Each function checks one part of a pod.
namespace kftrain::pod_checks {

/// Volumes that are in order, by name: mounts may refer to these only.
using volume_map = std::map<std::string_view, core::volume const*>;

/// The parts of a pod that the checks of its containers need.
struct surroundings {
    core::pod_spec const& spec;
    volume_map const& volumes;
};

// containers.cpp
void check_containers(surroundings const&, field_path const& spec, field_faults&);
void check_init_containers(surroundings const&, field_path const& spec, field_faults&);
/// Blanks around the images of containers, which pods may not have and templates may.
void check_images(std::vector<core::container> const&, std::string_view list, field_path const& spec, field_faults&);

// environment.cpp
void check_environment(core::container const&, field_path const& at, field_faults&);
void check_field_reference(core::object_field_selector const&, bool of_volume, field_path const& at, field_faults&);
void check_resource_reference(core::resource_field_selector const&, bool of_volume, field_path const& at,
                              field_faults&);

// volumes.cpp
volume_map check_volumes(core::pod_spec const&, std::string_view pod_name, field_path const& spec, field_faults&);
void check_mounts(core::container const&, volume_map const&, field_path const& at, field_faults&);
void check_no_backsteps(std::string_view path, std::string const& field, field_faults&);
void check_descending(std::string_view path, std::string const& field, field_faults&);
/// Descending, and not reserved: `..data` is the kubelet's.
void check_unreserved(std::string_view path, std::string const& field, field_faults&);

// resources.cpp
void check_resources(resource_list const& limits, resource_list const& requests, field_path const& at, field_faults&);

// scheduling.cpp
void check_affinity(core::affinity const&, field_path const& at, field_faults&);
void check_label_selector(boxed<label_selector> const&, field_path const& parent, std::string_view name, field_faults&);
void check_tolerations(std::vector<core::toleration> const&, field_path const& spec, field_faults&);
void check_spread(std::vector<core::topology_spread_constraint> const&, field_path const& spec, field_faults&);

// security.cpp
void check_container_security(core::security_context const&, field_path const& at, field_faults&);
void check_pod_security(core::pod_spec const&, field_path const& spec, field_faults&);

// pod.cpp
/// Checks all of a specification of a pod with this name. @par Upstream `ValidatePodSpec`, and the rules for pods that
/// do not apply to templates
void check_specification(core::pod_spec const&, std::string_view pod_name, field_faults&);

} // namespace kftrain::pod_checks

#endif
