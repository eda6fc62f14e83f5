#include "local/kubelet/volumes/pod_files.hpp"

#include <kftrain/model/codec.hpp>

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(local_pod_files)

using namespace kftrain;

// Expected: kubernetes pkg/kubelet/network/dns/dns.go, v1.31.
namespace {

std::string resolver(std::string const& spec) {
    pod p;
    p.metadata.namespace_ = "lab";
    p.spec = from_json<core::pod_spec>(spec).value();
    return local::resolv_conf_of(p);
}

} // namespace

BOOST_AUTO_TEST_CASE(names_of_the_cluster_are_looked_up_first) {
    BOOST_TEST(resolver("{}") == "search lab.svc.cluster.local svc.cluster.local cluster.local\nnameserver 10.244.0.1\n"
                                 "options ndots:5\n");
}

BOOST_AUTO_TEST_CASE(entries_of_the_pod_come_last) {
    BOOST_TEST(resolver(R"({"dnsConfig":{"searches":["mpi.lab.svc.cluster.local","cluster.local"],
                            "nameservers":["10.244.0.1","10.244.0.9"],
                            "options":[{"name":"ndots","value":"2"},{"name":"edns0"}]}})") ==
               "search lab.svc.cluster.local svc.cluster.local cluster.local mpi.lab.svc.cluster.local\n"
               "nameserver 10.244.0.1\nnameserver 10.244.0.9\noptions edns0 ndots:2\n");
}

BOOST_AUTO_TEST_CASE(dns_policy_none_uses_only_the_dns_config_of_the_pod) {
    BOOST_TEST(resolver(R"({"dnsPolicy":"None","dnsConfig":{"nameservers":["10.244.0.9"]}})") ==
               "nameserver 10.244.0.9\n");
}

BOOST_AUTO_TEST_SUITE_END()
