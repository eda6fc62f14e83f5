#include <kftrain/local/kubelet.hpp>
#include <kftrain/model/codec.hpp>

#include <boost/test/unit_test.hpp>

using namespace kftrain;

namespace {

/// The paths of what is refused in a pod with this spec.
std::vector<std::string> refused(std::string const& spec) {
    auto const p =
        from_json<pod>(R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"},"spec":)" + spec + "}").value();
    std::vector<std::string> paths;
    for (auto const& i : local::unsupported_parts(p)) {
        BOOST_TEST(i.message.starts_with(i.path + ": "), i.message);
        BOOST_TEST((i.level == issue::severity::error));
        paths.push_back(i.path);
    }
    return paths;
}

std::string one(std::string const& more) { return R"({"containers":[{"name":"a","command":["true"])" + more + "}]}"; }

void expect(std::string const& spec, std::vector<std::string> const& paths) {
    BOOST_TEST_INFO(spec);
    BOOST_TEST(refused(spec) == paths, boost::test_tools::per_element());
}

} // namespace

BOOST_AUTO_TEST_SUITE(local_pod_admission)

BOOST_AUTO_TEST_CASE(commands_environment_and_ports_are_served) {
    expect(one(R"(,"args":["x"],"env":[{"name":"A","value":"1"}],"ports":[{"containerPort":1}],"workingDir":"/")"), {});
}

BOOST_AUTO_TEST_CASE(a_container_without_a_command_is_refused) {
    expect(R"({"containers":[{"name":"a"},{"name":"b","command":["true"]},{"name":"c","args":["x"]}],
              "initContainers":[{"name":"d"}]})",
           {"spec.initContainers[0].command", "spec.containers[0].command", "spec.containers[2].command"});
}

BOOST_AUTO_TEST_CASE(what_would_be_cut_at_a_nul_byte_is_refused) {
    expect(one(R"(,"args":["x","a\u0000b"],"env":[{"name":"A","value":"a\u0000b"}])"),
           {"spec.containers[0].args[1]", "spec.containers[0].env[0].value"});
    expect(R"({"containers":[{"name":"a","command":["sh\u0000"]}]})", {"spec.containers[0].command[0]"});
    expect(one(R"(,"workingDir":"/a\u0000b")"), {"spec.containers[0].workingDir"});
}

BOOST_AUTO_TEST_CASE(more_text_than_a_program_can_be_given_is_refused_where_it_stands) {
    std::string env = R"({"name":"A","value":"0123456789abcdef"})";
    for (int i = 0; i < 18; ++i) env += R"j(,{"name":"A","value":"$(A)$(A)"})j";
    expect(one(",\"env\":[" + env + "]"), {"spec.containers[0].env[13].value"});
}

BOOST_AUTO_TEST_CASE(what_a_pod_would_wait_for_in_vain_is_refused) {
    std::string const containers = R"("containers":[{"name":"a","command":["true"]}])";
    for (auto const& [name, value] : {std::pair("activeDeadlineSeconds", "2"),
                                      {"hostAliases", R"([{"ip":"1.2.3.4","hostnames":["z"]}])"},
                                      {"dnsConfig", R"({"nameservers":["1.1.1.1"]})"},
                                      {"runtimeClassName", R"("gvisor")"},
                                      {"resourceClaims", R"([{"name":"gpu"}])"}})
        expect(std::string("{\"") + name + "\":" + value + "," + containers + "}", {std::string("spec.") + name});
    expect(R"({"initContainers":[{"name":"s","command":["true"],"restartPolicy":"Always"}],)" + containers + "}",
           {"spec.initContainers[0].restartPolicy"});
}

BOOST_AUTO_TEST_CASE(volumes_are_refused_where_they_stand) {
    expect(R"({"volumes":[{"name":"v","emptyDir":{}}],
              "containers":[{"name":"a","command":["true"],"volumeMounts":[{"name":"v","mountPath":"/v"}]}]})",
           {"spec.volumes", "spec.containers[0].volumeMounts"});
}

BOOST_AUTO_TEST_CASE(values_from_elsewhere_are_refused) {
    expect(one(R"(,"env":[{"name":"A","value":"1"},{"name":"B","valueFrom":{"fieldRef":{"fieldPath":"x"}}}])"),
           {"spec.containers[0].env[1].valueFrom"});
    expect(one(R"(,"envFrom":[{"configMapRef":{"name":"x"}}])"), {"spec.containers[0].envFrom"});
}

BOOST_AUTO_TEST_CASE(probes_and_hooks_are_refused) {
    for (std::string const field : {"readinessProbe", "livenessProbe", "startupProbe", "lifecycle"})
        expect(one(",\"" + field + R"(":{"exec":{"command":["true"]}})"), {"spec.containers[0]." + field});
}

BOOST_AUTO_TEST_CASE(namespaces_of_the_host_are_refused_when_they_are_asked_for) {
    for (std::string const field : {"hostNetwork", "hostPID", "hostIPC", "shareProcessNamespace"}) {
        auto spec = one("");
        spec.insert(spec.size() - 1, ",\"" + field + "\":true");
        expect(spec, {"spec." + field});
        spec.replace(spec.size() - 5, 4, "false");
        expect(spec, {});
    }
}

BOOST_AUTO_TEST_CASE(empty_values_ask_for_nothing) {
    auto spec = one(R"(,"volumeMounts":[],"envFrom":[],"env":[{"name":"A","valueFrom":null}])");
    spec.insert(spec.size() - 1, R"(,"volumes":[])");
    expect(spec, {});
}

BOOST_AUTO_TEST_CASE(what_does_not_change_how_a_program_runs_is_accepted) {
    auto spec =
        one(R"(,"imagePullPolicy":"Always","resources":{"limits":{"cpu":"1"}},"securityContext":{"runAsUser":0})");
    spec.insert(spec.size() - 1,
                R"(,"nodeSelector":{"a":"b"},"tolerations":[{"operator":"Exists"}],"priorityClassName":"x")");
    expect(spec, {});
}

BOOST_AUTO_TEST_SUITE_END()
