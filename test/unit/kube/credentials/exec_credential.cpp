#include "kube/credentials/exec_credential.hpp"
#include "support/temporary_directory.hpp"

#include <boost/test/unit_test.hpp>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

BOOST_AUTO_TEST_SUITE(kube_exec_credential)

namespace kube = kftrain::kube;
using namespace kftrain::kube::detail;
using kftrain::reason;

namespace {

std::string const v1 = "client.authentication.k8s.io/v1";
std::string const v1beta1 = "client.authentication.k8s.io/v1beta1";

std::string answer(std::string const& status, std::string const& version = v1) {
    return R"({"kind":"ExecCredential","apiVersion":")" + version + R"(","spec":{"interactive":false},"status":{)" +
           status + "}}";
}

std::string fault_in(std::string const& text) {
    auto const r = read_exec_credential(text, v1);
    if (r) return "none";
    BOOST_TEST((r.error().code == reason::unauthorized));
    return r.error().detail.message;
}

kube::config with_plugin() {
    kube::config c;
    c.server = "https://h:6443";
    auto& plugin = c.exec.emplace();
    plugin.command = "aws";
    plugin.api_version = v1;
    return c;
}

std::string verdict(exec_outcome::end how, int value, std::string const& output = "", std::string const& words = "",
                    std::string const& hint = "") {
    kube::exec_plugin plugin;
    plugin.command = "aws";
    plugin.api_version = v1;
    plugin.install_hint = hint;
    exec_outcome outcome;
    outcome.how = how;
    outcome.value = value;
    outcome.output = output;
    outcome.error_tail = words;
    auto const r = judge_exec(plugin, outcome, kube::https_options());
    return r ? "token " + r->token : r.error().detail.message;
}

} // namespace

