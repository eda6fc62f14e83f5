#include "local/kubelet/images/image_commands.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(local_image_commands)

using namespace kftrain;
using local::matches_image;

namespace {

using words = std::vector<std::string>;

words split(std::string_view line) {
    auto const all = local::split_command(line);
    BOOST_TEST_REQUIRE(all.has_value(), line);
    return *all;
}

} // namespace

// As `sh -c 'printf "<%s>" LINE'` of a POSIX shell prints them.
BOOST_AUTO_TEST_CASE(a_command_line_is_split_like_in_a_shell) {
    BOOST_TEST(split("python3 -m  train\t--lr 0.1 ") == (words{"python3", "-m", "train", "--lr", "0.1"}));
    BOOST_TEST(split(R"(sh -c 'echo "$A"; exit')") == (words{"sh", "-c", R"(echo "$A"; exit)"}));
    BOOST_TEST(split(R"(a "b c"d '' "\"\\\x" \  'it'\''s')") == (words{"a", "b cd", "", R"("\\x)", " ", "it's"}));
    for (auto const* bad : {"", "  ", "'a", "\"a", "a 'b\""}) BOOST_TEST(!local::split_command(bad).has_value(), bad);
}

BOOST_AUTO_TEST_CASE(a_pattern_matches_an_image_with_or_without_its_tag) {
    auto const image = "registry:5000/team/train:v1";
    for (auto const* pattern : {"registry:5000/team/train:v1", "registry:5000/team/train", "*", "*/train", "*train*",
                                "registry:5000/*", "*:v1"})
        BOOST_TEST(matches_image(pattern, image), pattern);
    for (auto const* pattern : {"train", "registry", "registry:5000/team/train:v2", "*/train:", "", "*x"})
        BOOST_TEST(!matches_image(pattern, image), pattern);
    BOOST_TEST(matches_image("a/b", "a/b@sha256:12"));
    BOOST_TEST(matches_image("a*", "a"));
    BOOST_TEST(matches_image("*a*b*", "xaxaxbx"));
}

BOOST_AUTO_TEST_CASE(the_longest_pattern_gives_the_command_of_a_container_without_one) {
    local::pod_options options;
    options.commands = {{"*", "any"}, {"team/*", "of team"}, {"team/b*", "of b"}};
    core::pod_spec spec;
    for (auto const* image : {"other", "team/a:1", "team/b:1", "team/b:1"})
        spec.containers.emplace_back().image = image;
    spec.containers.back().command = {"own"};
    spec.init_containers.emplace_back().image = "team/a";
    spec.init_containers.back().args = {"x"};
    local::add_image_commands(spec, options);
    BOOST_TEST(spec.containers[0].command == words{"any"});
    BOOST_TEST(spec.containers[1].command == (words{"of", "team"}));
    BOOST_TEST(spec.containers[2].command == (words{"of", "b"}));
    BOOST_TEST(spec.containers[3].command == words{"own"});
    BOOST_TEST(spec.init_containers[0].command == (words{"of", "team"}));
    BOOST_TEST(spec.init_containers[0].args == words{"x"});
}

BOOST_AUTO_TEST_CASE(options_that_cannot_be_used_are_named) {
    local::pod_options options;
    options.commands = {{"a", "'"}, {"b", "true"}};
    options.volumes = {{"data", "relative"}, {"more", "/"}};
    options.host_paths = {"/", "/no/such/directory"};
    std::vector<std::string> messages;
    for (auto const& i : local::faults_of(options)) messages.push_back(i.message);
    BOOST_TEST(messages == (words{"commands[a]: expected a closing ', got the end of the command",
                                  "volumes[data]: expected an absolute path, got \"relative\"",
                                  "host_paths[1]: expected an existing directory, got \"/no/such/directory\""}),
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
