#include "unit/schemas/schema_walk.hpp"

#include <kftrain/kinds/registry.hpp>
#include <kftrain/model/autoscaling.hpp>
#include <kftrain/model/batch.hpp>
#include <kftrain/model/core.hpp>
#include <kftrain/model/coscheduling.hpp>
#include <kftrain/model/lease.hpp>
#include <kftrain/model/rbac.hpp>
#include <kftrain/model/stateful_set.hpp>
#include <kftrain/model/volcano.hpp>

#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <iostream>

using namespace kftrain;
using namespace schemas;

namespace {

/// Types of the API server itself, by the name of their definition.
struct known_type {
    std::string_view definition;
    descriptor const* type;
};

template <class T> known_type is(std::string_view definition) { return {definition, &descriptor_of<T>()}; }

std::vector<known_type> kubernetes_types() {
    return {is<pod>("io.k8s.api.core.v1.Pod"),
            is<pod_template>("io.k8s.api.core.v1.PodTemplate"),
            is<service>("io.k8s.api.core.v1.Service"),
            is<endpoints>("io.k8s.api.core.v1.Endpoints"),
            is<config_map>("io.k8s.api.core.v1.ConfigMap"),
            is<secret>("io.k8s.api.core.v1.Secret"),
            is<service_account>("io.k8s.api.core.v1.ServiceAccount"),
            is<persistent_volume_claim>("io.k8s.api.core.v1.PersistentVolumeClaim"),
            is<event>("io.k8s.api.core.v1.Event"),
            is<events_event>("io.k8s.api.events.v1.Event"),
            is<namespace_>("io.k8s.api.core.v1.Namespace"),
            is<node>("io.k8s.api.core.v1.Node"),
            is<resource_quota>("io.k8s.api.core.v1.ResourceQuota"),
            is<binding>("io.k8s.api.core.v1.Binding"),
            is<role>("io.k8s.api.rbac.v1.Role"),
            is<role_binding>("io.k8s.api.rbac.v1.RoleBinding"),
            is<batch_job>("io.k8s.api.batch.v1.Job"),
            is<stateful_set>("io.k8s.api.apps.v1.StatefulSet"),
            is<horizontal_pod_autoscaler>("io.k8s.api.autoscaling.v2.HorizontalPodAutoscaler"),
            is<scale>("io.k8s.api.autoscaling.v1.Scale"),
            is<lease>("io.k8s.api.coordination.v1.Lease"),
            is<api_status>("io.k8s.apimachinery.pkg.apis.meta.v1.Status")};
}

/// Why a field is typed although no schema has it. Empty: every one is in a schema.
std::map<std::string, std::string> const beyond_schemas{};

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

/// Everything that there is a schema of.
void walk_all(library& files, walk& w) {
    auto const& kubernetes = files.file("test/data/schemas/kubernetes.json");
    for (auto const& [definition, type] : kubernetes_types())
        w.properties_of(std::string(type->info->kind), files.definition(kubernetes, definition), *type);
    std::vector<std::pair<std::string, descriptor const*>> const others{
        {"scheduler_plugins_pod_group", &descriptor_of<coscheduling_pod_group>()},
        {"volcano_pod_group", &descriptor_of<volcano_pod_group>()},
        {"volcano_queue", &descriptor_of<volcano_queue>()}};
    for (auto const& [name, type] : others)
        w.properties_of(name, of_resource(files.file("test/data/schemas/" + name + ".json")), *type);
    for (auto const& path : job_schemas()) {
        auto const& file = files.file(path);
        auto const version = std::string(text_at(file, "group")).append("/").append(text_at(file, "version"));
        auto const* kind = find_job_kind(version, text_at(file, "kind"));
        BOOST_TEST_REQUIRE(kind != nullptr, path);
        w.properties_of(std::string(text_at(file, "kind")), of_resource(file), *kind->type);
    }
}

} // namespace

BOOST_AUTO_TEST_SUITE(schemas_typed_fields)

BOOST_AUTO_TEST_CASE(every_property_of_the_schemas_has_a_field_of_its_type) {
    library files(KFTRAIN_SOURCE_DIR);
    walk w(files);
    walk_all(files, w);
    for (auto const& fault : w.faults) BOOST_ERROR(fault);
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
    for (auto const* kind : job_kinds()) BOOST_TEST(kinds.contains(std::string(kind->resource->kind)));
}

BOOST_AUTO_TEST_SUITE_END()
