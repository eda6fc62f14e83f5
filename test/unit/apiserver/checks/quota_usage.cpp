// Expected texts: apiserver v0.31 `pkg/admission/plugin/resourcequota`, kubernetes v1.31 `pkg/quota/v1/evaluator/core`,
// `plugin/pkg/admission/limitranger`.
#include "unit/apiserver/requests.hpp"

#include <boost/test/unit_test.hpp>

namespace {

using namespace sample;

std::string const quotas = "/api/v1/namespaces/default/resourcequotas";
std::string const ranges = "/api/v1/namespaces/default/limitranges";

struct counted : served {
    void add_quota(std::string const& name, std::string const& spec) {
        auto const r = send("POST", quotas, R"({"metadata":{"name":")" + name + R"("},"spec":)" + spec + "}");
        BOOST_TEST_REQUIRE(r.status == 201U, r.body);
    }
    reply pod(std::string const& name, std::string const& resources = "{}", std::string const& more = "") {
        return send("POST", pods_path,
                    R"({"metadata":{"name":")" + name +
                        R"("},"spec":{"containers":[{"name":"c","image":"i","resources":)" + resources + "}]" + more +
                        "}}");
    }
    std::string used(std::string const& name) {
        store.collect_garbage(at(0));
        return member(send("GET", quotas + "/" + name), "status.used");
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(apiserver_quotas, counted)

BOOST_AUTO_TEST_CASE(a_quota_counts_and_rejects) {
    BOOST_TEST(pod("early").status == 201U);
    add_quota("few", R"({"hard":{"pods":"2","count/pytorchjobs.kubeflow.org":"1","configmaps":"1"}})");
    BOOST_TEST(used("few") == R"({"configmaps":"0","count/pytorchjobs.kubeflow.org":"0","pods":"1"})");
    BOOST_TEST(pod("a").status == 201U);
    auto const refused = pod("b");
    BOOST_TEST(refused.status == 403U);
    BOOST_TEST(member(refused, "reason") == "Forbidden");
    BOOST_TEST(member(refused, "message") ==
               "pods \"b\" is forbidden: exceeded quota: few, requested: pods=1, used: pods=2, limited: pods=2");
    make_job("j");
    auto const job = R"({"apiVersion":"kubeflow.org/v1","kind":"PyTorchJob","metadata":{"name":"k"}})";
    BOOST_TEST(member(send("POST", jobs_path, job), "message") ==
               "pytorchjobs.kubeflow.org \"k\" is forbidden: exceeded quota: few, requested: "
               "count/pytorchjobs.kubeflow.org=1, used: count/pytorchjobs.kubeflow.org=1, limited: "
               "count/pytorchjobs.kubeflow.org=1");
    BOOST_TEST(used("few") == R"({"configmaps":"0","count/pytorchjobs.kubeflow.org":"1","pods":"2"})");
    // A pod that has ended, or that was deleted, needs nothing.
    BOOST_TEST(
        send("PUT", pods_path + "/a/status", R"({"metadata":{"name":"a"},"status":{"phase":"Succeeded"}})").status ==
        200U);
    BOOST_TEST(pod("b").status == 201U);
    BOOST_TEST(pod("d").status == 403U);
    BOOST_TEST(send("DELETE", pods_path + "/b").status == 200U);
    BOOST_TEST(send("DELETE", jobs_path + "/j").status == 200U);
    BOOST_TEST(used("few") == R"({"configmaps":"0","count/pytorchjobs.kubeflow.org":"0","pods":"1"})");
    // Other namespaces are free, and so is everything without the quota.
    BOOST_TEST(send("POST", "/api/v1/namespaces/other/configmaps", R"({"metadata":{"name":"a"}})").status == 201U);
    BOOST_TEST(send("POST", "/api/v1/namespaces/other/configmaps", R"({"metadata":{"name":"b"}})").status == 201U);
    BOOST_TEST(pod("d").status == 201U);
    BOOST_TEST(pod("e").status == 403U);
    BOOST_TEST(
        send("PATCH", quotas + "/few", R"({"spec":{"hard":{"pods":"3"}}})", "application/merge-patch+json").status ==
        200U);
    BOOST_TEST(pod("e").status == 201U);
    BOOST_TEST(pod("f").status == 403U);
    BOOST_TEST(send("DELETE", quotas + "/few").status == 200U);
    BOOST_TEST(pod("f").status == 201U);
}

BOOST_AUTO_TEST_CASE(requests_and_limits_count) {
    add_quota("team", R"({"hard":{"requests.cpu":"2","limits.memory":"1Gi","requests.nvidia.com/gpu":"4"}})");
    BOOST_TEST(member(pod("a"), "message") ==
               "pods \"a\" is forbidden: failed quota: team: must specify limits.memory for: c; requests.cpu for: c");
    BOOST_TEST(pod("a", R"({"requests":{"cpu":"1500m"},"limits":{"memory":"512Mi","nvidia.com/gpu":4}})").status ==
               201U);
    BOOST_TEST(used("team") == R"({"limits.memory":"512Mi","requests.cpu":"1500m","requests.nvidia.com/gpu":"4"})");
    auto const refused = pod("b", R"({"requests":{"cpu":"600m"},"limits":{"memory":"1Mi","nvidia.com/gpu":1}})");
    BOOST_TEST(member(refused, "message") ==
               "pods \"b\" is forbidden: exceeded quota: team, requested: requests.cpu=600m,requests.nvidia.com/gpu=1, "
               "used: requests.cpu=1500m,requests.nvidia.com/gpu=4, limited: requests.cpu=2,requests.nvidia.com/gpu=4");
    BOOST_TEST(pod("b", R"({"requests":{"cpu":"500m"},"limits":{"memory":"512Mi"}})").status == 201U);
    BOOST_TEST(used("team") == R"({"limits.memory":"1Gi","requests.cpu":"2","requests.nvidia.com/gpu":"4"})");
}

BOOST_AUTO_TEST_CASE(scopes_limit_a_quota_to_some_pods) {
    add_quota("best", R"({"hard":{"pods":"0"},"scopes":["BestEffort"]})");
    add_quota("high", R"({"hard":{"pods":"0"},"scopeSelector":{"matchExpressions":[)"
                      R"({"scopeName":"PriorityClass","operator":"In","values":["high"]}]}})");
    add_quota("ending", R"({"hard":{"pods":"0"},"scopes":["Terminating"]})");
    auto const some = std::string(R"({"requests":{"cpu":"1"}})");
    BOOST_TEST(pod("a").status == 403U);
    BOOST_TEST(pod("a", some).status == 201U);
    BOOST_TEST(pod("b", some, R"(,"priorityClassName":"high")").status == 403U);
    BOOST_TEST(pod("b", some, R"(,"priorityClassName":"low")").status == 201U);
    BOOST_TEST(pod("d", some, R"(,"activeDeadlineSeconds":5)").status == 403U);
}

BOOST_AUTO_TEST_CASE(claims_and_services_count) {
    add_quota("q", R"({"hard":{"requests.storage":"5Gi","fast.storageclass.storage.k8s.io/persistentvolumeclaims":"1",)"
                   R"("services.nodeports":"1","services":"9"}})");
    auto const claim = [&](std::string const& name, std::string const& size, std::string const& more) {
        return send("POST", "/api/v1/namespaces/default/persistentvolumeclaims",
                    R"({"metadata":{"name":")" + name + R"("},"spec":{"resources":{"requests":{"storage":")" + size +
                        "\"}}" + more + "}}");
    };
    BOOST_TEST(claim("a", "3Gi", R"(,"storageClassName":"fast")").status == 201U);
    BOOST_TEST(claim("b", "1Gi", R"(,"storageClassName":"fast")").status == 403U);
    BOOST_TEST(claim("b", "3Gi", "").status == 403U);
    BOOST_TEST(claim("b", "2Gi", "").status == 201U);
    auto const node_port = [&](std::string const& name) {
        return send("POST", "/api/v1/namespaces/default/services",
                    R"({"metadata":{"name":")" + name + R"("},"spec":{"type":"NodePort","ports":[{"port":1}]}})");
    };
    BOOST_TEST(node_port("s").status == 201U);
    BOOST_TEST(node_port("t").status == 403U);
}