BOOST_AUTO_TEST_CASE(a_plugin_gets_its_version_and_the_cluster_only_on_request) {
    auto c = with_plugin();
    BOOST_TEST(
        exec_info(c) ==
        R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","spec":{"interactive":false}})");
    c.exec->provide_cluster_info = true;
    BOOST_TEST(exec_info(c).find(R"("cluster":{"server":"https://h:6443","config":null})") != std::string::npos,
               exec_info(c));
    c.ca_pem = "CA";
    c.tls_server_name = "api";
    c.proxy_url = "http://p";
    c.disable_compression = true;
    c.exec->cluster_config = R"({"audience":"x"})";
    BOOST_TEST(exec_info(c).find(R"("cluster":{"server":"https://h:6443","tls-server-name":"api",)"
                                 R"("certificate-authority-data":"Q0E=","proxy-url":"http://p",)"
                                 R"("disable-compression":true,"config":{"audience":"x"}})") != std::string::npos,
               exec_info(c));
    c.ca_pem.clear();
    c.insecure_skip_tls_verify = true;
    BOOST_TEST(exec_info(c).find(R"("insecure-skip-tls-verify":true)") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(variables_of_the_plugin_win_over_those_of_the_process) {
    auto c = with_plugin();
    c.exec->env = {{"PATH", "/mine"}, {"KUBERNETES_EXEC_INFO", "not this"}};
    unsigned found = 0;
    for (auto const& v : exec_variables(c)) {
        if (v.starts_with("PATH=")) BOOST_TEST(v == "PATH=/mine");
        if (v.starts_with("KUBERNETES_EXEC_INFO=")) BOOST_TEST(v.find("ExecCredential") != v.npos);
        found += v.starts_with("PATH=") || v.starts_with("KUBERNETES_EXEC_INFO=") ? 1 : 0;
    }
    BOOST_TEST(found == 2U);
}

BOOST_AUTO_TEST_CASE(output_of_a_plugin_is_parsed) {
    auto const r = read_exec_credential(
        answer(R"("expirationTimestamp":"1970-01-01T00:01:00Z","token":"t","clientCertificateData":"C",)"
               R"("clientKeyData":"K")"),
        v1);
    BOOST_TEST_REQUIRE(r.has_value());
    BOOST_TEST(r->token == "t");
    BOOST_TEST(r->certificate_pem == "C");
    BOOST_TEST(r->key_pem == "K");
    BOOST_TEST((r->expires == obtained_credential::clock::time_point(std::chrono::minutes(1))));
    auto const distant =
        read_exec_credential(answer(R"("token":"t","expirationTimestamp":"9999-12-31T23:59:59Z")"), v1);
    BOOST_TEST_REQUIRE(distant.has_value());
    BOOST_TEST((distant->expires > obtained_credential::clock::time_point(std::chrono::hours(24 * 365 * 200))));
    auto const zero = read_exec_credential(answer(R"("token":"t","expirationTimestamp":"0001-01-01T00:00:00Z")"), v1);
    BOOST_TEST_REQUIRE(zero.has_value());
    BOOST_TEST((zero->expires == obtained_credential::clock::time_point()));
    auto const yaml =
        read_exec_credential("kind: ExecCredential\napiVersion: " + v1beta1 + "\nstatus:\n  token: t\n", v1beta1);
    BOOST_TEST_REQUIRE(yaml.has_value());
    BOOST_TEST(yaml->token == "t");
    BOOST_TEST(!yaml->expires.has_value());
}

BOOST_AUTO_TEST_CASE(an_invalid_credential_is_reported_without_its_values) {
    BOOST_TEST(fault_in(" \n") == "printed nothing, expected an ExecCredential");
    BOOST_TEST(fault_in(answer(R"("token":"t")", v1beta1)) ==
               "printed an ExecCredential of \"" + v1beta1 + "\", expected \"" + v1 + "\"");
    BOOST_TEST(fault_in(R"({"kind":"Status","apiVersion":"v1"})") == "printed an object that is not an ExecCredential");
    BOOST_TEST(fault_in(R"({"kind":"ExecCredential","apiVersion":")" + v1 + "\"}") ==
               "printed an ExecCredential without a status");
    BOOST_TEST(fault_in(answer(R"("token":"a\n")")) ==
               "printed an ExecCredential whose token contains a control character, perhaps a line break");
    BOOST_TEST(fault_in(answer("")) == "printed an ExecCredential with neither a token nor a certificate");
    BOOST_TEST(fault_in(answer(R"("clientCertificateData":"C")")) ==
               "printed an ExecCredential with clientCertificateData but no clientKeyData");
    BOOST_TEST(fault_in(answer(R"("token":"t","clientKeyData":"K")")) ==
               "printed an ExecCredential with clientKeyData but no clientCertificateData");
    BOOST_TEST(fault_in(answer(R"("token":"t","expirationTimestamp":"soon")")) ==
               "printed an ExecCredential whose expirationTimestamp is not an RFC 3339 time");
    for (std::string const text :
         {"s3cret {", "{\"status\":\"s3cret\"}", "{\"status\":{\"token\":[\"s3cret\"]}}", "\"s3cret"}) {
        auto const fault = fault_in(text);
        BOOST_TEST(fault.starts_with("did not print an ExecCredential: "), fault);
        BOOST_TEST(fault.find("s3cret") == fault.npos, fault);
    }
}

BOOST_AUTO_TEST_CASE(every_plugin_failure_names_the_command) {
    using end = exec_outcome::end;
    BOOST_TEST(verdict(end::exited, 0, answer(R"("token":"t")")) == "token t");
    BOOST_TEST(verdict(end::unknown, 0, answer(R"("token":"t")")) == "token t");
    BOOST_TEST(verdict(end::not_started, ENOENT) == "exec plugin \"aws\" was not found");
    BOOST_TEST(verdict(end::not_started, ENOENT, "", "", "see\n\x1b[2Jhttps://x") ==
               "exec plugin \"aws\" was not found: see  [2Jhttps://x");
    BOOST_TEST(verdict(end::not_started, EACCES, "", "", "hint") ==
               "exec plugin \"aws\" cannot be run: Permission denied");
    BOOST_TEST(verdict(end::exited, 3, answer(R"("token":"t")"), "no profile\n") ==
               "exec plugin \"aws\" ended with exit code 3; it printed: no profile");
    BOOST_TEST(verdict(end::killed_by_signal, 9) == "exec plugin \"aws\" was killed by signal 9");
    BOOST_TEST(verdict(end::timed_out, 0) == "exec plugin \"aws\" was killed because it did not end within 60000 ms");
    BOOST_TEST(verdict(end::flooded, 0) == "exec plugin \"aws\" was killed because it printed more than 1048576 bytes");
    BOOST_TEST(verdict(end::exited, 0) == "exec plugin \"aws\" printed nothing, expected an ExecCredential");
}

BOOST_AUTO_TEST_CASE(credentials_are_renewed_a_little_before_they_expire) {
    using time = obtained_credential::clock::time_point;
    using std::chrono::seconds;
    time const begin(seconds(1000));
    BOOST_TEST((renewal_time(begin, begin + seconds(3600)) == begin + seconds(3540)));
    BOOST_TEST((renewal_time(begin, begin + seconds(100)) == begin + seconds(90)));
    BOOST_TEST((renewal_time(begin, begin - seconds(100)) == begin - seconds(100)));
}

BOOST_AUTO_TEST_CASE(plugins_that_may_not_run_are_refused_when_the_transport_is_made) {
    boost::asio::any_io_executor const none;
    auto c = with_plugin();
    c.exec->command = "/opt/bin/aws";
    kube::https_options o;
    for (auto const& [allowed, good] : {std::pair<std::vector<std::string>, bool>{{"aws"}, false},
                                        {{"gcloud", "/opt/bin/aws"}, true},
                                        {{"/usr/bin/aws"}, false},
                                        {{"bin/aws"}, false},
                                        {{}, false}}) {
        o.allowed_plugins = allowed;
        auto const made = make_exec_source(none, c, o);
        BOOST_TEST(made.has_value() == good, allowed.size());
        if (!good && made.has_error())
            BOOST_TEST(made.error().to_string() == "exec.command: \"/opt/bin/aws\" is not an allowed plugin");
    }
    o.allowed_plugins.reset();
    c.exec->interactive_mode = kube::exec_plugin::interaction::always;
    auto const asks = make_exec_source(none, c, o);
    BOOST_TEST_REQUIRE(asks.has_error());
    BOOST_TEST((asks.error().code == kftrain::errc::not_supported));
}

BOOST_AUTO_TEST_CASE(an_allowed_name_matches_only_the_program_found_in_path) {
    boost::asio::any_io_executor const none;
    auto c = with_plugin();
    kube::https_options o;
    o.allowed_plugins = std::vector<std::string>{"kftrain-aws"};
    kftrain::test::temporary_directory const made;
    auto const& directory = made.path;
    made.write("kftrain-aws", "#!/bin/sh\n");
    std::filesystem::permissions(directory / "kftrain-aws", std::filesystem::perms::owner_all);
    auto const takes = [&](std::string const& command) {
        c.exec->command = command;
        return make_exec_source(none, c, o).has_value();
    };
    BOOST_TEST(takes("kftrain-aws")); // it may be installed later
    BOOST_TEST(!takes((directory / "kftrain-aws").string()));
    std::string const before = std::getenv("PATH");
    ::setenv("PATH", (directory.string() + ":" + before).c_str(), 1);
    BOOST_TEST(takes("kftrain-aws"));
    BOOST_TEST(takes((directory / "kftrain-aws").string()));
    BOOST_TEST(takes((directory / "." / "kftrain-aws").string()));
    BOOST_TEST(!takes("/tmp/other/kftrain-aws"));
    BOOST_TEST(!takes(std::string("/bin/sh\0/kftrain-aws", 20)));
    o.allowed_plugins->push_back((directory / "kftrain-aws").string());
    BOOST_TEST(takes("kftrain-aws"));
    ::setenv("PATH", before.c_str(), 1);
}

BOOST_AUTO_TEST_CASE(variables_of_a_configuration_can_be_refused) {
    boost::asio::any_io_executor const none;
    auto c = with_plugin();
    kube::https_options o;
    o.plugin_variables = false;
    BOOST_TEST(make_exec_source(none, c, o).has_value());
    c.exec->env = {{"LD_PRELOAD", "/tmp/x.so"}};
    auto const refused = make_exec_source(none, c, o);
    BOOST_TEST_REQUIRE(refused.has_error());
    BOOST_TEST(
        refused.error().to_string() ==
        "exec.env: sets \"LD_PRELOAD\" for the plugin, expected no variables: plugins cannot set variables here");
    o.plugin_variables = true;
    BOOST_TEST(make_exec_source(none, c, o).has_value());
    c.exec->env = {{"A", std::string("a\0b", 3)}};
    BOOST_TEST(make_exec_source(none, c, o).has_error());
}

BOOST_AUTO_TEST_CASE(messages_hide_input_of_the_plugin) {
    kube::exec_plugin plugin;
    plugin.command = "aws";
    plugin.api_version = v1;
    plugin.args = {"--token=s3cret-of-args", "s3cret-word", "--region"};
    plugin.env = {{"KEY", "s3cret-of-env"}};
    exec_outcome outcome;
    outcome.how = exec_outcome::end::exited;
    outcome.value = 1;
    outcome.error_tail = "bad s3cret-of-args, s3cret-word, s3cret-of-env in --region\xc2\x9b";
    auto const r = judge_exec(plugin, outcome, kube::https_options());
    BOOST_TEST_REQUIRE(r.has_error());
    BOOST_TEST(r.error().detail.message.ends_with("it printed: bad [hidden], [hidden], [hidden] in --region "),
               r.error().detail.message);
}

BOOST_AUTO_TEST_SUITE_END()
