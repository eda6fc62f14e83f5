#include "facade/preflight/quota.hpp"
#include "unit/facade/preflight/sample.hpp"

BOOST_AUTO_TEST_SUITE(facade_preflight_quota)

using namespace preflight_sample;

namespace {

core::container requesting(std::string const& name, std::string const& amount) {
    core::container c;
    c.name = "c";
    c.resources.requests[name] = quantity(amount);
    return c;
}

void expect_quota(core::resource_quota const& q, std::vector<std::string> const& wanted) {
    auto e = evidence();
    e.quotas.value->push_back(q);
    expect_faults(e, wanted);
}

} // namespace

BOOST_AUTO_TEST_CASE(all_pods_must_fit_into_the_unused_quota) {
    expect_quota(quota("requests.nvidia.com/gpu", "16", "4"), {});
    expect_quota(
        quota("requests.nvidia.com/gpu", "16", "5"),
        {"failed quota: quota q does not allow the job: requests.nvidia.com/gpu: requested 12, used 5, allowed 16"});
    expect_quota(
        quota("requests.cpu", "1499m", "0"),
        {"failed quota: quota q does not allow the job: requests.cpu: requested 1500m, used 0, allowed 1499m"});
    expect_quota(quota("cpu", "1", "0"),
                 {"failed quota: quota q does not allow the job: cpu: requested 1500m, used 0, allowed 1"});
    expect_quota(quota("limits.cpu", "6", "0"), {});
    expect_quota(quota("memory", "3Gi", "0"), {});
    expect_quota(quota("pods", "2", "0"),
                 {"failed quota: quota q does not allow the job: pods: requested 3, used 0, allowed 2"});
    expect_quota(quota("services", "2", "0"),
                 {"failed quota: quota q does not allow the job: services: requested 3, used 0, allowed 2"});
    expect_quota(quota("count/pytorchjobs.kubeflow.org", "3", "3"),
                 {"failed quota: quota q does not allow the job: count/pytorchjobs.kubeflow.org: requested 1, used 3, "
                  "allowed 3"});
    expect_quota(quota("requests.storage", "1", "1"), {}); // the job requests none
}

BOOST_AUTO_TEST_CASE(containers_must_specify_what_a_quota_limits) {
    expect_quota(quota("limits.memory", "100Gi", "0"),
                 {"warned quota: quota q counts limits.memory of container pytorch of Master, which the pods do not "
                  "specify: the server rejects them unless a LimitRange sets it"});
}

BOOST_AUTO_TEST_CASE(quota_scopes_select_pods) {
    auto q = quota("pods", "2", "0");
    q.spec.scopes = {"BestEffort"};
    expect_quota(q, {});
    q.spec.scopes = {"NotBestEffort", "NotTerminating"};
    expect_quota(q, {"failed quota: quota q does not allow the job: pods: requested 3, used 0, allowed 2"});
    q.spec.scopes = {"Terminating"};
    expect_quota(q, {});
    q.spec.scopes = {"CrossNamespacePodAffinity"};
    expect_quota(q, {"unknown quota: quota q has a scope that only the server can evaluate"});
}

BOOST_AUTO_TEST_CASE(priority_classes_select_pods) {
    core::resource_quota_spec q;
    auto& r = q.scope_selector.emplace().match_expressions.emplace_back();
    r.scope_name = "PriorityClass";
    r.operator_ = "In";
    r.values = {"high"};
    core::pod_spec p;
    BOOST_TEST((preflight::is_in_scope(q, p) == std::nullopt));
    p.priority_class_name = "high";
    BOOST_TEST((preflight::is_in_scope(q, p) == true));
    p.priority_class_name = "low";
    BOOST_TEST((preflight::is_in_scope(q, p) == false));
    r.operator_ = "NotIn";
    BOOST_TEST((preflight::is_in_scope(q, p) == true));
}

BOOST_AUTO_TEST_CASE(init_containers_count_if_they_request_more) {
    core::pod_spec p;
    p.containers = {requesting("cpu", "1"), requesting("cpu", "2")};
    BOOST_TEST(preflight::usage_of(p).at("requests.cpu").canonical() == "3");
    p.init_containers = {requesting("cpu", "5"), requesting("cpu", "4")};
    BOOST_TEST(preflight::usage_of(p).at("requests.cpu").canonical() == "5");
    p.init_containers[0].restart_policy.emplace("Always"); // stays beside all others
    BOOST_TEST(preflight::usage_of(p).at("requests.cpu").canonical() == "9");
    p.overhead["cpu"] = quantity("250m");
    BOOST_TEST(preflight::usage_of(p).at("cpu").canonical() == "9250m");
}

BOOST_AUTO_TEST_CASE(a_quota_without_a_status_is_unknown) {
    auto q = quota("pods", "1", "0");
    q.status = core::resource_quota_status();
    expect_quota(q, {"unknown quota: quota q has no status yet: the cluster has not calculated it"});
    auto e = evidence();
    e.quotas.value.reset();
    e.quotas.message = "forbidden";
    expect_faults(e, {"unknown quota: quotas cannot be read: forbidden"});
}

BOOST_AUTO_TEST_SUITE_END()
