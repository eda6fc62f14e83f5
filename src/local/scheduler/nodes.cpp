#include "local/scheduler/scheduler.hpp"

#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <thread>

namespace kftrain::local {
namespace {

/// The GPUs that the driver of NVIDIA shows: `nvidia0`, `nvidia1`, ..., besides files such as `nvidiactl`.
std::int64_t count_gpus(std::filesystem::path const& devices) {
    constexpr std::string_view prefix = "nvidia";
    std::int64_t count = 0;
    std::error_code ignored;
    for (auto const& entry : std::filesystem::directory_iterator(devices, ignored)) {
        auto const name = entry.path().filename().string();
        bool const is_gpu = name.size() > prefix.size() && name.starts_with(prefix) &&
                            name.find_first_not_of("0123456789", prefix.size()) == name.npos;
        if (is_gpu) ++count;
    }
    return count;
}

} // namespace

std::vector<core::node> make_nodes(std::int32_t number, resource_list const& resources, time_point now,
                                   std::filesystem::path const& devices) {
    auto capacity = resources;
    auto const set_default = [&](char const* name, std::int64_t value, quantity::format format) {
        if (!capacity.contains(name)) capacity[name] = quantity::from(value, format);
    };
    set_default("cpu", std::max(1U, std::thread::hardware_concurrency()), quantity::format::decimal_si);
    set_default("memory", std::int64_t{::sysconf(_SC_PHYS_PAGES)} * ::sysconf(_SC_PAGESIZE),
                quantity::format::binary_si);
    set_default("pods", 110, quantity::format::decimal_si);
    if (auto const gpus = count_gpus(devices); gpus != 0)
        set_default("nvidia.com/gpu", gpus, quantity::format::decimal_si);
    ::utsname system{};
    ::uname(&system);

    std::vector<core::node> nodes(static_cast<std::size_t>(std::max(number, 0)));
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        auto& n = nodes[i];
        n.metadata.name = "local-" + std::to_string(i);
        n.metadata.labels = {{"kubernetes.io/hostname", n.metadata.name},
                             {"kubernetes.io/os", "linux"},
                             {"kubernetes.io/arch", std::string(system.machine) == "aarch64" ? "arm64" : "amd64"}};
        n.status.capacity = capacity;
        n.status.allocatable = capacity;
        auto& ready = n.status.conditions.emplace_back();
        ready.type = "Ready";
        ready.status = "True";
        ready.reason = "KubeletReady";
        ready.message = "kubelet is posting ready status";
        ready.last_transition_time = now;
        ready.last_heartbeat_time = now;
        auto& address = n.status.addresses.emplace_back();
        address.type = "Hostname";
        address.address = n.metadata.name;
        auto& info = n.status.node_info;
        info.kernel_version = system.release;
        info.operating_system = "linux";
        info.architecture = n.metadata.labels["kubernetes.io/arch"];
    }
    return nodes;
}

} // namespace kftrain::local
