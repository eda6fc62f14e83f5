#include "local/container_command.hpp"

#include <boost/test/unit_test.hpp>

using namespace kftrain;
using namespace kftrain::local;

namespace {

pod sample() {
    pod p;
    p.metadata.name = "pt-worker-0";
    p.spec.containers.emplace_back();
    p.spec.containers[0].command = {"sh"};
    return p;
}

container_command of(pod const& p) { return command_of(p, p.spec.containers[0]); }

std::string value_of(container_command const& c, std::string const& name) {
    std::string found = "(absent)";
    int count = 0;
    for (auto const& e : c.env)
        if (e.starts_with(name + "=")) found = e.substr(name.size() + 1), ++count;
    BOOST_TEST(count < 2);
    return found;
}

/// One argument after expansion.
std::string expanded(std::string const& text) {
    auto p = sample();
    p.spec.containers[0].env = {env_var("VAR_A", "A"), env_var("VAR_B", "B"), env_var("VAR_EMPTY", "")};
    p.spec.containers[0].args = {text};
    return of(p).argv.back();
}

} // namespace

BOOST_AUTO_TEST_SUITE(local_container_command)

BOOST_AUTO_TEST_CASE(arguments_follow_the_command) {
    auto p = sample();
    p.spec.containers[0].command = {"python3", "train.py"};
    p.spec.containers[0].args = {"--epochs", "3"};
    std::vector<std::string> const expected{"python3", "train.py", "--epochs", "3"};
    BOOST_TEST(of(p).argv == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(host_name_path_and_home_are_there_from_the_start) {
    auto p = sample();
    BOOST_TEST(value_of(of(p), "HOSTNAME") == "pt-worker-0");
    BOOST_TEST(value_of(of(p), "PATH").find("/usr/bin") != std::string::npos);
    BOOST_TEST(value_of(of(p), "HOME") != "(absent)");
    p.spec.hostname = "other";
    p.spec.containers[0].env = {env_var("PATH", "/opt/bin")};
    BOOST_TEST(value_of(of(p), "HOSTNAME") == "other");
    BOOST_TEST(value_of(of(p), "PATH") == "/opt/bin");
}

BOOST_AUTO_TEST_CASE(of_equal_names_the_last_counts) {
    auto p = sample();
    p.spec.containers[0].env = {env_var("A", "1"), env_var("A", "2")};
    BOOST_TEST(value_of(of(p), "A") == "2");
}

BOOST_AUTO_TEST_CASE(values_refer_to_variables_defined_before_them) {
    auto p = sample();
    p.spec.containers[0].env = {env_var("A", "1"), env_var("B", "$(A)$(LATER)"), env_var("LATER", "x")};
    BOOST_TEST(value_of(of(p), "B") == "1$(LATER)");
}

BOOST_AUTO_TEST_CASE(a_value_is_not_expanded_twice) {
    auto p = sample();
    p.spec.containers[0].env = {env_var("A", "$$(B)"), env_var("B", "b"), env_var("C", "$(A)")};
    BOOST_TEST(value_of(of(p), "A") == "$(B)");
    BOOST_TEST(value_of(of(p), "C") == "$(B)");
}

// The cases of the Kubernetes API reference and of the corner it leaves to the implementation.
BOOST_AUTO_TEST_CASE(references_expand_as_kubernetes_expands_them) {
    BOOST_TEST(expanded("$(VAR_A)") == "A");
    BOOST_TEST(expanded("___$(VAR_B)___") == "___B___");
    BOOST_TEST(expanded("$(VAR_A)-$(VAR_B)") == "A-B");
    BOOST_TEST(expanded("$(VAR_EMPTY)") == "");
    BOOST_TEST(expanded("$(VAR_UNKNOWN)") == "$(VAR_UNKNOWN)");
    BOOST_TEST(expanded("$$(VAR_A)") == "$(VAR_A)");
    BOOST_TEST(expanded("$$$(VAR_A)") == "$A");
    BOOST_TEST(expanded("$$$$(VAR_A)") == "$$(VAR_A)");
    BOOST_TEST(expanded("$VAR_A") == "$VAR_A");
    BOOST_TEST(expanded("${VAR_A}") == "${VAR_A}");
    BOOST_TEST(expanded("$(VAR_A") == "$(VAR_A");
    BOOST_TEST(expanded("$") == "$");
    BOOST_TEST(expanded("a$") == "a$");
    BOOST_TEST(expanded("$$") == "$");
    BOOST_TEST(expanded("$()") == "$()");
    BOOST_TEST(expanded("\n$(VAR_A)\n") == "\nA\n");
    BOOST_TEST(expanded("$(VAR_A$(VAR_B)") == "$(VAR_A$(VAR_B)");
    BOOST_TEST(expanded("$(VAR_A))") == "A)");
    BOOST_TEST(expanded("$(HOSTNAME) $(PATH)") == "$(HOSTNAME) $(PATH)");
}

BOOST_AUTO_TEST_SUITE_END()
