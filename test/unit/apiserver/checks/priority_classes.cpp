#include "unit/apiserver/sample.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(apiserver_priority_classes)

using namespace sample;

// Priority classes. Expected: kubernetes pkg/apis/scheduling/validation/validation.go,
// pkg/apis/scheduling/v1/defaults.go, pkg/registry/scheduling/priorityclass, pkg/printers/internalversion/printers.go,
// v1.31.
namespace {

struct priority_classes : refused_sample {
    priority_classes() : refused_sample("scheduling.k8s.io", "v1", "priorityclasses", "") {}

    std::string fault(std::string const& name, std::string const& rest) {
        return refusal(R"({"metadata":{"name":")" + name + "\"}," + rest + "}");
    }
    json::object stored(std::string const& name) { return store.get(kind, "", name).value()->parsed(); }
};

} // namespace

BOOST_AUTO_TEST_CASE(priority_classes_are_cluster_scoped_and_have_defaults) {
    priority_classes w;
    BOOST_TEST(w.fault("high", R"("value":1000)") == "");
    auto const high = w.stored("high");
    BOOST_TEST(!high.at("metadata").as_object().contains("namespace"));
    BOOST_TEST(high.at("metadata").at("generation").as_int64() == 1);
    BOOST_TEST(high.at("preemptionPolicy").as_string() == "PreemptLowerPriority");
    BOOST_TEST(w.change("high", R"({"description":"for launchers"})") == "");
    BOOST_TEST(w.stored("high").at("metadata").at("generation").as_int64() == 1);
    auto const& d = w.store.definition(w.kind);
    BOOST_TEST((d.where == resource_scope::cluster));
    BOOST_TEST(d.short_names == std::vector<std::string>{"pc"}, boost::test_tools::per_element());
    BOOST_TEST(d.columns.size() == 3u);
}

BOOST_AUTO_TEST_CASE(system_values_and_names_are_rejected) {
    priority_classes w;
    BOOST_TEST(w.fault("high", R"("value":1000000000)") == "");
    BOOST_TEST(
        w.fault("higher", R"("value":1000000001)") ==
        "PriorityClass.scheduling.k8s.io \"higher\" is invalid: value: Forbidden: maximum allowed value of a user "
        "defined priority is 1000000000");
    BOOST_TEST(
        w.fault("system-mine", R"("value":1)") ==
        "PriorityClass.scheduling.k8s.io \"system-mine\" is invalid: metadata.name: Forbidden: priority class names "
        "with 'system-' prefix are reserved for system use only. error: system-mine is not a known system priority "
        "class");
    BOOST_TEST(
        w.fault("odd", R"("value":1,"preemptionPolicy":"Maybe")") ==
        "PriorityClass.scheduling.k8s.io \"odd\" is invalid: preemptionPolicy: Unsupported value: \"Maybe\": supported "
        "values: \"PreemptLowerPriority\", \"Never\"");
}

BOOST_AUTO_TEST_CASE(value_and_preemption_policy_are_immutable) {
    priority_classes w;
    BOOST_TEST(w.fault("high", R"("value":1000)") == "");
    BOOST_TEST(
        w.change("high", R"({"value":1001})") ==
        "PriorityClass.scheduling.k8s.io \"high\" is invalid: value: Forbidden: may not be changed in an update.");
    BOOST_TEST(
        w.change("high", R"({"preemptionPolicy":"Never"})") ==
        "PriorityClass.scheduling.k8s.io \"high\" is invalid: preemptionPolicy: Invalid value: \"Never\": field is "
        "immutable");
}

