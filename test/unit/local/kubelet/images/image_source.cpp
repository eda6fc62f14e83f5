#include "local/kubelet/images/image_source.hpp"
#include "local/kubelet/containers/container_command.hpp"

#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(local_image_sources)

using namespace kftrain;
using local::image_form;

namespace {

using words = std::vector<std::string>;

boost::json::object object_of(std::string_view text) { return boost::json::parse(text).as_object(); }

std::string digest_of(char digit) { return "sha256:" + std::string(64, digit); }

local::pod_options with_images(string_map images) {
    local::pod_options options;
    options.images = std::move(images);
    return options;
}

std::string refusal_of(boost::json::object const& index, std::string_view tag) {
    try {
        local::sandbox::find_image(index, tag);
    } catch (std::runtime_error const& e) {
        return e.what();
    }
    return {};
}

} // namespace

BOOST_AUTO_TEST_CASE(a_source_of_an_image_is_read_and_written) {
    for (auto const* text : {"host", "venv:/a/b", "dir:/a:b/c", "oci:/a:1/b", "oci:/a/b:v1", "archive:/a/b:c.tar"}) {
        auto const source = local::parse_image_source(text);
        BOOST_TEST_REQUIRE(source.has_value(), text);
        BOOST_TEST(local::to_string(*source) == text);
    }
    auto const tagged = local::parse_image_source("oci:/a:1/b:v1").value();
    BOOST_TEST((tagged.form == image_form::oci));
    BOOST_TEST(tagged.path == "/a:1/b");
    BOOST_TEST(tagged.tag == "v1");
    for (auto const* bad : {"", "hosts", "dir", "dir:", "oci:", "oci:/a:", "oci::v1", "docker://a", "/a"})
        BOOST_TEST(!local::parse_image_source(bad).has_value(), bad);
}

BOOST_AUTO_TEST_CASE(the_longest_pattern_gives_the_source_of_an_image) {
    auto const options = with_images({{"*", "host"}, {"team/*", "dir:/a"}, {"team/bc", "oci:/b"}});
    auto const source = [&](std::string_view image) { return to_string(*local::source_of_image(image, options)); };
    BOOST_TEST(source("other:1") == "host");
    BOOST_TEST(source("team/a:1") == "dir:/a");
    BOOST_TEST(source("team/bc:1") == "oci:/b");
    BOOST_TEST(to_string(*local::source_of_image("a", local::pod_options())) == "host");
}

BOOST_AUTO_TEST_CASE(images_that_no_entry_covers_are_named) {
    core::pod_spec spec;
    for (auto const* image : {"a:1", "b"}) spec.containers.emplace_back().image = image;
    spec.init_containers.emplace_back().image = "c";
    auto const found = local::uncovered_images(spec, with_images({{"a", "host"}}));
    BOOST_TEST_REQUIRE(found.size() == 2U);
    BOOST_TEST(found[0].path == "spec.initContainers[0].image");
    BOOST_TEST(found[1].message ==
               "spec.containers[1].image: image \"b\" is in no entry of the image table; add one with --image "
               "'b=SOURCE' (images in C++ and Python), where SOURCE is host, venv:PATH, dir:PATH, oci:PATH[:TAG] or "
               "archive:FILE");
    BOOST_TEST(local::uncovered_images(spec, local::pod_options()).empty());
}

BOOST_AUTO_TEST_CASE(image_tables_that_cannot_be_used_are_named) {
    auto options = with_images({{"a", "dir:relative"}, {"b", "dir:/no/such"}, {"c", "none"}, {"d", "host"}});
    options.image_store.directory = "x";
    options.image_store.image_files = 0;
    words messages;
    for (auto const& i : local::faults_of(options)) messages.push_back(i.message);
    BOOST_TEST(messages == (words{"images[a]: expected an absolute path, got \"relative\"",
                                  "images[b]: expected an existing directory, got \"/no/such\"",
                                  "images[c]: expected host, venv:PATH, dir:PATH, oci:PATH[:TAG] or archive:FILE, got "
                                  "\"none\"",
                                  "image_store.directory: expected an absolute path, got \"x\"",
                                  "image_store.image_files: expected at least 1, got 0"}),
               boost::test_tools::per_element());
}

