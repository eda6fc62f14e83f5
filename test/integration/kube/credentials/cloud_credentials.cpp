#include "integration/kube/credentials/credential_plugin.hpp"

#include "model/scalars/base64.hpp"

#include <kftrain/kube/default_config.hpp>

#include <cstdlib>
#include <string>

BOOST_AUTO_TEST_SUITE(integration_cloud_credentials)

using namespace kftrain;
using namespace kftrain::test;

namespace {

/// The plugins of the clouds stand in PATH.
struct plugins_in_path {
    plugins_in_path() : before(std::getenv("PATH") != nullptr ? std::getenv("PATH") : "") {
        ::setenv("PATH", (std::string(KFTRAIN_SOURCE_DIR) + "/test/data/plugins:" + before).c_str(), 1);
    }
    plugins_in_path(plugins_in_path const&) = delete;
    plugins_in_path& operator=(plugins_in_path const&) = delete;
    ~plugins_in_path() { ::setenv("PATH", before.c_str(), 1); }

    std::string before;
};

std::string kubeconfig_of(std::string const& cloud) {
    std::ifstream in(std::string(KFTRAIN_SOURCE_DIR) + "/test/data/kubeconfigs/" + cloud + ".yaml");
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::string replaced(std::string text, std::string const& what, std::string const& by) {
    return text.replace(text.find(what), what.size(), by);
}

/// One request with a kubeconfig as this cloud's tool writes it, found as kubectl finds it: the credentials that
/// arrived.
std::string arrived_with(std::string const& cloud) {
    certificate_authority const ca;
    scratch_directory const home;
    std::string request;
    wire_server s({[&](wire_peer& p) {
                      request = p.read_request();
                      p.answer("hello");
                      p.wait_for_end();
                  }},
                  ca.issue("s", "IP:127.0.0.1"));
    auto text = replaced(kubeconfig_of(cloud), "AUTHORITY", base64_encode(ca.certificate()));
    home.write("config", replaced(std::move(text), "SERVER", "https://127.0.0.1:" + s.port()));
    auto const c = kube::default_config({{"KUBECONFIG", home.file("config")}});
    BOOST_TEST_REQUIRE(c.has_value());
    asio::io_context context;
    auto link = kube::make_https_transport(context.get_executor(), *c);
    BOOST_TEST_REQUIRE(link.has_value());
    answer_probe<std::string> p;
    diagnostics why;
    kube::client(*link).async_call(wired::request("GET", "/version"),
                                   kube::call_options().with_retry(false).with_detail(why), p.handler());
    context.run_for(20s);
    BOOST_TEST(p.ec() == error_code(), why.message);
    link = failure();
    context.restart();
    context.run_for(1ms);
    return authorization_in(request);
}

} // namespace

/// Kubeconfigs as the tools of clouds write them, with plugins that check how they are called.

BOOST_AUTO_TEST_CASE(a_cluster_of_each_cloud_is_reached) {
    plugins_in_path const present;
    BOOST_TEST(arrived_with("eks") == "Bearer k8s-aws-v1.from-eks");
    BOOST_TEST(arrived_with("gke") == "Bearer ya29.from-gke");
    BOOST_TEST(arrived_with("aks") == "Bearer from-aks");
}

BOOST_AUTO_TEST_CASE(a_missing_plugin_is_reported_with_the_install_hint) {
    auto text = replaced(kubeconfig_of("gke"), "AUTHORITY", "");
    text = replaced(std::move(text), "gke-gcloud-auth-plugin\n", "kftrain-no-such-plugin\n");
    auto const c = kube::parse_kubeconfig(replaced(std::move(text), "SERVER", "https://127.0.0.1:1"));
    BOOST_TEST_REQUIRE(c.has_value());
    asio::io_context context;
    auto link = kube::make_https_transport(context.get_executor(), *c);
    answer_probe<std::string> p;
    diagnostics why;
    kube::client(*link).async_call(wired::request("GET", "/version"), kube::call_options().with_detail(why),
                                   p.handler());
    context.run_for(20s);
    BOOST_TEST(p.ec() == make_error_code(reason::unauthorized));
    BOOST_TEST(
        why.message.find("exec plugin \"kftrain-no-such-plugin\" was not found: Install gke-gcloud-auth-plugin for "
                         "use with kubectl by following https://cloud.google.com/") != std::string::npos,
        why.message);
}

BOOST_AUTO_TEST_SUITE_END()