BOOST_AUTO_TEST_CASE(an_update_is_charged_for_what_it_adds) {
    add_quota("q", R"({"hard":{"services.nodeports":"2","requests.storage":"3Gi","services":"1","configmaps":"1"}})");
    auto const path = "/api/v1/namespaces/default/services";
    auto const patch = [&](std::string const& of, std::string const& change) {
        return send("PATCH", of, change, "application/merge-patch+json");
    };
    BOOST_TEST(send("POST", path, R"({"metadata":{"name":"s"},"spec":{"ports":[{"port":1}]}})").status == 201U);
    auto const service = std::string(path) + "/s";
    BOOST_TEST(patch(service, R"({"spec":{"type":"NodePort"}})").status == 200U);
    BOOST_TEST(patch(service, R"({"spec":{"ports":[{"port":1,"name":"a"},{"port":2,"name":"b"}]}})").status == 200U);
    auto const three = R"({"spec":{"ports":[{"port":1,"name":"a"},{"port":2,"name":"b"},{"port":3,"name":"c"}]}})";
    BOOST_TEST(member(patch(service, three), "message") ==
               "services \"s\" is forbidden: exceeded quota: q, requested: services.nodeports=1, used: "
               "services.nodeports=2, limited: services.nodeports=2");
    // Without node ports of its own, a load balancer needs only those that are given.
    BOOST_TEST(patch(service, R"({"spec":{"type":"LoadBalancer","allocateLoadBalancerNodePorts":false}})").status ==
               200U);
    BOOST_TEST(patch(service, three).status == 200U);
    BOOST_TEST(used("q") == R"({"configmaps":"0","requests.storage":"0","services":"1","services.nodeports":"0"})");
    BOOST_TEST(patch(service, R"({"metadata":{"labels":{"a":"b"}},"spec":{"type":"ClusterIP",)"
                              R"("allocateLoadBalancerNodePorts":null}})")
                   .status == 200U);
    // A request that lowers the usage is accepted, also above the limit.
    BOOST_TEST(patch(quotas + "/q", R"({"spec":{"hard":{"services":"0"}}})").status == 200U);
    BOOST_TEST(patch(service, R"({"spec":{"ports":[{"port":1}]}})").status == 200U);
    // An update of a pod or another object is not charged.
    BOOST_TEST(send("POST", "/api/v1/namespaces/default/configmaps", R"({"metadata":{"name":"c"}})").status == 201U);
    BOOST_TEST(patch(quotas + "/q", R"({"spec":{"hard":{"configmaps":"0"}}})").status == 200U);
    BOOST_TEST(patch("/api/v1/namespaces/default/configmaps/c", R"({"data":{"a":"b"}})").status == 200U);
}

