#include "local/kubelet/volumes/pod_volumes.hpp"

#include "support/served_cluster.hpp"
#include "support/temporary_directory.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include <array>

BOOST_AUTO_TEST_SUITE(local_pod_volumes)

using namespace kftrain;
namespace asio = boost::asio;

namespace {

/// Pods with one claim each, without a kubelet that runs them.
struct claimed_volumes : test::served_cluster {
    claimed_volumes() {
        local::kubelet_options o;
        o.directory = (folder.path / "node").string();
        o.host_paths = {folder.path.string()};
        owner = std::make_shared<local::kubelet::state>(kube::client(link), std::move(o));
    }
    void add_claim(std::string const& name) {
        core::persistent_volume_claim c;
        c.metadata.name = name;
        c.spec.access_modes = {"ReadWriteOnce"};
        c.spec.resources.requests["storage"] = quantity("1Gi");
        create(c);
    }
    void add_volume(std::string const& name) {
        core::persistent_volume v;
        v.metadata.name = name;
        v.spec.capacity["storage"] = quantity("1Gi");
        v.spec.access_modes = {"ReadWriteOnce"};
        v.spec.host_path.emplace().path = folder.path.string();
        auto const all = kube::api<core::persistent_volume>::all_namespaces(user);
        ask<core::persistent_volume>([&](auto h) { all.async_create(v, std::move(h)); });
    }
    static pod pod_with(std::string const& claim) {
        pod p;
        p.metadata.name = p.metadata.uid = "pod-of-" + claim;
        p.metadata.namespace_ = "default";
        auto& v = p.spec.volumes.emplace_back();
        v.name = "data";
        v.persistent_volume_claim.emplace().claim_name = claim;
        auto& m = p.spec.containers.emplace_back().volume_mounts.emplace_back();
        m.name = "data";
        m.mount_path = "/data";
        return p;
    }
    std::shared_ptr<local::pod_volumes> volumes() const {
        return std::make_shared<local::pod_volumes>(*owner, nullptr, nullptr);
    }
    /// Sets the volumes of pods up at the same time; returns why that failed for each.
    template <std::size_t N>
    std::array<std::string, N> set_up(std::array<std::shared_ptr<local::pod_volumes>, N> const& all,
                                      std::array<pod, N> const& pods) {
        std::array<std::string, N> why;
        std::size_t done = 0;
        for (std::size_t i = 0; i < N; ++i)
            asio::co_spawn(io, all[i]->set_up(pods[i]), [&, i](std::exception_ptr, std::string text) {
                why[i] = std::move(text);
                ++done;
            });
        BOOST_REQUIRE(until([&] { return done == N; }));
        return why;
    }
    static std::string source_of(local::pod_volumes const& v, pod const& p) {
        auto const mounts = v.mounts_of(p, p.spec.containers[0], {});
        BOOST_REQUIRE_MESSAGE(mounts.has_value(), (mounts ? "" : mounts.error().to_string()));
        return mounts->at(0).source;
    }

    test::temporary_directory folder;
    std::shared_ptr<local::kubelet::state> owner;
};

} // namespace

BOOST_FIXTURE_TEST_CASE(a_volume_is_mounted_for_one_of_two_claims_that_find_it, claimed_volumes) {
    add_volume("v");
    for (auto const* name : {"a", "b"}) add_claim(name);
    std::array const all{volumes(), volumes()};
    std::array const pods{pod_with("a"), pod_with("b")};
    auto const why = set_up(all, pods);
    BOOST_TEST(why[0] == "");
    BOOST_TEST(why[1].find("the claim could not be bound") != std::string::npos, why[1]);
    BOOST_TEST(set_up(std::array{all[1]}, std::array{pods[1]})[0] == ""); // with a directory of its own
    BOOST_TEST(source_of(*all[0], pods[0]) == folder.path.string());
    BOOST_TEST(source_of(*all[1], pods[1]) == (folder.path / "node/claims/default/b").string());
    BOOST_TEST(get<core::persistent_volume_claim>("a").spec.volume_name == "v");
    BOOST_TEST(get<core::persistent_volume_claim>("b").spec.volume_name == "");
}

BOOST_FIXTURE_TEST_CASE(a_claim_with_a_directory_keeps_it_when_a_volume_is_created, claimed_volumes) {
    add_claim("a");
    auto const p = pod_with("a");
    auto const first = volumes();
    BOOST_TEST(set_up(std::array{first}, std::array{p})[0] == "");
    BOOST_TEST(get<core::persistent_volume_claim>("a").status.phase == "Bound");
    add_volume("v");
    auto const second = volumes();
    BOOST_TEST(set_up(std::array{second}, std::array{p})[0] == "");
    BOOST_TEST(source_of(*second, p) == source_of(*first, p));
    BOOST_TEST(get<core::persistent_volume_claim>("a").spec.volume_name == "");
}

BOOST_AUTO_TEST_SUITE_END()
