#include "integration/listener_world.hpp"

BOOST_AUTO_TEST_SUITE(apiserver_clients)

using namespace listener_world;

// Clients that others wrote.

BOOST_FIXTURE_TEST_CASE(curl_speaks_tls_with_the_certificate_as_authority, secure,
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
    auto const created = kubectl("create --validate=false -f " + file);
    BOOST_TEST(created.output == "pytorchjob.kubeflow.org/train created\n");
    BOOST_TEST(kubectl("apply --validate=false -f " + file).status == 0);
    BOOST_TEST(kubectl("create --validate=false -f " + file)
                   .output.find("pytorchjobs.kubeflow.org \"train\" already exists") != std::string::npos);
    auto const p = write("pod.json", R"({"apiVersion":"v1","kind":"Pod",)" + pod_json("p").substr(1));
    BOOST_TEST(kubectl("create --validate=false -f " + p).status == 0);
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
    auto const apply = [&](std::string const& wanted) {
        return kubectl("apply --validate=false -f " + with_data(wanted)).output;
    };
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
    auto const served = kubectl("apply --server-side --validate=false -f " + with_data("{}"));
    BOOST_TEST(served.output.find("server-side apply is not supported by this server") != std::string::npos,
               served.output);
}

BOOST_AUTO_TEST_SUITE_END()
