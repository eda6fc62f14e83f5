#include "local/logs/log_book.hpp"

#include <fcntl.h>

#include <filesystem>

namespace kftrain::local {

kept_folder::~kept_folder() {
    std::error_code ignored; // it may be gone with the folder of the node
    std::filesystem::remove_all(path_, ignored);
}

log_run::log_run(std::shared_ptr<kept_folder> of_pod, std::string_view container, std::int32_t number)
    : of_pod_(std::move(of_pod)), folder_(of_pod_->path() / container / std::to_string(number)), number_(number) {}

sandbox::unique_fd log_run::open_folder(error_code& failed) const {
    std::error_code unmade; // explains more than the failure to open that follows
    std::filesystem::create_directories(folder(), unmade);
    sandbox::unique_fd opened(::open(folder().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!opened) failed = unmade ? error_code(unmade) : error_code(errno, boost::system::system_category());
    return opened;
}

/// The one place that names the folder of a pod's logs.
std::filesystem::path log_book::folder_of(pod const& p) const {
    return directory_ / p.metadata.uid; // with the names it could be longer than a file system takes
}

std::shared_ptr<log_run> log_book::begin(pod const& p, std::string const& container, std::int32_t number) {
    auto& of_pod = pods_[p.metadata.uid];
    if (!of_pod.folder) of_pod.folder = std::make_shared<kept_folder>(folder_of(p));
    auto& runs = of_pod.containers[container];
    // Not another object for the same folder, which the first of them would remove in the end.
    if (auto const known = runs.find(number); known != runs.end()) return known->second;
    auto run = std::make_shared<log_run>(of_pod.folder, container, number);
    runs[number] = run;
    while (runs.size() > 2) runs.erase(runs.begin());
    return run;
}

void log_book::end_runs(std::string const& uid, std::string_view container) {
    auto const of_pod = pods_.find(uid);
    if (of_pod == pods_.end()) return;
    for (auto const& [name, runs] : of_pod->second.containers)
        if (container.empty() || name == container)
            for (auto const& [number, run] : runs) run->end();
}

void log_book::forget(std::string const& uid) {
    end_runs(uid);
    pods_.erase(uid);
}

std::shared_ptr<log_run const> log_book::find(std::string const& uid, std::string const& container,
                                              std::optional<std::int32_t> number) const {
    auto const of_pod = pods_.find(uid);
    if (of_pod == pods_.end()) return nullptr;
    auto const runs = of_pod->second.containers.find(container);
    if (runs == of_pod->second.containers.end() || runs->second.empty()) return nullptr;
    if (!number) return runs->second.rbegin()->second;
    auto const run = runs->second.find(*number);
    return run == runs->second.end() ? nullptr : run->second;
}

} // namespace kftrain::local
