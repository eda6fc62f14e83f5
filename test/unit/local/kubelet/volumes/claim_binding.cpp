#include "local/kubelet/volumes/claim_binding.hpp"

#include <kftrain/model/codec.hpp>

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(local_claim_binding)

using namespace kftrain;
using core::persistent_volume;
using core::persistent_volume_claim;

// Expected: kubernetes pkg/controller/volume/persistentvolume/pv_controller.go, index.go, v1.31.
namespace {

persistent_volume volume(std::string const& name, std::string const& size, std::string const& more = "") {
    return from_json<persistent_volume>(R"({"metadata":{"name":")" + name + R"(","labels":{"name":")" + name +
                                        R"("}},"spec":{"capacity":{"storage":")" + size +
                                        R"("},"accessModes":["ReadWriteOnce"])" + more +
                                        R"(},"status":{"phase":"Available"}})")
        .value();
}

persistent_volume_claim claim(std::string const& size, std::string const& more = "") {
    return from_json<persistent_volume_claim>(
               R"({"metadata":{"namespace":"a","name":"c","uid":"u"},"spec":{"accessModes":["ReadWriteOnce"],
               "resources":{"requests":{"storage":")" +
               size + "\"}}" + more + "}}")
        .value();
}

/// The name of the volume, `-` for none, or the message of the failure.
std::string found(persistent_volume_claim const& c, std::vector<persistent_volume> const& volumes) {
    auto const v = local::find_volume(c, volumes);
    if (!v) return v.error().detail.message;
    return *v != nullptr ? (*v)->metadata.name : "-";
}

} // namespace

BOOST_AUTO_TEST_CASE(a_claim_gets_the_smallest_volume_that_suits_it) {
    std::vector const all{volume("large", "5Gi"), volume("small", "1Gi"), volume("medium", "2Gi"),
                          volume("manual", "1Gi", R"(,"storageClassName":"manual")"),
                          volume("block", "9Gi", R"(,"volumeMode":"Block")")};
    BOOST_TEST(found(claim("1Gi"), all) == "small");
    BOOST_TEST(found(claim("1500Mi"), all) == "medium");
    BOOST_TEST(found(claim("6Gi"), all) == "-");
    BOOST_TEST(found(claim("1Mi", R"(,"storageClassName":"manual")"), all) == "manual");
    BOOST_TEST(found(claim("1Mi", R"(,"storageClassName":"")"), all) == "small");
    BOOST_TEST(found(claim("1Mi", R"(,"volumeMode":"Block")"), all) == "block");
    BOOST_TEST(found(claim("1Mi", R"(,"selector":{"matchLabels":{"name":"large"}})"), all) == "large");
    auto shared = claim("1Mi");
    shared.spec.access_modes = {"ReadWriteMany"};
    BOOST_TEST(found(shared, all) == "-");
}

BOOST_AUTO_TEST_CASE(volumes_that_are_bound_or_kept_are_not_available) {
    std::vector const all{volume("bound", "1Gi", R"(,"claimRef":{"namespace":"a","name":"c","uid":"earlier"})"),
                          volume("other", "1Gi", R"(,"claimRef":{"namespace":"b","name":"c"})")};
    BOOST_TEST(found(claim("1Gi"), all) == "-");
    std::vector const kept{volume("small", "1Gi"),
                           volume("kept", "2Gi", R"(,"claimRef":{"namespace":"a","name":"c"})")};
    BOOST_TEST(found(claim("1Gi"), kept) == "kept");
    auto other_class = kept; // is compared for available volumes only
    other_class[1].spec.storage_class_name = "manual";
    BOOST_TEST(found(claim("1Gi"), other_class) == "kept");
    BOOST_TEST(found(claim("3Gi"), other_class) == "-");
    other_class[1].spec.access_modes = {"ReadOnlyMany"};
    BOOST_TEST(found(claim("1Gi"), other_class) == "small");
    std::vector gone{volume("gone", "1Gi")};
    gone[0].status.phase = "Released";
    BOOST_TEST(found(claim("1Gi"), gone) == "-");
}

BOOST_AUTO_TEST_CASE(a_claim_that_names_its_volume_gets_it_or_a_reason) {
    std::vector const all{volume("v", "1Gi", R"(,"storageClassName":"manual")"),
                          volume("bound", "1Gi", R"(,"claimRef":{"namespace":"b","name":"c"})"),
                          volume("own", "1Mi", R"(,"claimRef":{"namespace":"a","name":"c","uid":"u"})")};
    auto const named = [&](std::string const& name, std::string const& size, std::string const& more = "") {
        return found(claim(size, R"(,"volumeName":")" + name + "\"" + more), all);
    };
    BOOST_TEST(named("v", "1Gi", R"(,"storageClassName":"manual")") == "v");
    BOOST_TEST(named("own", "1Gi") == "own");
    BOOST_TEST(named("none", "1Gi") == "persistentvolume \"none\" not found");
    BOOST_TEST(named("bound", "1Gi") == "volume \"bound\" already bound to a different claim.");
    std::string const refused = "Cannot bind to requested volume \"v\": ";
    BOOST_TEST(named("v", "2Gi", R"(,"storageClassName":"manual")") == refused + "requested PV is too small");
    BOOST_TEST(named("v", "1Gi") == refused + "storageClassName does not match");
    BOOST_TEST(named("v", "1Gi", R"(,"storageClassName":"manual","volumeMode":"Block")") ==
               refused + "incompatible volumeMode");
}

BOOST_AUTO_TEST_CASE(binding_sets_both_sides) {
    auto v = volume("v", "2Gi");
    auto c = claim("1Gi");
    local::bind(v, c);
    BOOST_TEST(v.spec.claim_ref->uid == "u");
    BOOST_TEST(v.spec.claim_ref->kind == "PersistentVolumeClaim");
    BOOST_TEST(v.status.phase == "Bound");
    BOOST_TEST(c.spec.volume_name == "v");
    BOOST_TEST(c.status.phase == "Bound");
    BOOST_TEST((c.status.capacity.at("storage") == quantity("2Gi")));
    BOOST_TEST(found(c, {v}) == "v");
}

BOOST_AUTO_TEST_SUITE_END()