// Kubernetes documentation, "Define a Command and Arguments for a Container": the table of the notes.
BOOST_AUTO_TEST_CASE(command_and_args_replace_those_of_the_image) {
    local::image_config image;
    image.entrypoint = {"/ep-1"};
    image.cmd = {"foo", "bar"};
    pod p;
    core::container c;
    auto const run = [&] { return local::command_of(p, c, nullptr, &image).value().argv; };
    BOOST_TEST(run() == (words{"/ep-1", "foo", "bar"}));
    c.command = {"/ep-2"};
    BOOST_TEST(run() == words{"/ep-2"});
    c.args = {"zoo", "boo"};
    BOOST_TEST(run() == (words{"/ep-2", "zoo", "boo"}));
    c.command.clear();
    BOOST_TEST(run() == (words{"/ep-1", "zoo", "boo"}));
}

BOOST_AUTO_TEST_CASE(variables_of_the_container_replace_those_of_the_image) {
    local::image_config image;
    image.env = {"A=image", "B=$(A)", "PATH=/opt/bin"};
    image.user = "0";
    pod p;
    core::container c;
    c.args = {"$(A) $(B)"};
    auto& own = c.env.emplace_back();
    own.name = "A";
    own.value = "pod";
    auto const command = local::command_of(p, c, nullptr, &image).value();
    BOOST_TEST(command.argv == words{"pod $(B)"});
    BOOST_TEST(command.env == (words{"A=pod", "B=$(A)", "HOSTNAME=", "PATH=/opt/bin"}),
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(an_image_configuration_is_read) {
    auto const config = local::sandbox::config_of(object_of(
        R"({"config": {"Entrypoint": ["a"], "Cmd": null, "Env": ["A=b", "bad", "=c"],
            "WorkingDir": "/w", "User": "1:2"}})"));
    BOOST_TEST(config.entrypoint == words{"a"});
    BOOST_TEST(config.cmd.empty());
    BOOST_TEST(config.env == words{"A=b"});
    BOOST_TEST(config.working_dir == "/w");
    BOOST_TEST(config.user == "1:2");
    BOOST_TEST(local::sandbox::to_json(local::sandbox::config_of(local::sandbox::to_json(config))) ==
               local::sandbox::to_json(config));
    BOOST_TEST(local::sandbox::config_of(object_of("{}")).entrypoint.empty());
    for (auto const* bad : {R"({"config": []})", R"({"config": {"Cmd": "a"}})", R"({"config": {"Env": [1]}})",
                            R"({"config": {"User": "a\u0000"}})", R"({"config": {"WorkingDir": "w"}})"})
        BOOST_CHECK_THROW(local::sandbox::config_of(object_of(bad)), std::runtime_error);
}

BOOST_AUTO_TEST_CASE(an_image_of_a_layout_is_found_by_its_tag) {
    auto const descriptor = [](char digit, std::string const& tag) {
        boost::json::object one{{"digest", digest_of(digit)}};
        if (!tag.empty()) one["annotations"] = boost::json::object{{"org.opencontainers.image.ref.name", tag}};
        return one;
    };
    auto const index = [](boost::json::array manifests) { return boost::json::object{{"manifests", manifests}}; };
    using local::sandbox::find_image;
    BOOST_TEST(find_image(index({descriptor('a', "")}), "").digest == digest_of('a'));
    auto const two = index({descriptor('a', "v1"), descriptor('b', "latest")});
    BOOST_TEST(find_image(two, "v1").digest == digest_of('a'));
    BOOST_TEST(find_image(two, "").digest == digest_of('b'));
    BOOST_TEST(refusal_of(two, "v2") == "expected an image with the tag \"v2\", and the layout has these: v1, latest");
    BOOST_TEST(refusal_of(index({}), "") ==
               "expected an image with the tag \"latest\", and the layout has these: none");
    boost::json::object escaping{{"digest", "sha256:../../../../etc/passwd"}};
    BOOST_TEST(refusal_of(index({escaping}), "") == "expected a SHA-256 digest, got \"sha256:../../../../etc/passwd\"");
}

BOOST_AUTO_TEST_SUITE_END()
