#include "apiserver/tables/table.hpp"
#include "unit/apiserver/sample.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(apiserver_persistent_volumes)

using namespace sample;

// Expected: kubernetes pkg/apis/core/validation/validation.go, pkg/apis/core/v1/defaults.go,
// pkg/printers/internalversion/printers.go, v1.31.
namespace {

struct persistent_volumes : refused_sample {
    persistent_volumes() : refused_sample("", "v1", "persistentvolumes", "") {}

    std::string fault(std::string const& spec) { return refusal(R"({"metadata":{"name":"v"},"spec":{)" + spec + "}}"); }
    std::string row(kind_id of, object_ptr const& o) {
        table_options options;
        options.now = at(60);
        auto const table = make_table(store.definition(of), std::span(&o, 1), options);
        return json::serialize(table.at("rows").at(0).at("cells"));
    }
};

std::string const whole = R"("capacity":{"storage":"1Gi"},"accessModes":["ReadWriteMany","ReadWriteOnce"],)"
                          R"("hostPath":{"path":"/data"})";

} // namespace

BOOST_AUTO_TEST_CASE(volumes_are_available_with_the_defaults_of_a_server) {
    persistent_volumes w;
    BOOST_TEST(w.fault(whole + R"(,"claimRef":{"namespace":"a","name":"c"},"storageClassName":"manual")") == "");
    auto const v = w.find(w.kind, "v", "");
    BOOST_TEST(at_path_text(v, "status.phase") == "Available");
    BOOST_TEST(at_path_text(v, "spec.persistentVolumeReclaimPolicy") == "Retain");
    BOOST_TEST(w.row(w.kind, v) ==
               R"(["v","1Gi","RWO,RWX","Retain","Available","a/c","manual","<unset>","","60s","Filesystem"])");
    auto const claims = *w.store.find("", "v1", "persistentvolumeclaims");
    auto const c = w.make(claims, R"({"metadata":{"name":"c"},"spec":{"storageClassName":"manual"}})");
    BOOST_TEST(w.row(claims, c) == R"(["c","Pending","","","","manual","<unset>","60s","Filesystem"])");
    auto const bound = w.make(claims, R"({"metadata":{"name":"d"},"spec":{"volumeName":"v"}})");
    BOOST_TEST(w.row(claims, bound) == R"(["d","Pending","v","","","","<unset>","60s","Filesystem"])");
}

BOOST_AUTO_TEST_CASE(faults_of_volumes_have_the_messages_of_a_server) {
    persistent_volumes w;
    std::string const start = "PersistentVolume \"v\" is invalid: ";
    BOOST_TEST(w.fault(R"("capacity":{"storage":"1Gi"},"accessModes":["ReadWriteOnce"])") ==
               start + "spec: Required value: must specify a volume type");
    BOOST_TEST(w.fault(R"("capacity":{"storage":"1Gi"},"nfs":{"server":"s","path":"/"})") ==
               start + "spec.accessModes: Required value");
    BOOST_TEST(w.fault(R"("accessModes":["ReadWriteOnce"],"hostPath":{"path":"/"})") ==
               start + "spec.capacity: Required value");
    BOOST_TEST(w.fault(R"("capacity":{"storage":"1Gi"},"accessModes":["ReadWriteOnce"],"hostPath":{"path":""})") ==
               start + "spec.hostPath.path: Required value");
    BOOST_TEST(w.fault(R"("capacity":{"storage":"1Gi"},"accessModes":["Often"],"hostPath":{"path":"/"})")
                   .starts_with(start + "spec.accessModes: Unsupported value: \"Often\": supported values: "));
    std::string const modes = R"("accessModes":["ReadWriteOnce"],)";
    for (std::string const amount : {"0", "-1"})
        BOOST_TEST(w.fault(modes + R"("capacity":{"storage":")" + amount + R"("},"hostPath":{"path":"/"})") ==
                   start + "spec.capacity[storage]: Invalid value: \"" + amount + "\": must be greater than zero");
    for (std::string const source : {"hostPath", "local"})
        BOOST_TEST(w.fault(modes + R"("capacity":{"storage":"1"},")" + source + R"(":{"path":"/a/../b"})") ==
                   start + "spec." + source + ".path: Invalid value: \"/a/../b\": must not contain '..'");
    BOOST_TEST(w.fault(whole + R"(,"persistentVolumeReclaimPolicy":"Keep")") ==
               start + "spec.persistentVolumeReclaimPolicy: Unsupported value: \"Keep\": supported values: \"Delete\", "
                       "\"Recycle\", \"Retain\"");
}

BOOST_AUTO_TEST_SUITE_END()