BOOST_AUTO_TEST_CASE(quotas_count_quotas) {
    add_quota("q", R"({"hard":{"resourcequotas":"2"}})");
    add_quota("r", R"({"hard":{"pods":"1"}})");
    BOOST_TEST(used("q") == R"({"resourcequotas":"2"})");
    auto const third = send("POST", quotas, R"({"metadata":{"name":"s"},"spec":{"hard":{"pods":"1"}}})");
    BOOST_TEST(member(third, "message") == "resourcequotas \"s\" is forbidden: exceeded quota: q, requested: "
                                           "resourcequotas=1, used: resourcequotas=2, limited: resourcequotas=2");
    BOOST_TEST(send("DELETE", quotas + "/r").status == 200U);
    BOOST_TEST(used("q") == R"({"resourcequotas":"1"})");
    BOOST_TEST(
        send("PATCH", quotas + "/q", R"({"metadata":{"labels":{"a":"b"}}})", "application/merge-patch+json").status ==
        200U);
    BOOST_TEST(used("q") == R"({"resourcequotas":"1"})");
}

BOOST_AUTO_TEST_CASE(a_limit_range_gives_defaults_and_bounds) {
    auto const made = send("POST", ranges,
                           R"({"metadata":{"name":"r"},"spec":{"limits":[{"type":"Container","max":{"cpu":"2"},)"
                           R"("min":{"cpu":"100m","memory":"10Mi"},"default":{"memory":"64Mi"},)"
                           R"("maxLimitRequestRatio":{"memory":"2"}},{"type":"Pod","max":{"cpu":"3"}}]}})");
    BOOST_TEST(made.status == 201U);
    auto const item = json::serialize(
        body_of(made).at("spec").as_object().at("limits").as_array().at(0).as_object().at("defaultRequest"));
    BOOST_TEST(item == R"({"memory":"64Mi","cpu":"2"})");
    auto const plain = pod("a");
    BOOST_TEST(plain.status == 201U);
    auto const container = body_of(plain).at("spec").as_object().at("containers").as_array().at(0).as_object();
    BOOST_TEST(json::serialize(container.at("resources").as_object().at("limits")) == R"({"cpu":"2","memory":"64Mi"})");
    BOOST_TEST(member(plain, "metadata.annotations") ==
               R"({"kubernetes.io/limit-ranger":"LimitRanger plugin set: cpu, memory request for container c; )"
               R"(cpu, memory limit for container c"})");
    BOOST_TEST(member(pod("b", R"({"limits":{"cpu":"3"}})"), "message") ==
               "pods \"b\" is forbidden: maximum cpu usage per Container is 2, but limit is 3");
    BOOST_TEST(member(pod("b", R"({"requests":{"cpu":"50m","memory":"20Mi"}})"), "message") ==
               "pods \"b\" is forbidden: [minimum cpu usage per Container is 100m, but request is 50m, memory max "
               "limit to request ratio per Container is 2, but provided ratio is 3.200000]");
    auto const two = send("POST", pods_path,
                          R"({"metadata":{"name":"b"},"spec":{"containers":[{"name":"c","image":"i"},)"
                          R"({"name":"d","image":"i"}]}})");
    BOOST_TEST(member(two, "message") == "pods \"b\" is forbidden: maximum cpu usage per Pod is 3, but limit is 4");
    BOOST_TEST(send("DELETE", ranges + "/r").status == 200U);
    BOOST_TEST(pod("b", R"({"limits":{"cpu":"3"}})").status == 201U);
}

BOOST_AUTO_TEST_CASE(defaults_of_a_limit_range_satisfy_a_quota) {
    add_quota("q", R"({"hard":{"limits.cpu":"1"}})");
    BOOST_TEST(pod("a").status == 403U);
    BOOST_TEST(send("POST", ranges,
                    R"({"metadata":{"name":"r"},"spec":{"limits":[{"type":"Container","default":{"cpu":"1"}}]}})")
                   .status == 201U);
    BOOST_TEST(pod("a").status == 201U);
    BOOST_TEST(pod("b").status == 403U);
}

BOOST_AUTO_TEST_SUITE_END()
