#include <kftrain/kinds/pytorch_job_builder.hpp>

#include <kftrain/job/any_job.hpp>

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(kinds_pytorch_job_builder_volumes)

using namespace kftrain;

namespace {

auto minimal() { return pytorch_job_builder("mnist").image("example.com/mnist:1").workers(2); }

std::string why(result<pytorch_job> const& r) { return r ? "built" : r.error().to_string(); }

/// The volumes as `name=source`, and the mounts as `path=name`.
std::vector<std::string> volumes_of(pytorch_job const& job) {
    auto const& spec = job.spec.pytorch_replica_specs.at("Worker").template_.spec;
    std::vector<std::string> lines;
    for (auto const& v : spec.volumes)
        lines.push_back(v.name + (v.persistent_volume_claim ? "=claim " + v.persistent_volume_claim->claim_name +
                                                                  (v.persistent_volume_claim->read_only ? " ro" : "")
                                  : v.config_map ? "=config map " + v.config_map->name
                                  : v.secret     ? "=secret " + v.secret->secret_name
                                                 : "=other"));
    for (auto const& m : spec.containers.at(0).volume_mounts)
        lines.push_back(m.mount_path + "=" + m.name + (m.read_only ? " ro" : ""));
    return lines;
}

std::vector<std::string> volumes_of(result<pytorch_job> const& job) {
    BOOST_TEST_REQUIRE(job.has_value(), why(job));
    return volumes_of(*job);
}

core::volume named_volume(std::string name) {
    core::volume v;
    v.name = std::move(name);
    v.empty_dir.emplace();
    return v;
}

} // namespace

// The digests are FNV-1a, 32 bits, of what is mounted: `claim data`.
BOOST_AUTO_TEST_CASE(volumes_get_names_of_their_own) {
    using lines = std::vector<std::string>;
    auto const same = [](result<pytorch_job> const& job, lines const& expected) {
        BOOST_TEST(volumes_of(job) == expected, boost::test_tools::per_element());
    };
    // Of one name, but not one thing.
    same(minimal().mount_claim("train", "/a").mount_config_map("train", "/b").mount_secret("train", "/c").build(),
         {"train=claim train", "train-51afa923=config map train", "train-a75a1223=secret train", "/a=train",
          "/b=train-51afa923 ro", "/c=train-a75a1223 ro"});
    // Names of claims may be longer than those of volumes, and hold dots.
    same(minimal().mount_claim("Data_Set.v1", "/a").mount_claim("...", "/b").build(),
         {"data-set-v1-be524959=claim Data_Set.v1", "volume-cea29e11=claim ...", "/a=data-set-v1-be524959",
          "/b=volume-cea29e11"});
    std::string const longest(80, 'x');
    std::string const cut = std::string(54, 'x') + "-4873f29d";
    same(minimal().mount_claim(longest, "/a").build(), {cut + "=claim " + longest, "/a=" + cut});
    // One claim is one volume, which may be written to if it is anywhere.
    for (bool const first : {true, false})
        same(minimal().mount_claim("data", "/a", first).mount_claim("data", "/b", !first).build(),
             {"data=claim data", first ? "/a=data ro" : "/a=data", first ? "/b=data" : "/b=data ro"});
    same(minimal().mount_claim("data", "/a", true).mount_claim("data", "/b", true).build(),
         {"data=claim data ro", "/a=data ro", "/b=data ro"});
}

BOOST_AUTO_TEST_CASE(volumes_of_the_caller_keep_their_names) {
    std::vector<std::string> const before{"data=other", "data-f58ceadd=claim data", "/mine=data",
                                          "/claim=data-f58ceadd"};
    BOOST_TEST(volumes_of(minimal().mount(named_volume("data"), "/mine").mount_claim("data", "/claim").build()) ==
                   before,
               boost::test_tools::per_element());
    std::vector<std::string> const after{"data-f58ceadd=claim data", "data=other", "/claim=data-f58ceadd",
                                         "/mine=data"};
    BOOST_TEST(volumes_of(minimal().mount_claim("data", "/claim").mount(named_volume("data"), "/mine").build()) ==
                   after,
               boost::test_tools::per_element());
    // A caller's volume in the place of the caller's own, as promised.
    std::vector<std::string> const replaced{"data=other", "/a=data", "/b=data"};
    BOOST_TEST(volumes_of(minimal().mount(named_volume("data"), "/a").mount(named_volume("data"), "/b").build()) ==
                   replaced,
               boost::test_tools::per_element());
    auto const twice = [](core::pod_template_spec& pod) { pod.spec.volumes.push_back(named_volume("data")); };
    BOOST_TEST(why(minimal().mount_claim("data", "/data").change_pod(twice).build()) ==
               "spec.pytorchReplicaSpecs[Worker].template.spec.volumes[1].name: Duplicate value: \"data\"");
}

BOOST_AUTO_TEST_CASE(containers_keep_the_volume_whose_name_makes_way) {
    auto const using_data = [](std::string name) {
        core::container c;
        c.name = std::move(name);
        c.image = "example.com/other:1";
        if (c.name == "first") {
            c.volume_devices.emplace_back().name = "data";
            c.volume_devices.back().device_path = "/dev/data";
        } else {
            c.volume_mounts.emplace_back().name = "data";
            c.volume_mounts.back().mount_path = "/data";
        }
        return c;
    };
    auto const job = minimal()
                         .mount_claim("data", "/claim")
                         .side_container(using_data("beside"))
                         .init_container(using_data("first"))
                         .mount(named_volume("data"), "/mine")
                         .side_container(using_data("later"))
                         .build();
    BOOST_TEST_REQUIRE(job.has_value(), why(job));
    auto const& spec = job->spec.pytorch_replica_specs.at("Worker").template_.spec;
    BOOST_TEST_REQUIRE(spec.containers.size() == 3U);
    for (auto const* c : {&spec.containers[1], &spec.containers[2], &spec.init_containers.at(0)}) {
        auto const* const expected = c->name == "later" ? "data" : "data-f58ceadd";
        BOOST_TEST((c->volume_mounts.empty() ? c->volume_devices.at(0).name : c->volume_mounts.at(0).name) == expected,
                   c->name);
    }
}

BOOST_AUTO_TEST_CASE(a_remounted_volume_keeps_its_changes) {
    auto const change = [](core::pod_template_spec& pod) {
        pod.spec.volumes.at(0).config_map->default_mode = 0400;
        auto& item = pod.spec.volumes.at(1).secret->items.emplace_back();
        item.key = item.path = "token";
        pod.spec.volumes.at(2).empty_dir->medium = "HugePages";
    };
    auto const job = minimal()
                         .mount_config_map("settings", "/a")
                         .mount_secret("keys", "/b")
                         .shared_memory("1Gi")
                         .change_pod(change)
                         .mount_config_map("settings", "/c")
                         .mount_secret("keys", "/d")
                         .shared_memory("2Gi")
                         .build();
    BOOST_TEST_REQUIRE(job.has_value(), why(job));
    auto const& volumes = job->spec.pytorch_replica_specs.at("Worker").template_.spec.volumes;
    BOOST_TEST_REQUIRE(volumes.size() == 3U);
    BOOST_TEST((volumes[0].config_map->default_mode == 0400));
    BOOST_TEST(volumes[1].secret->items.size() == 1U);
    BOOST_TEST(volumes[2].empty_dir->medium == "HugePages");
    BOOST_TEST((volumes[2].empty_dir->size_limit == quantity("2Gi")));
}

BOOST_AUTO_TEST_SUITE_END()
