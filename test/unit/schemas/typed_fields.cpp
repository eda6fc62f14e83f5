#include "unit/schemas/schema_walk.hpp"

#include <kftrain/job/job_rules.hpp>
#include <kftrain/kinds/registry.hpp>
#include <kftrain/kinds/train_job.hpp>
#include <kftrain/objects/apps/stateful_set.hpp>
#include <kftrain/objects/autoscaling/horizontal_pod_autoscaler.hpp>
#include <kftrain/objects/batch/job.hpp>
#include <kftrain/objects/coordination/lease.hpp>
#include <kftrain/objects/core.hpp>
#include <kftrain/objects/coscheduling/pod_group.hpp>
#include <kftrain/objects/discovery/endpoint_slice.hpp>
#include <kftrain/objects/events/event.hpp>
#include <kftrain/objects/jobset/job_set.hpp>
#include <kftrain/objects/rbac/role.hpp>
#include <kftrain/objects/scheduling/priority_class.hpp>
#include <kftrain/objects/trainer/training_runtime.hpp>
#include <kftrain/objects/volcano/command.hpp>
#include <kftrain/objects/volcano/pod_group.hpp>

#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <iostream>

BOOST_AUTO_TEST_SUITE(schemas_typed_fields)

using namespace kftrain;
using namespace schemas;

namespace {

/// Types of the API server itself, by the name of their definition.
struct known_type {
    std::string_view definition;
    model::descriptor const* type;
};

template <class T> known_type is(std::string_view definition) { return {definition, &descriptor_of<T>()}; }

std::vector<known_type> kubernetes_types() {
    return {is<pod>("io.k8s.api.core.v1.Pod"),
            is<core::pod_template>("io.k8s.api.core.v1.PodTemplate"),
            is<service>("io.k8s.api.core.v1.Service"),
            is<core::endpoints>("io.k8s.api.core.v1.Endpoints"),
            is<core::config_map>("io.k8s.api.core.v1.ConfigMap"),
            is<core::secret>("io.k8s.api.core.v1.Secret"),
            is<core::service_account>("io.k8s.api.core.v1.ServiceAccount"),
            is<core::persistent_volume_claim>("io.k8s.api.core.v1.PersistentVolumeClaim"),
            is<core::event>("io.k8s.api.core.v1.Event"),
            is<events::event>("io.k8s.api.events.v1.Event"),
            is<core::namespace_>("io.k8s.api.core.v1.Namespace"),
            is<core::node>("io.k8s.api.core.v1.Node"),
            is<core::resource_quota>("io.k8s.api.core.v1.ResourceQuota"),
            is<core::binding>("io.k8s.api.core.v1.Binding"),
            is<rbac::role>("io.k8s.api.rbac.v1.Role"),
            is<rbac::role_binding>("io.k8s.api.rbac.v1.RoleBinding"),
            is<batch::job>("io.k8s.api.batch.v1.Job"),
            is<apps::stateful_set>("io.k8s.api.apps.v1.StatefulSet"),
            is<autoscaling::horizontal_pod_autoscaler>("io.k8s.api.autoscaling.v2.HorizontalPodAutoscaler"),
            is<autoscaling::scale>("io.k8s.api.autoscaling.v1.Scale"),
            is<coordination::lease>("io.k8s.api.coordination.v1.Lease"),
            is<discovery::endpoint_slice>("io.k8s.api.discovery.v1.EndpointSlice"),
            is<scheduling::priority_class>("io.k8s.api.scheduling.v1.PriorityClass"),
            is<meta::api_status>("io.k8s.apimachinery.pkg.apis.meta.v1.Status")};
}

/// Why a field is typed although no schema has it. Empty: every one is in a schema.
std::map<std::string, std::string> const beyond_schemas{
    {"Job.spec.networkTopology", "of Volcano 1.12 and later; the schemas are of an earlier release"},
    {"volcano_pod_group.spec.networkTopology", "as the field of Jobs"},
};

/** Of the alpha API of resource claims, which Kubernetes 1.28 and 1.31 took back, and the schema of MXJobs still has;
    and of that by which pods of Kubernetes 1.36 name their gang. Jobs keep these among their unknown fields. */
std::map<std::string, bool> const alpha_fields{
    {".schedulingGroup", false},
    {".resourceClaims[].source", false},
    {".volumeClaimTemplate.spec.resources.claims", false},
};

place of_resource(json::object const& file) {
    place at;
    at.schema = &file.at("schema").as_object();
    at.file = &file;
    return at;
}

/// The schema files of job kinds, from src/kinds/<kind>/.
std::vector<std::string> job_schemas() {
    std::vector<std::string> found;
    auto const root = std::filesystem::path(KFTRAIN_SOURCE_DIR);
    for (auto const& entry : std::filesystem::directory_iterator(root / "src/kinds"))
        if (auto const path = entry.path() / "schema.json"; std::filesystem::exists(path))
            found.push_back(std::filesystem::relative(path, root));
    return found;
}

/// The template of pods in an MPIJob of v2beta1.
place pod_template_in(json::object const& file, library& files) {
    place at = of_resource(file);
    for (std::string_view const step :
         {"properties", "spec", "properties", "mpiReplicaSpecs", "additionalProperties", "properties", "template"}) {
        at.schema = object_at(*at.schema, step);
        BOOST_TEST_REQUIRE(at.schema != nullptr);
        if (step != "properties") at = files.resolve(at);
    }
    return at;
}

/// Everything that there is a schema of.
void walk_all(library& files, walk& w) {
    auto const& kubernetes = files.file("test/data/schemas/kubernetes.json");
    for (auto const& [definition, type] : kubernetes_types())
        w.properties_of(std::string(type->info->kind), files.definition(kubernetes, definition), *type);
    std::vector<std::pair<std::string, model::descriptor const*>> const others{
        {"scheduler_plugins_pod_group", &descriptor_of<coscheduling::pod_group>()},
        {"volcano_pod_group", &descriptor_of<volcano::pod_group>()},
        {"volcano_queue", &descriptor_of<volcano::queue>()},
        {"volcano_command", &descriptor_of<volcano::command>()}};
    for (auto const& [name, type] : others)
        w.properties_of(name, of_resource(files.file("test/data/schemas/" + name + ".json")), *type);
    std::string const trainer = "src/kinds/train_job/";
    auto const& runtime = files.file(trainer + "runtime_schema.json");
    w.properties_of("JobSet", of_resource(files.file(trainer + "job_set_schema.json")),
                    descriptor_of<jobset::job_set>());
    w.properties_of("TrainingRuntime", of_resource(runtime), descriptor_of<trainer::training_runtime>());
    w.properties_of("ClusterTrainingRuntime", of_resource(runtime), descriptor_of<trainer::cluster_training_runtime>());
    w.properties_of("TrainJob", of_resource(files.file(trainer + "schema.json")), descriptor_of<train_job>());
    // Of releases after that of the definitions above, whatever kinds are in the registry.
    auto const& mpi_job = files.file("src/kinds/mpi_job_v2beta1/schema.json");
    w.properties_of("PodTemplateSpec", pod_template_in(mpi_job, files), descriptor_of<core::pod_template_spec>());
    for (auto const& path : job_schemas()) {
        auto const& file = files.file(path);
        auto const version = std::string(text_at(file, "group")).append("/").append(text_at(file, "version"));
        auto const* kind = find_job_rules(version, text_at(file, "kind"));
        if (kind == nullptr) continue; // one whose rules are not in the registry yet
        w.properties_of(std::string(text_at(file, "kind")), of_resource(file), *kind->primary().model);
    }
}

} // namespace

