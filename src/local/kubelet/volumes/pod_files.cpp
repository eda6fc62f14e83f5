#include "local/kubelet/volumes/pod_files.hpp"

#include "local/sandbox/mounts/open_without_links.hpp"
#include "local/sandbox/netlink.hpp"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <map>

namespace kftrain::local {
namespace {

std::filesystem::path folder_of(std::filesystem::path const& directory, pod const& p) {
    return directory / "pods" / p.metadata.uid;
}

void append_missing(std::vector<std::string>& to, std::vector<std::string> const& more) {
    for (auto const& text : more)
        if (std::ranges::find(to, text) == to.end()) to.push_back(text);
}

std::string line(std::string_view keyword, std::vector<std::string> const& values) {
    std::string out;
    for (auto const& v : values) out.append(out.empty() ? keyword : "").append(" ").append(v);
    return out.empty() ? out : out + "\n";
}

error_code write(std::filesystem::path const& file, std::string const& text) {
    std::ofstream out(file);
    out << text;
    out.close();
    return out ? error_code() : error_code(errno, boost::system::system_category());
}

/// @par Upstream kubernetes v1.31 `pkg/kubelet/kubelet_pods.go`, `hostsEntriesFromHostAliases`
std::string host_alias_lines(pod const& p) {
    std::string lines;
    for (auto const& alias : p.spec.host_aliases) {
        lines += alias.ip;
        for (auto const& name : alias.hostnames) lines += "\t" + name;
        lines += "\n";
    }
    return lines;
}

} // namespace

std::string resolv_conf_of(pod const& p) {
    std::vector<std::string> servers;
    std::vector<std::string> searches;
    std::map<std::string, std::string> options;
    if (p.spec.dns_policy != "None") {
        servers = {sandbox::bridge_address};
        searches = {p.metadata.namespace_ + ".svc.cluster.local", "svc.cluster.local", "cluster.local"};
        options["ndots"] = "5";
    }
    if (p.spec.dns_config) {
        append_missing(servers, p.spec.dns_config->nameservers);
        append_missing(searches, p.spec.dns_config->searches);
        for (auto const& o : p.spec.dns_config->options) options[o.name] = o.value.value_or("");
    }
    std::vector<std::string> values;
    for (auto const& [name, value] : options) values.push_back(value.empty() ? name : name + ":" + value);
    std::string text = line("search", searches);
    for (auto const& s : servers) text += line("nameserver", {s});
    return text + line("options", values);
}

error_code write_pod_files(std::filesystem::path const& directory, pod const& p, pod_sandbox& box) {
    auto const folder = folder_of(directory, p);
    std::error_code failed;
    std::filesystem::create_directories(folder, failed);
    if (failed) return failed;

    auto const& ns = p.metadata.namespace_;
    std::string own_name = box.hostname;
    if (!p.spec.subdomain.empty())
        own_name = box.hostname + "." + p.spec.subdomain + "." + ns + ".svc.cluster.local " + box.hostname;
    auto const hosts = folder / "hosts";
    auto const resolv = folder / "resolv.conf";
    auto ec = write(hosts, "127.0.0.1 localhost\n::1 localhost ip6-localhost ip6-loopback\n" + box.address + " " +
                               own_name + "\n" + host_alias_lines(p));
    if (!ec) ec = write(resolv, resolv_conf_of(p));
    box.hosts_file = hosts.string();
    box.resolv_conf = resolv.string();
    return ec;
}

bool may_call_api(pod const& p) {
    return !p.spec.service_account_name.empty() && p.spec.automount_service_account_token.value_or(true);
}

bind_mount account_mount(std::filesystem::path const& directory, pod const& p) {
    return bind_mount((folder_of(directory, p) / "account").string(), "/var/run/secrets/kubernetes.io/serviceaccount",
                      true);
}

error_code write_account(std::filesystem::path const& directory, pod const& p, pod_api_access const& access) {
    std::filesystem::path const folder = account_mount(directory, p).source;
    std::error_code failed;
    std::filesystem::create_directories(folder, failed);
    error_code ec = failed;
    if (!ec) ec = write(folder / "token", access.make_token(p));
    if (!ec) ec = write(folder / "ca.crt", access.ca_pem);
    if (!ec) ec = write(folder / "namespace", p.metadata.namespace_);
    return ec;
}

std::filesystem::path volume_folder(std::filesystem::path const& directory, pod const& p, std::string const& name) {
    return folder_of(directory, p) / "volumes" / name;
}

std::filesystem::path layer_folder(std::filesystem::path const& directory, pod const& p, std::string const& process) {
    return folder_of(directory, p) / "layers" / process;
}

std::filesystem::path termination_file(std::filesystem::path const& directory, pod const& p,
                                       std::string const& process) {
    return folder_of(directory, p) / "termination" / process;
}

void remove_pod_files(std::filesystem::path const& directory, pod const& p) noexcept {
    try {
        sandbox::remove_tree(folder_of(directory, p).string()); // also directories without read permission
    } catch (std::exception const&) {
        return; // what remains is removed with the directory of the node
    }
}

} // namespace kftrain::local