// Expected: kubernetes plugin/pkg/admission/priority/admission.go, v1.31.
BOOST_AUTO_TEST_CASE(pods_get_the_priority_of_their_class) {
    priority_classes w;
    BOOST_TEST(w.fault("high", R"("value":1000,"preemptionPolicy":"Never")") == "");
    auto const pod = w.make_pod("a", R"(,"priorityClassName":"high")");
    BOOST_TEST(at_path_text(pod, "spec.priority") == "1000");
    BOOST_TEST(at_path_text(pod, "spec.preemptionPolicy") == "Never");
    auto const unknown = w.make_pod("b", R"(,"priorityClassName":"none")");
    BOOST_TEST(at_path_text(unknown, "spec.priority") == "");
    BOOST_TEST(at_path_text(w.make_pod("c"), "spec.priority") == "");
    BOOST_TEST(w.fault("usual", R"("value":10,"globalDefault":true)") == "");
    auto const usual = w.make_pod("d");
    BOOST_TEST(at_path_text(usual, "spec.priorityClassName") == "usual");
    BOOST_TEST(at_path_text(usual, "spec.priority") == "10");
    BOOST_TEST(at_path_text(usual, "spec.preemptionPolicy") == "PreemptLowerPriority");
    auto const refused = [&](std::string const& given) {
        auto const body = stored_sample::parse(
            R"({"metadata":{"name":"e"},"spec":{"containers":[{"name":"c","image":"i"}],)" + given + "}}");
        auto const r = w.store.create(w.pods, "default", body, at(0));
        return r ? "" : r.error().message;
    };
    std::string const rest = " from the given PriorityClass name";
    BOOST_TEST(refused(R"("priorityClassName":"high","priority":7)") ==
               "pods \"e\" is forbidden: the integer value of priority (7) must not be provided in pod spec; priority "
               "admission controller computed 1000" +
                   rest);
    BOOST_TEST(refused(R"("priorityClassName":"high","preemptionPolicy":"PreemptLowerPriority")") ==
               "pods \"e\" is forbidden: the string value of PreemptionPolicy (PreemptLowerPriority) must not be "
               "provided in pod spec; priority admission controller computed Never" +
                   rest);
    BOOST_TEST(refused(R"("priorityClassName":"high","priority":1000)") == "");
}

// Expected: kubernetes plugin/pkg/admission/priority/admission.go, v1.31.
BOOST_AUTO_TEST_CASE(a_second_default_class_is_rejected) {
    priority_classes w;
    BOOST_TEST(w.fault("usual", R"("value":10,"globalDefault":true)") == "");
    auto const why = [](std::string const& name) {
        return "priorityclasses.scheduling.k8s.io \"" + name +
               "\" is forbidden: PriorityClass usual is already marked as default. Only one default can exist";
    };
    BOOST_TEST(w.fault("less", R"("value":-5,"globalDefault":true)") == why("less"));
    BOOST_TEST(w.fault("usual", R"("value":10,"globalDefault":true)") == why("usual"));
    BOOST_TEST(w.fault("less", R"("value":-5,"globalDefault":false)") == "");
    BOOST_TEST(w.change("less", R"({"globalDefault":true})") == why("less"));
    BOOST_TEST(w.change("usual", R"({"description":"for launchers"})") == "");
    BOOST_TEST(w.change("usual", R"({"globalDefault":false})") == "");
    BOOST_TEST(w.change("less", R"({"globalDefault":true})") == "");
}

// Expected: kubernetes pkg/apis/scheduling/types.go and pkg/apis/scheduling/v1/helpers.go, v1.31.
BOOST_AUTO_TEST_CASE(system_classes_give_their_priority_without_an_object) {
    priority_classes w;
    auto const node = w.make_pod("a", R"(,"priorityClassName":"system-node-critical")");
    BOOST_TEST(at_path_text(node, "spec.priorityClassName") == "system-node-critical");
    BOOST_TEST(at_path_text(node, "spec.priority") == "2000001000");
    BOOST_TEST(at_path_text(node, "spec.preemptionPolicy") == "PreemptLowerPriority");
    auto const cluster = w.make_pod("b", R"(,"priorityClassName":"system-cluster-critical")");
    BOOST_TEST(at_path_text(cluster, "spec.priority") == "2000000000");
    BOOST_TEST(at_path_text(cluster, "spec.preemptionPolicy") == "PreemptLowerPriority");
}

BOOST_AUTO_TEST_SUITE_END()
