#include "integration/apiserver/running_listener.hpp"

BOOST_AUTO_TEST_SUITE(apiserver_clients)

using namespace listener_tests;

// Clients that others wrote.

BOOST_FIXTURE_TEST_CASE(curl_verifies_the_server_certificate, secure,
                        *boost::unit_test::precondition([](auto) { return installed("curl"); })) {
    auto const ok = curl("/api/v1/namespaces/default");
    BOOST_TEST(ok.status == 0);
    BOOST_TEST(ok.output.starts_with(R"({"apiVersion":"v1","kind":"Namespace","metadata":{"name":"default")"));
    auto const by_name =
        shell("curl -sS --max-time 5 --cacert " + ca + " --resolve example.test:" + std::to_string(server->port) +
              ":127.0.0.1 https://example.test:" + std::to_string(server->port) + "/healthz");
    BOOST_TEST(by_name.output == "ok");
    BOOST_TEST(shell("curl -sS --max-time 5 " + server->url + "/healthz").status == 60); // not trusted
    BOOST_TEST(shell("curl -sS --max-time 5 --data-binary @/dev/zero http://127.0.0.1:" + std::to_string(server->port))
                   .status != 0);
}

BOOST_FIXTURE_TEST_CASE(requests_without_the_token_are_unauthorized, secure,
                        *boost::unit_test::precondition([](auto) { return installed("curl"); })) {
    for (std::string const options : {"", "-H 'Authorization: Bearer wrong!'", "-H 'Authorization: Basic secret'"})
        BOOST_TEST(curl("/api", options).output ==
                   R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"Unauthorized",)"
                   R"("reason":"Unauthorized","code":401})");
    BOOST_TEST(curl("/healthz", "").output == "ok");
}

BOOST_FIXTURE_TEST_CASE(kubectl_reads_tables_of_pods_and_jobs, secure,
                        *boost::unit_test::precondition([](auto) { return installed("kubectl"); })) {
    auto const send = [&](std::string const& target, std::string const& body) {
        auto const r =
            curl(target, "-H 'Authorization: Bearer secret' -H 'Content-Type: application/json' -d '" + body + "'");
        BOOST_TEST(r.output.find("\"uid\"") != std::string::npos);
    };
    send(pods, pod_json("train-master-0"));
    send("/apis/kubeflow.org/v1/namespaces/default/pytorchjobs", job);
    auto const r = kubectl("get pods,pytorchjobs");
    BOOST_TEST(r.status == 0);
    auto const lines = [&] { // ages and the width of columns vary
        std::string out;
        bool blank = false;
        for (char const c : r.output) {
            if (c == ' ')
                blank = true;
            else
                out += std::exchange(blank, false) && c != '\n' ? std::string(" ") + c : std::string(1, c);
        }
        return out;
    }();
    BOOST_TEST(lines.find("NAME READY STATUS RESTARTS AGE\npod/train-master-0 0/1 Pending 0 ") != std::string::npos,
               r.output);
    BOOST_TEST(lines.find("NAME STATE AGE\npytorchjob.kubeflow.org/train ") != std::string::npos, r.output);
}

BOOST_FIXTURE_TEST_CASE(kubectl_creates_watches_reads_logs_and_deletes, secure,
                        *boost::unit_test::precondition([](auto) { return installed("kubectl"); })) {
    auto const file = write("job.json", job);
    auto const created = kubectl("create -f " + file);
    BOOST_TEST(created.output == "pytorchjob.kubeflow.org/train created\n");
    BOOST_TEST(kubectl("apply -f " + file).status == 0);
    BOOST_TEST(kubectl("create -f " + file).output.find("pytorchjobs.kubeflow.org \"train\" already exists") !=
               std::string::npos);
    auto const p = write("pod.json", R"({"apiVersion":"v1","kind":"Pod",)" + pod_json("p").substr(1));
    BOOST_TEST(kubectl("create -f " + p).status == 0);
    BOOST_TEST(kubectl("logs p").output == "line 1\nline 2\n");
    BOOST_TEST(kubectl("get po p -o jsonpath='{.status.phase}'").output == "Pending");
    BOOST_TEST(kubectl("patch pod p --type merge -p '{\"metadata\":{\"labels\":{\"a\":\"b\"}}}'").output ==
               "pod/p patched\n");
    BOOST_TEST(kubectl("get pods -l a=b -o name").output == "pod/p\n");
    BOOST_TEST(kubectl("get pods --field-selector status.phase=Running -o name").output == "");
    auto const watched = kubectl("get pods -w --request-timeout=2s");
    BOOST_TEST(watched.output.find("p      0/1     Pending") != std::string::npos, watched.output);
    BOOST_TEST(kubectl("delete pod p --force --grace-period=0").output.find("pod \"p\" force deleted") !=
               std::string::npos);
    auto const deleted = kubectl("delete pytorchjob train");
    BOOST_TEST(deleted.output.starts_with("pytorchjob.kubeflow.org \"train\" deleted"), deleted.output);
    BOOST_TEST(kubectl("get pods").output.find("No resources found in default namespace.") != std::string::npos);
    BOOST_TEST(kubectl("get pod p").output == "Error from server (NotFound): pods \"p\" not found\n");
    BOOST_TEST(kubectl("api-resources").output.find("pytorchjobs") != std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(kubectl_patches_and_applies, secure,
                        *boost::unit_test::precondition([](auto) { return installed("kubectl"); })) {
    auto const with_data = [&](std::string const& data) {
        return write("map.json",
                     R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"m"},"data":)" + data + "}");
    };
    auto const data = [&] { return kubectl("get cm m -o jsonpath='{.data}'").output; };
    auto const apply = [&](std::string const& wanted) { return kubectl("apply -f " + with_data(wanted)).output; };
    BOOST_TEST(apply(R"({"k":"v"})") == "configmap/m created\n");
    BOOST_TEST(apply(R"({"k":"v"})") == "configmap/m unchanged\n");
    BOOST_TEST(kubectl("patch cm m -p '{\"data\":{\"l\":\"w\"}}'").output == "configmap/m patched\n"); // strategic
    BOOST_TEST(apply(R"({"q":"z"})") == "configmap/m configured\n");
    BOOST_TEST(data() == R"({"l":"w","q":"z"})");
    BOOST_TEST(kubectl(R"(patch cm m --type json -p '[{"op":"move","from":"/data/q","path":"/data/r"}]')").output ==
               "configmap/m patched\n");
    BOOST_TEST(data() == R"({"l":"w","r":"z"})");
    BOOST_TEST(
        kubectl(R"(patch cm m --type json -p '[{"op":"test","path":"/data/r","value":"q"}]')").output ==
        R"(The request is invalid: patch: operation 0: the test of "/data/r" failed: expected "\"q\"", got "\"z\"")"
        "\n");
    BOOST_TEST(kubectl("apply --server-side --field-manager me -f " + with_data(R"({"s":"t"})")).output ==
               "configmap/m serverside-applied\n");
    BOOST_TEST(data() == R"({"l":"w","r":"z","s":"t"})");
}

