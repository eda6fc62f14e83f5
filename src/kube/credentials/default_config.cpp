#include <kftrain/kube/default_config.hpp>

#include "kube/credentials/kubeconfig.hpp"

#include <filesystem>
#include <optional>
#include <string_view>
#include <unistd.h>
#include <vector>

namespace kftrain::kube {
namespace {

std::string variable(environment const& env, std::string_view name) {
    auto const found = env.find(name);
    return found != env.end() ? found->second : std::string();
}

std::vector<std::string> split_list(std::string_view list) {
    std::vector<std::string> names;
    while (!list.empty()) {
        auto const end = std::min(list.find(':'), list.size());
        if (end != 0) names.emplace_back(list.substr(0, end));
        list.remove_prefix(std::min(end + 1, list.size()));
    }
    return names;
}

bool exists_any(std::vector<std::string> const& files) {
    for (auto const& file : files) {
        std::error_code ec;
        if (std::filesystem::exists(file, ec) || ec) return true; // a file without read permission is reported later
    }
    return false;
}

/// The files of the environment, and in `looked` the message if none of them holds a configuration.
std::vector<std::string> kubeconfigs_of(environment const& env, std::string& looked) {
    if (auto const list = variable(env, "KUBECONFIG"); !split_list(list).empty()) {
        auto files = split_list(list);
        looked =
            "no file of KUBECONFIG=" + in_quotes(list) + (exists_any(files) ? " contains a configuration" : " exists");
        return files;
    }
    auto const home = variable(env, "HOME");
    if (home.empty()) {
        looked = "neither KUBECONFIG nor HOME is set";
        return {};
    }
    std::vector<std::string> files{(std::filesystem::path(home) / ".kube" / "config").string()};
    looked = in_quotes(files.front()) + (exists_any(files) ? " contains no configuration" : " does not exist") +
             ", and KUBECONFIG is not set";
    return files;
}

result<config> config_of_pod(environment const& env, default_config_options const& options) {
    auto c = in_cluster_config(options.service_account_directory, variable(env, "KUBERNETES_SERVICE_HOST"),
                               variable(env, "KUBERNETES_SERVICE_PORT"));
    if (!c) return c;
    if (auto ns = variable(env, "POD_NAMESPACE"); !ns.empty()) c->namespace_ = std::move(ns);
    return c;
}

bool is_in_pod(environment const& env, default_config_options const& options) {
    std::error_code ec;
    return !variable(env, "KUBERNETES_SERVICE_HOST").empty() && !variable(env, "KUBERNETES_SERVICE_PORT").empty() &&
           std::filesystem::is_regular_file(std::filesystem::path(options.service_account_directory) / "token", ec);
}

result<config> found_config(environment const& env, default_config_options const& options) {
    auto const chosen = kubeconfig_options().with_context(options.context);
    if (!options.kubeconfig.empty()) return load_kubeconfig(options.kubeconfig, chosen);
    std::string looked;
    auto const files = kubeconfigs_of(env, looked);
    if (exists_any(files)) {
        auto const merged = detail::read_kubeconfigs(files, {});
        if (!merged) return merged.error();
        if (!detail::is_blank(*merged))
            return detail::select_context(*merged, detail::selection(options.context), files);
    }
    if (!options.context.empty())
        return detail::config_fault("context", "no context has the name " + in_quotes(options.context) + ": " + looked);
    if (is_in_pod(env, options)) return config_of_pod(env, options);
    return detail::config_fault("", "found no configuration: " + looked +
                                        ", and this process does not run in a pod: KUBERNETES_SERVICE_HOST or "
                                        "KUBERNETES_SERVICE_PORT is not set, or no token exists in " +
                                        in_quotes(options.service_account_directory));
}

} // namespace

environment process_environment() {
    environment variables;
    for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
        std::string_view const text(*entry);
        auto const equals = text.find('=');
        if (equals != std::string_view::npos && equals != 0)
            variables.emplace(text.substr(0, equals), text.substr(equals + 1));
    }
    return variables;
}

result<config> default_config(environment const& env, default_config_options const& options) {
    auto c = found_config(env, options);
    if (c && c->proxy_url.empty()) c->proxy_url = proxy_of(env, c->server);
    if (c && c->oidc) c->oidc->proxy_url = proxy_of(env, c->oidc->issuer_url);
    return c;
}

} // namespace kftrain::kube
