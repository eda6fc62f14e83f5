// Finds a cluster and the credentials for it, and makes clients that act as the user and as another one.
// [readme]
#include <kftrain/kube/client.hpp>
#include <kftrain/kube/default_config.hpp>
#include <kftrain/kube/https_transport.hpp>

#include <boost/asio/io_context.hpp>

#include <iostream>
#include <string>
#include <vector>

namespace kube = kftrain::kube;

int main(int argc, char** argv) {
    // KUBECONFIG, else ~/.kube/config, else the service account of the pod; or the file in argv[1].
    auto const options = kube::default_config_options().with_kubeconfig(argc > 1 ? argv[1] : "");
    auto const config = kube::default_config(kube::process_environment(), options);
    if (!config) {
        std::cerr << config.error().to_string() << '\n';
        return 1;
    }
    std::cout << config->server << ", namespace " << config->namespace_ << '\n';

    kube::https_options limits;
    limits.allowed_plugins = std::vector<std::string>{"aws", "gke-gcloud-auth-plugin", "kubelogin"};
    boost::asio::io_context context;
    auto const link = kube::make_https_transport(context.get_executor(), *config, limits);
    if (!link) {
        std::cerr << link.error().to_string() << '\n';
        return 1;
    }
    // Both clients use the same connections and credentials. No plugin runs before the first request.
    kube::client const own(*link);
    auto const jane = kube::impersonation().with_user("jane").with_groups({"research"});
    kube::client const of_jane(*link, kube::client_options().with_impersonation(jane));
    std::cout << "one client as the user of the kubeconfig, one as " << of_jane.options().as.user << '\n';
    return own.options().as.empty() ? 0 : 1;
}
// [readme end]
