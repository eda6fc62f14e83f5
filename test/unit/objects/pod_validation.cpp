#include "objects/pod_validation.hpp"
#include "model/rules/value_syntax.hpp"
#include <kftrain/model/codec.hpp>

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(model_pod_validation)

using namespace kftrain;

// Expected: kubernetes pkg/apis/core/validation/validation.go, v1.31.3. The answers of a running server are compared in
// unit/apiserver/checks/server_answers.cpp.
namespace {

std::vector<schema_violation> faults_of(std::string const& spec) {
    return created_pod_faults(from_json<pod>(R"({"metadata":{"name":"x"},"spec":)" + spec + "}").value());
}
/// The rules that a pod breaks, in order.
std::string rules_of(std::string const& spec) {
    std::string out;
    for (auto const& f : faults_of(spec)) out += pod_rule(f) + " ";
    return out;
}

} // namespace

BOOST_AUTO_TEST_CASE(rules_are_named_for_the_part_of_the_pod_that_breaks_them) {
    BOOST_TEST(rules_of("{}") == "pod.containers ");
    BOOST_TEST(rules_of(R"({"containers":[{"name":"c","image":"i"}],"hostname":"A","nodeSelector":{"a b":""},
                            "activeDeadlineSeconds":0})") ==
               "pod.node-selector pod.active-deadline-seconds pod.hostname ");
    BOOST_TEST(rules_of(R"({"initContainers":[{"name":"I","image":"i","ports":[{"containerPort":0}]}],
                            "containers":[{"name":"","volumeMounts":[{"name":"v","mountPath":"/a"}]}]})") ==
               "pod.container.name pod.container.image pod.container.volume-mounts pod.container.name "
               "pod.container.ports ");
    BOOST_TEST(rules_of(R"({"containers":[{"name":"c","image":"i"}],"volumes":[{"name":"V"}],
                            "securityContext":{"runAsUser":-1}})") == "pod.volumes pod.security-context ");
}

BOOST_AUTO_TEST_CASE(a_pod_is_judged_alike_with_and_without_its_defaults) {
    BOOST_TEST(rules_of(R"({"containers":[{"name":"c","image":"i","ports":[{"containerPort":1}],
                            "livenessProbe":{"httpGet":{"port":1}},
                            "env":[{"name":"A","valueFrom":{"fieldRef":{"fieldPath":"metadata.name"}}}]}]})") == "");
    BOOST_TEST(rules_of(R"({"restartPolicy":"Always","dnsPolicy":"ClusterFirst","terminationGracePeriodSeconds":30,
                            "containers":[{"name":"c","image":"i","terminationMessagePolicy":"File",
                            "imagePullPolicy":"Always","ports":[{"containerPort":1,"protocol":"TCP"}],
                            "livenessProbe":{"httpGet":{"path":"/","port":1,"scheme":"HTTP"},"timeoutSeconds":1,
                            "periodSeconds":10,"successThreshold":1,"failureThreshold":3},
                            "env":[{"name":"A",
                            "valueFrom":{"fieldRef":{"apiVersion":"v1","fieldPath":"metadata.name"}}}]}]})") == "");
}

BOOST_AUTO_TEST_CASE(faults_are_bounded) {
    std::string list;
    for (int i = 0; i < 3000; ++i) list += R"({"name":"A"},)";
    auto const found = faults_of(R"({"containers":[)" + list + R"({"name":"c","image":"i"}],"hostname":"A"})");
    BOOST_TEST(found.size() == 1000U);
    BOOST_TEST(found.front().field == "spec.containers[0].name");
}

BOOST_AUTO_TEST_CASE(addresses_are_those_of_both_families) {
    for (auto const* fine : {"1.2.3.4", "010.001.1.1", "::", "::1", "2001:db8::ffff", "::ffff:1.2.3.4"})
        BOOST_TEST(is_address(fine), fine);
    for (auto const* bad : {"", "1.2.3", "1.2.3.4.5", "1.2.3.256", "1..3.4", "a", ":", "1.2.3.4 ", "fe80::1%eth0"})
        BOOST_TEST(!is_address(bad), bad);
}

BOOST_AUTO_TEST_SUITE_END()
