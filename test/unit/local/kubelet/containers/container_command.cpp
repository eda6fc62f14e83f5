#include "local/kubelet/containers/container_command.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(local_container_command)

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

container_command of(pod const& p) { return command_of(p, p.spec.containers[0]).value(); }

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
    p.spec.containers[0].env = {core::env_var("VAR_A", "A"), core::env_var("VAR_B", "B"),
                                core::env_var("VAR_EMPTY", "")};
    p.spec.containers[0].args = {text};
    return of(p).argv.back();
}

} // namespace

BOOST_AUTO_TEST_CASE(arguments_follow_the_command) {
    auto p = sample();
    p.spec.containers[0].command = {"python3", "train.py"};
    p.spec.containers[0].args = {"--epochs", "3"};
    std::vector<std::string> const expected{"python3", "train.py", "--epochs", "3"};
    BOOST_TEST(of(p).argv == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(host_name_path_and_home_are_always_set) {
    auto p = sample();
    BOOST_TEST(value_of(of(p), "HOSTNAME") == "pt-worker-0");
    BOOST_TEST(value_of(of(p), "PATH").find("/usr/bin") != std::string::npos);
    BOOST_TEST(value_of(of(p), "HOME") != "(absent)");
    p.spec.hostname = "other";
    p.spec.containers[0].env = {core::env_var("PATH", "/opt/bin")};
    BOOST_TEST(value_of(of(p), "HOSTNAME") == "other");
    BOOST_TEST(value_of(of(p), "PATH") == "/opt/bin");
}

BOOST_AUTO_TEST_CASE(the_last_of_equal_variable_names_wins) {
    auto p = sample();
    p.spec.containers[0].env = {core::env_var("A", "1"), core::env_var("A", "2")};
    BOOST_TEST(value_of(of(p), "A") == "2");
}

BOOST_AUTO_TEST_CASE(values_refer_to_variables_defined_before_them) {
    auto p = sample();
    p.spec.containers[0].env = {core::env_var("A", "1"), core::env_var("B", "$(A)$(LATER)"),
                                core::env_var("LATER", "x")};
    BOOST_TEST(value_of(of(p), "B") == "1$(LATER)");
}

BOOST_AUTO_TEST_CASE(a_value_is_not_expanded_twice) {
    auto p = sample();
    p.spec.containers[0].env = {core::env_var("A", "$$(B)"), core::env_var("B", "b"), core::env_var("C", "$(A)")};
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

// execve(2): one string has at most 128 KiB with its NUL byte.
BOOST_AUTO_TEST_CASE(exponential_variable_expansion_is_rejected_early) {
    auto p = sample();
    auto& env = p.spec.containers[0].env;
    env = {core::env_var("A", std::string(1000, 'x'))};
    for (int i = 0; i < 40; ++i) env.push_back(core::env_var("A", "$(A)$(A)"));
    auto const c = command_of(p, p.spec.containers[0]);
    BOOST_TEST_REQUIRE(c.has_error());
    BOOST_TEST((c.error().code == make_error_code(errc::too_large)));
    BOOST_TEST(c.error().detail.path == "env[8].value"); // 256,000 bytes
    for (auto const* part : {"variable \"A\"", "131071"})
        BOOST_TEST(c.error().detail.message.find(part) != std::string::npos, c.error().detail.message);
}

BOOST_AUTO_TEST_CASE(the_length_of_a_string_has_the_limit_of_the_kernel) {
    auto p = sample();
    auto& c = p.spec.containers[0];
    c.env = {core::env_var("NAME", std::string(131'071 - 5, 'x'))}; // NAME=...
    c.args = {std::string(131'071, 'x')};
    BOOST_TEST(command_of(p, c).has_value());
    c.env[0].value += 'x';
    BOOST_TEST(command_of(p, c).error().detail.path == "env[0].value");
    c.env.clear();
    c.args[0] += 'x';
    BOOST_TEST(command_of(p, c).error().detail.path == "args[0]");
}

BOOST_AUTO_TEST_CASE(the_total_length_of_strings_is_limited) {
    auto p = sample();
    auto& c = p.spec.containers[0];
    c.env = {core::env_var("A", std::string(100'000, 'x'))};
    for (int i = 0; i < 100; ++i) c.args.emplace_back("$(A)");
    auto const command = command_of(p, c);
    BOOST_TEST_REQUIRE(command.has_error());
    BOOST_TEST(command.error().detail.path == "args[61]");
    BOOST_TEST(command.error().detail.message.find("6291456") != std::string::npos, command.error().detail.message);
}

BOOST_AUTO_TEST_CASE(many_references_without_an_end_are_read_once) {
    std::string text;
    for (int i = 0; i < 40'000; ++i) text += "$(";
    BOOST_TEST((expanded(text) == text));
}

BOOST_AUTO_TEST_CASE(a_long_host_name_is_cut_as_a_kubelet_cuts_it) {
    auto p = sample();
    p.metadata.name = std::string(62, 'a') + "-b";
    BOOST_TEST(value_of(of(p), "HOSTNAME") == std::string(62, 'a'));
    p.metadata.name = std::string(64, 'a');
    BOOST_TEST(value_of(of(p), "HOSTNAME") == std::string(63, 'a'));
}

// Expected: kubelet v1.31, pkg/kubelet/container/helpers.go, ExpandContainerVolumeMounts
BOOST_AUTO_TEST_CASE(a_sub_path_can_use_variables_of_the_container) {
    std::vector<std::string> const env{"POD=a-0", "EMPTY=", "WITH=x=y"};
    BOOST_TEST(expand_sub_path("logs/$(POD)/$(WITH)$(EMPTY)", env).value() == "logs/a-0/x=y");
    BOOST_TEST(expand_sub_path("$$(NONE)/plain", env).value() == "$(NONE)/plain");
    auto const missing = expand_sub_path("$(POD)/$(NONE)", env);
    BOOST_TEST_REQUIRE(!missing.has_value());
    BOOST_TEST(missing.error().detail.message == "missing value for \"NONE\"");
}

BOOST_AUTO_TEST_SUITE_END()
