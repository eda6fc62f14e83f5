#include "local/sandbox/mounts/mount_points.hpp"

#include "local/sandbox/channel.hpp"
#include "local/sandbox/mounts/mount_point_record.hpp"

#include <algorithm>
#include <fcntl.h>
#include <stdexcept>
#include <sys/stat.h>

namespace kftrain::local::sandbox {
namespace {

namespace json = boost::json;
namespace fs = std::filesystem;

constexpr int patience = 100; ///< in milliseconds, with another node that removes what we want to use

bool is_forbidden(int error) { return error == EACCES || error == EPERM || error == EROFS || error == EEXIST; }

} // namespace

void mount_points::answer(json::object const& request, json::object& reply) {
    auto const pod = text_of(request, "pod");
    fs::path path = text_of(request, "existing");
    struct stat existing{};
    bool const ours = ::lstat(path.c_str(), &existing) == 0 &&
                      static_cast<std::int64_t>(existing.st_dev) == number_of(request, "device") &&
                      static_cast<std::int64_t>(existing.st_ino) == number_of(request, "inode");
    if (!ours) {
        reply["elsewhere"] = true;
        return;
    }
    // Directories of other pods or nodes on the path must stay for this pod.
    fs::path part;
    for (auto const& name : path) take((part /= name).string(), pod);
    auto const missing = texts_of(request, "missing");
    for (std::size_t i = 0; i < missing.size(); ++i) {
        path /= missing[i];
        bool const last = i + 1 == missing.size();
        for (int tries = 0; !take(path.string(), pod); ++tries) {
            if (tries == patience) throw std::system_error(EBUSY, std::generic_category(), "use " + path.string());
            if (tries != 0) ::usleep(1000);
            struct stat info{};
            if (::stat(path.c_str(), &info) == 0 && !is_made_mount_point(info)) break; // somebody else was faster
            make(path.string(), !last || request.at("directory").as_bool(), pod);
        }
    }
}

/// True if the path is such a mount point, which from now on stays for the pod.
bool mount_points::take(std::string const& path, std::string const& pod) {
    auto const known = std::ranges::find(points_, path, &point::path);
    if (known != points_.end() && leads_to(path, known->lock.get())) {
        known->pods.insert(pod);
        return true;
    }
    struct stat info{};
    if (::lstat(path.c_str(), &info) != 0 || !is_made_mount_point(info)) return false;
    point p;
    p.path = path;
    p.lock = lock_mount_point(path);
    if (!p.lock) return false;
    if (known != points_.end()) points_.erase(known); // it was moved away
    p.pods.insert(pod);
    record(path);
    points_.push_back(std::move(p));
    return true;
}

void mount_points::record(std::string const& path) {
    if (node_directory_.empty() || recorded_.contains(path)) return;
    record_mount_point(node_directory_, path);
    recorded_.insert(path);
}

void mount_points::make(std::string const& path, bool directory, std::string const& pod) {
    // Recorded before it exists: the other order could leave one without a record.
    record(path);
    unique_fd file;
    if (directory ? ::mkdir(path.c_str(), 0755 | mount_point_mark) == 0
                  : (file.reset(::open(path.c_str(), O_CREAT | O_EXCL | O_RDONLY | O_CLOEXEC, 0644 | mount_point_mark)),
                     bool(file))) {
        // Whatever the file mode creation mask took away.
        ::chmod(path.c_str(), (directory ? 0755U : 0644U) | mount_point_mark);
        take(path, pod);
        return;
    }
    int const error = errno;
    struct stat info{};
    if (error == EEXIST && ::stat(path.c_str(), &info) == 0) return; // another node was faster
    throw std::system_error(error, std::generic_category(), "make \"" + path + "\"");
}

void mount_points::ensure_directory(std::string const& path, std::string const& owner) {
    if (!take(path, owner)) make(path, true, owner);
}

void mount_points::forget(std::string const& pod) {
    for (auto at = points_.size(); at-- > 0;) { // what is inside goes first
        auto& p = points_[at];
        if (p.pods.erase(pod) == 0 || !p.pods.empty()) continue;
        remove_mount_point(p.path, std::move(p.lock));
        points_.erase(points_.begin() + static_cast<std::ptrdiff_t>(at));
    }
}

void mount_points::clear() {
    for (; !points_.empty(); points_.pop_back())
        remove_mount_point(points_.back().path, std::move(points_.back().lock));
}

mount_point_link::outcome mount_point_link::create(fs::path const& existing, fs::path const& target,
                                                   bool directory) const {
    if (socket_ < 0) return outcome::elsewhere;
    struct stat info{};
    if (::stat(existing.c_str(), &info) != 0 && errno == ENOENT) return outcome::gone;
    json::array missing;
    for (auto const& name : target) missing.emplace_back(name.string());
    auto const reply = call(socket_, json::object{{"pod", pod_},
                                                  {"existing", existing.string()},
                                                  {"device", static_cast<std::int64_t>(info.st_dev)},
                                                  {"inode", static_cast<std::int64_t>(info.st_ino)},
                                                  {"missing", std::move(missing)},
                                                  {"directory", directory}})
                           .body;
    if (reply.contains("elsewhere")) return ::access(existing.c_str(), F_OK) == 0 ? outcome::elsewhere : outcome::gone;
    if (!reply.contains("error")) return outcome::there;
    auto const error = reply.contains("errno") ? static_cast<int>(number_of(reply, "errno")) : 0;
    if (error == ENOENT) return outcome::gone;
    if (is_forbidden(error)) return outcome::refused;
    throw failed_step(text_of(reply, "error"), error);
}

void mount_point_link::ended() const {
    if (socket_ >= 0) call(socket_, json::object{{"ended", pod_}});
}

} // namespace kftrain::local::sandbox
