#include "local/pod_files.hpp"

#include <cerrno>
#include <filesystem>
#include <fstream>

namespace kftrain::local {
namespace {

std::filesystem::path folder_of(std::filesystem::path const& directory, pod const& p) {
    return directory / "pods" / p.metadata.uid;
}

error_code write(std::filesystem::path const& file, std::string const& text) {
    std::ofstream out(file);
    out << text;
    out.close();
    return out ? error_code() : error_code(errno, boost::system::system_category());
}

} // namespace

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
                               own_name + "\n");
    if (!ec)
        ec = write(resolv, "search " + ns +
                               ".svc.cluster.local svc.cluster.local cluster.local\nnameserver 10.244.0.1\n"
                               "options ndots:5\n");
    box.hosts_file = hosts.string();
    box.resolv_conf = resolv.string();
    return ec;
}

void remove_pod_files(std::filesystem::path const& directory, pod const& p) noexcept {
    std::error_code ignored;
    std::filesystem::remove_all(folder_of(directory, p), ignored);
}

} // namespace kftrain::local
