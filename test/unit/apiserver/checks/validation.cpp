#include "unit/apiserver/sample.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(apiserver_validation)

using namespace sample;

// Expected texts: answers of kube-apiserver v1.31.3, and pkg/apis/core/validation/validation.go of that release.
namespace {

struct refused_objects : stored_sample {
    std::string service_fault(std::string const& ports) {
        auto const r = store.create(
            services, "default",
            parse(R"({"metadata":{"name":"s"},"spec":{"clusterIP":"None","ports":)" + ports + "}}"), at(0));
        return r ? "" : r.error().message;
    }
    /// Patches the status of pod x; `state` is that of its container c.
    answer<written> set_state(std::string const& state) {
        return store.patch_status(pods, "default", "x", patch_type::merge,
                                  R"({"status":{"containerStatuses":[{"name":"c","state":)" + state + "}]}}", at(1));
    }
};

constexpr char ended_0[] = R"({"terminated":{"exitCode":0}})", ended_1[] = R"({"terminated":{"exitCode":1}})",
               running[] = R"({"running":{}})";

} // namespace

BOOST_AUTO_TEST_CASE(several_ports_of_a_service_need_names) {
    refused_objects w;
    BOOST_TEST(w.service_fault(R"([{"port":8000},{"name":"b","port":23456}])") ==
               "Service \"s\" is invalid: spec.ports[0].name: Required value");
    BOOST_TEST(w.service_fault(R"([{"name":"b","port":1},{"port":2},{"port":3}])") ==
               "Service \"s\" is invalid: [spec.ports[1].name: Required value, spec.ports[2].name: Required value]");
    BOOST_TEST(w.service_fault(R"([{"port":8000}])") == "");
}

BOOST_AUTO_TEST_CASE(port_names_and_numbers_must_be_unique) {
    refused_objects w;
    BOOST_TEST(w.service_fault(R"([{"name":"a","port":1},{"name":"a","port":2}])") ==
               "Service \"s\" is invalid: spec.ports[1].name: Duplicate value: \"a\"");
    BOOST_TEST(
        w.service_fault(R"([{"name":"a","port":23456,"protocol":"UDP"},{"name":"b","port":23456},
                                   {"name":"c","port":23456}])") ==
        "Service \"s\" is invalid: spec.ports[2]: Duplicate value: core.ServicePort{Name:\"\", Protocol:\"TCP\", "
        "AppProtocol:(*string)(nil), Port:23456, TargetPort:intstr.IntOrString{Type:0, IntVal:0, StrVal:\"\"}, "
        "NodePort:0}");
    BOOST_TEST(
        w.service_fault(R"([{"name":"a","port":0}])") ==
        "Service \"s\" is invalid: [spec.ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive, "
        "spec.ports[0].targetPort: Invalid value: 0: must be between 1 and 65535, inclusive]");
    BOOST_TEST(w.service_fault(R"([{"name":"a","port":1},{"name":"b","port":2}])") == "");
}

BOOST_AUTO_TEST_CASE(only_headless_services_may_lack_ports) {
    refused_objects w;
    BOOST_TEST(w.service_fault("[]") == "");
    auto const r = w.store.create(w.services, "default", w.parse(R"({"metadata":{"name":"s2"},"spec":{}})"), at(0));
    BOOST_TEST(r.error().message == "Service \"s2\" is invalid: spec.ports: Required value");
}

BOOST_AUTO_TEST_CASE(service_updates_are_validated) {
    refused_objects w;
    BOOST_TEST(w.service_fault(R"([{"name":"a","port":1}])") == "");
    auto const r = w.store.patch(w.services, "default", "s", patch_type::merge,
                                 R"({"spec":{"ports":[{"port":1},{"name":"b","port":2}]}})", at(1));
    BOOST_TEST(r.error().code == 422u);
    BOOST_TEST(r.error().message == "Service \"s\" is invalid: spec.ports[0].name: Required value");
}

