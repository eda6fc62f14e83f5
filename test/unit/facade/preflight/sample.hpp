#ifndef KFTRAIN_TEST_UNIT_FACADE_PREFLIGHT_SAMPLE_HPP
#define KFTRAIN_TEST_UNIT_FACADE_PREFLIGHT_SAMPLE_HPP

#include "facade/preflight/evidence.hpp"
#include "unit/job/sample.hpp"

#include <boost/test/unit_test.hpp>

/// Observations of a cluster where every check passes.
namespace preflight_sample {

using namespace kftrain;

inline pytorch_job job() {
    auto j = sample::job(1, 2);
    for (auto& [type, spec] : j.spec.pytorch_replica_specs) {
        auto& r = spec.template_.spec.containers[0].resources;
        r.limits["nvidia.com/gpu"] = quantity("4");
        r.limits["cpu"] = quantity("2");
        r.requests["cpu"] = quantity("500m");
        r.requests["memory"] = quantity("1Gi");
    }
    return j;
}

inline kube::served_resource served(std::string version) {
    kube::served_resource r;
    r.group = "kubeflow.org";
    r.version = std::move(version);
    r.kind = "PyTorchJob";
    r.plural = "pytorchjobs";
    r.verbs = {"create", "get"};
    return r;
}

inline preflight::evidence evidence(pytorch_job of = job()) {
    preflight::evidence e;
    e.job = prepared_job::admitted(std::move(of));
    e.catalog.value =
        std::make_shared<kube::api_catalog const>(std::vector{served("v1")}, std::vector<kube::unserved_version>());
    e.of_namespace.value.emplace().status.phase = "Active";
    e.existing.ec = reason::not_found;
    for (auto const& need : preflight::access_needs(e.job, preflight_options())) {
        auto& a = e.access.emplace_back();
        a.need = need;
        a.allowed = true;
    }
    e.quotas.value.emplace();
    return e;
}

inline core::resource_quota quota(std::string const& name, std::string const& hard, std::string const& used) {
    core::resource_quota q;
    q.metadata.name = "q";
    q.spec.hard[name] = quantity(hard);
    q.status.hard[name] = quantity(hard);
    q.status.used[name] = quantity(used);
    return q;
}

/// `verdict name: message` of the checks that did not pass.
inline std::vector<std::string> faults(preflight_report const& r) {
    std::vector<std::string> all;
    for (auto const& c : r.checks)
        if (c.verdict != verdict::passed)
            all.push_back(std::string(to_string(c.verdict)) + " " + c.name + ": " + c.message);
    return all;
}

inline void expect_faults(preflight::evidence const& e, std::vector<std::string> const& wanted) {
    auto const got = faults(preflight::report_of(e));
    BOOST_TEST(got == wanted, boost::test_tools::per_element());
}

} // namespace preflight_sample

#endif
