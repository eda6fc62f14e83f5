#include "unit/job/v1/lint/lint_sample.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(job_lint_containers)

using namespace lint_sample;

BOOST_AUTO_TEST_CASE(duplicate_container_names_are_reported) {
    auto const of = [](std::string init, std::string second) {
        pytorch_job j = job(1, 1);
        auto& spec = j.spec.pytorch_replica_specs["Worker"].template_.spec;
        spec.init_containers = {named(std::move(init))};
        spec.containers.push_back(named(std::move(second)));
        return findings(j, "lint.container-names");
    };
    BOOST_TEST(of("fetch", "log").empty());
    BOOST_TEST(of("fetch", "fetch").size() == 1U);
    BOOST_TEST(of("", "log") == lines{worker + ".template.spec.initContainers[0].name: Required value"},
               boost::test_tools::per_element());
    BOOST_TEST(of("fetch", "pytorch").size() == 1U);
}

BOOST_AUTO_TEST_CASE(invalid_container_ports_are_reported) {
    auto const of = [](std::vector<core::container_port> ports) {
        return findings(changed(1, [&](pytorch_job& j) { training(j).ports = std::move(ports); }),
                        "lint.container-ports");
    };
    BOOST_TEST(of({port("http", 80), port("pytorchjob-port", 23456)}).empty());
    for (auto const* name : {"a-name-of-16-let", "Http", "-http", "http-", "a--b", "80", "a_b"})
        BOOST_TEST(of({port(name, 80)}).size() == 1U, name);
    BOOST_TEST(of({port("http", 80), port("http", 81)}) ==
                   lines{of_training + ".ports[1].name: Duplicate value: \"http\""},
               boost::test_tools::per_element());
    BOOST_TEST(of({port("http", 0)}).size() == 1U);
    BOOST_TEST(of({port("http", 65536)}).size() == 1U);
    BOOST_TEST(of({port("http", 65535)}).empty());
}

BOOST_AUTO_TEST_CASE(invalid_service_ports_are_reported) {
    auto const of = [](std::vector<core::container_port> ports) {
        return findings(changed(1, [&](pytorch_job& j) { training(j).ports = std::move(ports); }),
                        "lint.service-ports");
    };
    // The operator adds its own port, so that one without name is always one of several.
    BOOST_TEST(
        of({port("", 8080)}) ==
            lines{of_training +
                  ".ports[0]: port 8080 has no name, expected one because the operator adds the port pytorchjob-port"},
        boost::test_tools::per_element());
    BOOST_TEST(of({port("http", 8080)}).empty());
    BOOST_TEST(of({port("mine", 23456)}).size() == 1U);
    BOOST_TEST(of({port("dns", 53, "UDP"), port("dns-tcp", 53, "TCP")}).size() == 1U);
    // Services are made of the training container only.
    pytorch_job j = job(1, 1);
    j.spec.pytorch_replica_specs["Worker"].template_.spec.containers.push_back(named("log"));
    j.spec.pytorch_replica_specs["Worker"].template_.spec.containers[1].ports = {port("", 1), port("", 1)};
    BOOST_TEST(findings(j, "lint.service-ports").empty());
}

BOOST_AUTO_TEST_CASE(side_containers_that_never_end_are_reported) {
    pytorch_job j = job(1, 1);
    BOOST_TEST(findings(j, "lint.sidecar").empty());
    j.spec.pytorch_replica_specs["Worker"].template_.spec.containers.push_back(named("log"));
    BOOST_TEST(findings(j, "lint.sidecar") == lines{worker + ".template.spec.containers[1]: container \"log\" must end "
                                                             "before the pod of \"pytorch\" counts as finished"},
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(moving_image_tags_are_reported) {
    auto const of = [](std::string image) {
        return findings(changed(1, [&](pytorch_job& j) { training(j).image = std::move(image); }), "lint.moving-image")
            .size();
    };
    for (auto const* image : {"train", "train:latest", "registry:5000/train", "a/b/train:latest"})
        BOOST_TEST(of(image) == 1U, image);
    for (auto const* image : {"train:1", "registry:5000/train:1.2", "train@sha256:00", "train:latest@sha256:00"})
        BOOST_TEST(of(image) == 0U, image);
}

BOOST_AUTO_TEST_CASE(invalid_requests_and_limits_are_reported) {
    auto const of = [](std::string name, std::string requested, std::string limit) {
        return findings(changed(1,
                                [&](pytorch_job& j) {
                                    auto& resources = training(j).resources;
                                    if (!requested.empty()) resources.requests.emplace(name, requested);
                                    if (!limit.empty()) resources.limits.emplace(name, limit);
                                }),
                        "lint.resources");
    };
    BOOST_TEST(of("cpu", "2", "1500m") ==
                   lines{of_training + ".resources.requests: Invalid value: \"2\": must be less than or equal to cpu "
                                       "limit of 1500m"},
               boost::test_tools::per_element());
    BOOST_TEST(of("cpu", "1", "1000m").empty());
    BOOST_TEST(of("memory", "1Gi", "").empty());
    BOOST_TEST(of("memory", "1024Mi", "1Gi").empty());
    BOOST_TEST(of("nvidia.com/gpu", "1", "2").size() == 1U);
    BOOST_TEST(of("nvidia.com/gpu", "1", "").size() == 1U);
    BOOST_TEST(of("nvidia.com/gpu", "", "2").empty());
    BOOST_TEST(of("nvidia.com/gpu", "", "500m").size() == 1U);
    BOOST_TEST(of("hugepages-2Mi", "2Mi", "4Mi").size() == 2U); // nor do they come without cpu and memory
    BOOST_TEST(of("gpu", "", "1") ==
                   lines({of_training + ".resources.limits[gpu]: Invalid value: gpu: must be a standard "
                                        "resource type or fully qualified",
                          of_training + ".resources.limits[gpu]: Invalid value: gpu: must be a standard "
                                        "resource for containers"}),
               boost::test_tools::per_element());
    BOOST_TEST(of("cpu", "-1", "").size() == 1U);
}

BOOST_AUTO_TEST_CASE(mounts_of_missing_volumes_are_reported) {
    auto const of = [](std::string mounted) {
        pytorch_job j = job(1, 1);
        j.spec.pytorch_replica_specs["Worker"].template_.spec.volumes.emplace_back().name = "data";
        training(j).volume_mounts.emplace_back().name = std::move(mounted);
        training(j).volume_mounts.back().mount_path = "/data";
        return findings(j, "lint.volume-mount");
    };
    BOOST_TEST(of("date") == lines{of_training + ".volumeMounts[0].name: Not found: \"date\""},
               boost::test_tools::per_element());
    BOOST_TEST(of("data").empty());
}

BOOST_AUTO_TEST_SUITE_END()