BOOST_AUTO_TEST_CASE(every_property_of_the_schemas_has_a_field_of_its_type) {
    library files(KFTRAIN_SOURCE_DIR);
    walk w(files);
    w.left_out = alpha_fields;
    walk_all(files, w);
    for (auto const& fault : w.faults) BOOST_ERROR(fault);
    for (auto const& [end, found] : w.left_out) BOOST_TEST(found, end << " is in no schema any more");
    std::cout << w.typed << " fields typed / " << w.in_schemas << " fields in schemas\n";
    BOOST_TEST(w.typed == w.in_schemas);
}

BOOST_AUTO_TEST_CASE(every_field_is_a_property_of_a_schema) {
    library files(KFTRAIN_SOURCE_DIR);
    walk w(files);
    walk_all(files, w);
    for (auto const& field : w.fields_without_schema())
        if (!beyond_schemas.contains(field)) BOOST_ERROR(field + " is in no schema");
}

BOOST_AUTO_TEST_CASE(every_job_kind_has_a_schema) {
    library files(KFTRAIN_SOURCE_DIR);
    std::set<std::string> kinds;
    for (auto const& path : job_schemas()) kinds.emplace(text_at(files.file(path), "kind"));
    for (auto const* kind : known_job_rules()) BOOST_TEST(kinds.contains(std::string(kind->primary().info->kind)));
}

BOOST_AUTO_TEST_SUITE_END()