BOOST_AUTO_TEST_CASE(a_terminated_container_status_cannot_revert) {
    refused_objects w;
    w.make_pod("x", R"(,"restartPolicy":"Never")");
    BOOST_TEST(w.set_state(running).has_value());
    BOOST_TEST(w.set_state(ended_1).has_value());
    auto const r = w.set_state(R"({"running":{},"terminated":null})");
    BOOST_TEST(r.error().message ==
               "Pod \"x\" is invalid: status.containerStatuses[0].state: Forbidden: may not be transitioned to "
               "non-terminated state");
    BOOST_TEST(r.error().to_json().find(R"("reason":"FieldValueForbidden")") != std::string::npos);
    BOOST_TEST(w.set_state(ended_0).has_value());
}

BOOST_AUTO_TEST_CASE(a_terminated_container_can_restart_if_the_policy_allows_it) {
    for (auto const* policy : {"Always", "OnFailure"}) {
        refused_objects w;
        w.make_pod("x", R"(,"restartPolicy":")" + std::string(policy) + "\"");
        BOOST_TEST(w.set_state(ended_1).has_value());
        BOOST_TEST(w.set_state(running).has_value());
        BOOST_TEST(w.set_state(ended_0).has_value());
        BOOST_TEST(w.set_state(running).has_value() == (std::string_view(policy) == "Always"));
    }
}