BOOST_FIXTURE_TEST_CASE(kubectl_installs_and_uses_a_custom_resource, secure,
                        *boost::unit_test::precondition([](auto) { return installed("kubectl"); })) {
    auto const crd = write("crd.yaml", R"(apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.acme.example.com}
spec:
  group: acme.example.com
  scope: Namespaced
  names: {kind: Widget, plural: widgets, shortNames: [wd], categories: [acme]}
  versions:
    - name: v1
      served: true
      storage: true
      subresources: {status: {}, scale: {specReplicasPath: .spec.size, statusReplicasPath: .status.size}}
      additionalPrinterColumns: [{name: Size, type: integer, jsonPath: .spec.size}]
      schema: &schema
        openAPIV3Schema:
          type: object
          properties:
            spec: {type: object, properties: {size: {type: integer, maximum: 9}}}
            status: {type: object, properties: {size: {type: integer}}}
    - name: v1beta1
      served: true
      storage: false
      schema: *schema
)");
    auto const widget = [&](std::string const& spec, std::string const& version = "v1") {
        return write("widget.yaml", "apiVersion: acme.example.com/" + version +
                                        "\nkind: Widget\nmetadata: {name: w}\nspec: " + spec + "\n");
    };
    BOOST_TEST(kubectl("get widgets").output.find("the server doesn't have a resource type \"widgets\"") !=
               std::string::npos);
    BOOST_TEST(kubectl("apply -f " + widget("{size: 2}"))
                   .output.find("no matches for kind \"Widget\" in version \"acme.example.com/v1\"") !=
               std::string::npos);
    BOOST_TEST(kubectl("apply -f " + crd).output ==
               "customresourcedefinition.apiextensions.k8s.io/widgets.acme.example.com created\n");
    BOOST_TEST(kubectl("apply -f " + crd).output ==
               "customresourcedefinition.apiextensions.k8s.io/widgets.acme.example.com unchanged\n");
    BOOST_TEST(kubectl("wait --for=condition=Established crd/widgets.acme.example.com --timeout=10s").status == 0);
    BOOST_TEST(kubectl("apply -f " + widget("{size: 2}")).output == "widget.acme.example.com/w created\n");
    BOOST_TEST(kubectl("apply -f " + widget("{size: 3}")).output == "widget.acme.example.com/w configured\n");
    BOOST_TEST(kubectl("apply -f " + widget("{size: 10}"))
                   .output.find("spec.size in body should be less than or equal to 9") != std::string::npos);
    BOOST_TEST(kubectl("apply -f " + widget("{sise: 1}")).output.find("unknown field \"spec.sise\"") !=
               std::string::npos);
    auto const table = kubectl("get widgets").output;
    BOOST_TEST(table == "NAME   SIZE\nw      3\n");
    for (std::string const name : {"wd", "widget", "acme", "widgets.v1beta1.acme.example.com"})
        BOOST_TEST(kubectl("get " + name + " -o name").output == "widget.acme.example.com/w\n", name);
    BOOST_TEST(kubectl("get widgets.v1beta1.acme.example.com w -o jsonpath='{.apiVersion}'").output ==
               "acme.example.com/v1beta1");
    BOOST_TEST(kubectl("apply -f " + widget("{size: 4}", "v1beta1")).output ==
               "widget.acme.example.com/w configured\n");
    BOOST_TEST(kubectl("scale widget w --replicas=5").output == "widget.acme.example.com/w scaled\n");
    BOOST_TEST(kubectl("get widget w -o jsonpath='{.spec.size}'").output == "5");
    BOOST_TEST(kubectl("patch widget w --subresource status --type merge -p '{\"status\":{\"size\":1}}'").output ==
               "widget.acme.example.com/w patched\n");
    BOOST_TEST(kubectl("delete crd widgets.acme.example.com").output ==
               "customresourcedefinition.apiextensions.k8s.io \"widgets.acme.example.com\" deleted\n");
    BOOST_TEST(kubectl("get widgets").status != 0);
}

BOOST_AUTO_TEST_SUITE_END()
