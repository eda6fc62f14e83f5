#include "unit/apiserver/sample.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(apiserver_stateful_sets)

using namespace sample;

// StatefulSets, and the reviews of access rights. Expected: kubernetes pkg/apis/apps/v1/defaults.go,
// pkg/apis/apps/validation/validation.go, pkg/apis/rbac/v1/defaults.go, v1.31, and answers recorded from its server.
namespace {

std::string const spec =
    R"("serviceName":"s","selector":{"matchLabels":{"a":"b"}},"template":{"metadata":{"labels":{"a":"b"}},)"
    R"("spec":{"containers":[{"name":"c","image":"i"}]}})";

struct stateful_sets : refused_sample {
    stateful_sets() : refused_sample("apps", "v1", "statefulsets") {}

    std::string fault(std::string const& name, std::string const& text) {
        return refusal(R"({"metadata":{"name":")" + name + R"("},"spec":{)" + text + "}}");
    }
};

} // namespace

BOOST_AUTO_TEST_CASE(stateful_sets_get_defaults) {
    stateful_sets w;
    BOOST_TEST(w.fault("db", spec) == "");
    auto const db = w.find(w.kind, "db");
    for (auto const& [path, expected] : {std::pair{"spec.replicas", "1"},
                                         {"spec.podManagementPolicy", "OrderedReady"},
                                         {"spec.revisionHistoryLimit", "10"},
                                         {"spec.updateStrategy.type", "RollingUpdate"},
                                         {"spec.updateStrategy.rollingUpdate.partition", "0"},
                                         {"spec.persistentVolumeClaimRetentionPolicy.whenDeleted", "Retain"},
                                         {"spec.template.spec.restartPolicy", "Always"},
                                         {"spec.template.spec.dnsPolicy", "ClusterFirst"},
                                         {"metadata.generation", "1"}})
        BOOST_TEST(at_path_text(db, path) == expected, path);
    BOOST_TEST(w.change("db", R"({"spec":{"replicas":3}})") == "");
    BOOST_TEST(w.change("db", R"({"spec":{"replicas":2147483647}})")
                   .ends_with("spec.replicas: Invalid value: 2147483647: must be less than or equal to 100000 on this "
                              "server"));
    BOOST_TEST(at_path_text(w.find(w.kind, "db"), "metadata.generation") == "2");
}

BOOST_AUTO_TEST_CASE(batch_jobs_without_containers_are_rejected) {
    stateful_sets w;
    BOOST_TEST(w.fault("a.b", spec).find("metadata.name: Invalid value: \"a.b\": must not contain dots") !=
               std::string::npos);
    BOOST_TEST(w.fault("db", spec + R"(,"replicas":-1)")
                   .find("spec.replicas: Invalid value: -1: must be greater than "
                         "or equal to 0") != std::string::npos);
    auto once = spec;
    once.insert(once.find(R"("containers")"), R"("restartPolicy":"Never",)");
    BOOST_TEST(w.fault("db", once) ==
               "StatefulSet.apps \"db\" is invalid: spec.template.spec.restartPolicy: Unsupported value: \"Never\": "
               "supported values: \"Always\"");
}

BOOST_AUTO_TEST_CASE(most_of_the_spec_is_immutable) {
    stateful_sets w;
    BOOST_TEST(w.fault("db", spec) == "");
    BOOST_TEST(w.change("db", R"({"spec":{"serviceName":"other"}})")
                   .starts_with("StatefulSet.apps \"db\" is invalid: spec: Forbidden: updates to statefulset spec for "
                                "fields other than "));
    BOOST_TEST(w.change("db", R"({"spec":{"template":{"metadata":{"labels":{"more":"x"}}}}})") == "");
}

BOOST_AUTO_TEST_CASE(rbac_objects_are_stored) {
    stored_sample w;
    for (auto const& [group, plural] : {std::pair{"", "serviceaccounts"},
                                        {"rbac.authorization.k8s.io", "roles"},
                                        {"rbac.authorization.k8s.io", "rolebindings"}}) {
        auto const kind = w.store.find(group, "v1", plural);
        BOOST_TEST_REQUIRE(kind.has_value(), plural);
        BOOST_TEST((w.store.definition(*kind).where == resource_scope::namespaced), plural);
        w.make(*kind, R"({"metadata":{"name":"x"}})");
        BOOST_TEST((w.find(*kind, "x") != nullptr), plural);
    }
}

BOOST_AUTO_TEST_SUITE_END()