// Texts: kubernetes v1.31, `pkg/apis/{autoscaling,discovery}/validation/validation.go`.
BOOST_AUTO_TEST_CASE(autoscalers_and_endpoint_slices_are_checked) {
    stored_sample w;
    auto const fault = [&](std::string const& group, std::string const& version, std::string const& plural,
                           std::string const& rest) {
        auto const r = w.store.create(*w.store.find(group, version, plural), "default",
                                      json::parse(R"({"metadata":{"name":"a"},)" + rest + "}").as_object(), at(0));
        return r ? "" : r.error().message.substr(r.error().message.find(": ") + 2);
    };
    auto const autoscaler = [&](std::string const& spec) {
        return fault("autoscaling", "v2", "horizontalpodautoscalers", R"("spec":{)" + spec + "}");
    };
    std::string const target = R"("scaleTargetRef":{"kind":"PyTorchJob","name":"j"},)";
    BOOST_TEST(autoscaler(target + R"("minReplicas":0,"maxReplicas":-1)") ==
               "[spec.minReplicas: Invalid value: 0: must be greater than or equal to 1, spec.maxReplicas: Invalid "
               "value: -1: must be greater than 0, spec.maxReplicas: Invalid value: -1: must be greater than or equal "
               "to `minReplicas`]");
    BOOST_TEST(autoscaler(R"("scaleTargetRef":{"kind":"","name":""},"maxReplicas":1)") ==
               "[spec.scaleTargetRef.kind: Required value, spec.scaleTargetRef.name: Required value]");
    BOOST_TEST(
        autoscaler(target +
                   R"("maxReplicas":1,"behavior":{"scaleDown":{"stabilizationWindowSeconds":3601,)"
                   R"("selectPolicy":"Most","policies":[{"type":"Cores","value":0,"periodSeconds":1801}]}})") ==
        "[spec.behavior.scaleDown.stabilizationWindowSeconds: Invalid value: 3601: must be less than or equal "
        "to 3600, spec.behavior.scaleDown.selectPolicy: Unsupported value: \"Most\": supported values: "
        "\"Disabled\", \"Max\", \"Min\", spec.behavior.scaleDown.policies[0].type: Unsupported value: \"Cores\": "
        "supported values: \"Percent\", \"Pods\", spec.behavior.scaleDown.policies[0].value: Invalid value: 0: "
        "must be greater than zero, spec.behavior.scaleDown.policies[0].periodSeconds: Invalid value: 1801: must "
        "be less than or equal to 1800]");
    BOOST_TEST(autoscaler(target + R"("maxReplicas":1)") == "");
    auto const metric = [&](std::string const& text) {
        return autoscaler(target + R"("maxReplicas":1,"metrics":[)" + text + "]");
    };
    auto const quantity = [](std::string const& value, std::string const& scale, std::string const& text) {
        return "Invalid value: resource.Quantity{i:resource.int64Amount{value:" + value + ", scale:" + scale +
               "}, d:resource.infDecAmount{Dec:(*inf.Dec)(nil)}, s:\"" + text +
               "\", Format:\"DecimalSI\"}: must be positive";
    };
    BOOST_TEST(metric(R"({"type":"Pods","pods":{"metric":{"name":"m"},)"
                      R"("target":{"type":"AverageValue","averageValue":"0"}}})") ==
               "spec.metrics[0].pods.target.averageValue: " + quantity("0", "0", "0"));
    BOOST_TEST(metric(R"({"type":"External","external":{"metric":{"name":"m"},)"
                      R"("target":{"type":"Value","value":"-5.20m","averageValue":1}}})") ==
               "[spec.metrics[0].external.target.value: " + quantity("-520", "-5", "-5.20m") +
                   ", spec.metrics[0].external.target.value: Forbidden: may not set both a target value for metric and "
                   "a per-pod target]");
    BOOST_TEST(metric(R"({"type":"Foo"})") ==
               "spec.metrics[0].type: Unsupported value: \"Foo\": supported values: \"ContainerResource\", "
               "\"External\", \"Object\", \"Pods\", \"Resource\"");
    BOOST_TEST(metric(R"({"type":"Pods","resource":{"name":"cpu",)"
                      R"("target":{"type":"Utilization","averageUtilization":0,"averageValue":1}}})") ==
               "[spec.metrics[0].resource.target.averageUtilization: Invalid value: 0: must be greater than 0, "
               "spec.metrics[0].resource.target.averageValue: Forbidden: may not set both a target raw value and a "
               "target utilization, spec.metrics[0].pods: Required value: must populate information for the given "
               "metric source]");
    BOOST_TEST(metric(R"({"type":"Resource","resource":{"name":"","target":{"type":"Sum"}},"pods":{}})") ==
               "[spec.metrics[0].pods.metric.name: Required value: must specify a metric name, "
               "spec.metrics[0].pods.target.type: Required value: must specify a metric target type, "
               "spec.metrics[0].pods.target.type: Invalid value: \"\": must be either Utilization, Value, or "
               "AverageValue, spec.metrics[0].pods.target.averageValue: Required value: must specify a positive target "
               "averageValue, spec.metrics[0].pods: Forbidden: must populate the given metric source only]");
    BOOST_TEST(metric(R"({"type":"Object","object":{"describedObject":{"kind":"Ingress","name":"a/b"},)"
                      R"("metric":{"name":"m"},"target":{"type":"Value"}}})") ==
               "[spec.metrics[0].object.describedObject.name: Invalid value: \"a/b\": may not contain '/', "
               "spec.metrics[0].object.target.averageValue: Required value: must set either a target value or "
               "averageValue]");
    BOOST_TEST(metric(R"({"type":"ContainerResource","containerResource":{"name":"cpu","container":"A b",)"
                      R"("target":{"type":"Utilization"}}})")
                   .ends_with("spec.metrics[0].containerResource.target.averageUtilization: Required value: must set "
                              "either a target raw value or a target utilization]"));
    auto const slice = [&](std::string const& rest) {
        return fault("discovery.k8s.io", "v1", "endpointslices", R"("endpoints":[],)" + rest);
    };
    BOOST_TEST(slice(R"("addressType":"IPv5")") ==
               "addressType: Unsupported value: \"IPv5\": supported values: \"FQDN\", \"IPv4\", \"IPv6\"");
    BOOST_TEST(slice(R"("addressType":"IPv4")") == "");
    auto const changed = w.store.patch(*w.store.find("discovery.k8s.io", "v1", "endpointslices"), "default", "a",
                                       patch_type::merge, R"({"addressType":"IPv6"})", at(1));
    BOOST_TEST(changed.error().message.find("addressType: Invalid value: \"IPv6\": field is immutable") !=
               std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
