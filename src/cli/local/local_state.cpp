#include "cli/local/local_state.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <filesystem>

namespace kftrain::cli {
namespace {

constexpr auto lock_name = "lock";
constexpr auto kubeconfig_name = "kubeconfig";
constexpr auto log_name = "server.log";
constexpr auto previous_log_name = "server.log.1";
constexpr auto images_name = "images.json";
constexpr std::array<std::string_view, 8> known_names{lock_name,         kubeconfig_name,    "kubeconfig.next",
                                                      log_name,          images_name,        "images.json.next",
                                                      previous_log_name, "server.log.1.next"};

/// The number is the version of the format. Other versions are rejected.
constexpr std::string_view header = "kftrain local cluster 1\n";
constexpr std::size_t record_limit = 4096;
constexpr std::size_t kubeconfig_limit = std::size_t(1) << 20U;
constexpr std::size_t previous_log_limit = std::size_t(8) << 20U;

/** The byte of the lock file that is locked. The command that starts a server holds the first lock from the beginning,
    and forked children share it. The second lock has an owner that the kernel reports; it is taken when the record is
    written. */
enum class lock_byte : off_t { taken, server };

struct flock lock_of(lock_byte byte) {
    struct flock lock{};
    lock.l_type = F_WRLCK;
    lock.l_whence = SEEK_SET;
    lock.l_start = static_cast<off_t>(byte);
    lock.l_len = 1;
    return lock;
}

bool is_taken(int fd) {
    auto lock = lock_of(lock_byte::taken);
    return ::fcntl(fd, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

/// The process that holds the server lock; 0 if it is outside of this PID namespace; absent if the lock is free.
std::optional<pid_t> holder(int fd) {
    auto lock = lock_of(lock_byte::server);
    if (::fcntl(fd, F_GETLK, &lock) != 0 || lock.l_type == F_UNLCK) return std::nullopt;
    return std::max<pid_t>(lock.l_pid, 0);
}

struct record {
    process_id server;
    std::string node_directory;

    std::string write() const {
        return std::string(header) + "process " + std::to_string(server.pid) + "\nbegan " +
               std::to_string(server.start) + "\ndirectory " + node_directory + "\n";
    }
};

/// Removes `name VALUE\n` from the front and returns the value.
std::optional<std::string_view> take_line(std::string_view& text, std::string_view name) {
    auto const end = text.find('\n');
    auto line = text.substr(0, end);
    if (end == text.npos || !line.starts_with(name) || line.size() <= name.size()) return std::nullopt;
    text.remove_prefix(end + 1);
    line.remove_prefix(name.size());
    return line;
}

template <class Number> bool read_number(std::optional<std::string_view> text, Number& number) {
    if (!text) return false;
    auto const* const end = text->data() + text->size();
    auto const read = std::from_chars(text->data(), end, number);
    return read.ec == std::errc{} && read.ptr == end;
}

std::optional<record> read_record(std::string_view text) {
    text.remove_prefix(std::min(text.size(), header.size()));
    record r;
    bool const numbers = read_number(take_line(text, "process "), r.server.pid) &&
                         read_number(take_line(text, "began "), r.server.start);
    auto const directory = numbers ? take_line(text, "directory ") : std::nullopt;
    // `local down` removes the directory of a killed server, so only names that a server creates are accepted.
    if (!directory || !text.empty() || !directory->starts_with("/tmp/kftrain-") || directory->size() != 19 ||
        directory->find('/', 5) != directory->npos)
        return std::nullopt;
    r.node_directory = *directory;
    return r;
}

std::string first_line_of(std::string_view text) { return "\"" + std::string(text.substr(0, text.find('\n'))) + "\""; }

/// Reads the lock file and checks that kftrain created it. A file that was just created is still empty.
result<std::string> read_lock(checked_directory const& directory, int fd) {
    auto const path = directory.path() / lock_name;
    auto text = read_open_file(fd, path, record_limit);
    if (!text || text->starts_with(header)) return text;
    auto const names = directory.names(known_names.size() + 1);
    if (!names) return names.error();
    bool const all_known = std::ranges::all_of(
        *names, [](std::string const& name) { return std::ranges::find(known_names, name) != known_names.end(); });
    if (text->empty() && all_known) return text;
    return unexpected(path, text->empty() ? "an empty file" : "a file that begins with " + first_line_of(*text),
                      "a file that begins with " + first_line_of(header) +
                          "; if no local cluster of an older version uses " + directory.path().string() +
                          ", remove that file");
}

/// Checks that the directory is empty or has a lock file.
result<void> check_contents(checked_directory const& directory) {
    auto const names = directory.names(3);
    if (!names) return names.error();
    if (names->empty() || directory.find(lock_name)) return {};
    std::string found = "files that do not belong to a local cluster:";
    for (auto const& name : *names) found += " " + name;
    return unexpected(directory.path(), found, "an empty directory, no directory, or the directory of a local cluster");
}

} // namespace

result<local_standing> local_state::look() const {
    local_standing standing;
    auto const directory = checked_directory::open(directory_);
    if (!directory)
        return no_such_file(directory.error()) ? result<local_standing>(std::move(standing)) : directory.error();
    auto const fd = directory->open_file(lock_name, O_RDONLY);
    if (!fd) return no_such_file(fd.error()) ? result<local_standing>(std::move(standing)) : fd.error();

    auto const pid = holder(fd->get());
    auto const text = read_lock(*directory, fd->get());
    if (!text) return text.error();
    standing.starting = !pid && is_taken(fd->get());
    if (!pid) return standing;
    auto const noted = read_record(*text);
    auto const held_by = "a lock held by " + (*pid == 0 ? std::string("a process outside of this PID namespace")
                                                        : "process " + std::to_string(*pid));
    auto const path = directory_ / lock_name;
    if (!noted) return unexpected(path, held_by + ", without a record", "the record of a server");
    if (noted->server.pid != *pid)
        return unexpected(path, held_by,
                          "a lock held by process " + std::to_string(noted->server.pid) + ", as recorded in the file");
    std::string why_not;
    auto process = known_process::open(noted->server, why_not);
    if (holder(fd->get()) != pid) return standing; // the server ended meanwhile
    if (!process) return unexpected(path, held_by + "; " + why_not, "the server that the file records");
    standing.server.emplace(*std::move(process));
    standing.server->node_directory = noted->node_directory;
    return standing;
}

result<std::string> local_state::read_kubeconfig() const {
    auto const directory = checked_directory::open(directory_);
    if (!directory) return directory.error();
    auto const fd = directory->open_file(kubeconfig_name, O_RDONLY);
    if (!fd) return fd.error();
    return read_open_file(fd->get(), kubeconfig(), kubeconfig_limit);
}

result<std::string> local_state::read_images() const {
    auto const directory = checked_directory::open(directory_);
    if (!directory) return directory.error();
    auto const fd = directory->open_file(images_name, O_RDONLY);
    if (!fd) return no_such_file(fd.error()) ? result<std::string>("{}") : fd.error(); // of an older version
    return read_open_file(fd->get(), directory_ / images_name, kubeconfig_limit);
}

result<held_state> local_state::hold() const {
    auto directory = checked_directory::make(directory_);
    if (!directory) return directory.error();
    if (auto r = check_contents(*directory); !r) return r.error();
    auto fd = directory->open_file(lock_name, O_RDWR | O_CREAT);
    if (!fd) return fd.error();
    if (auto const text = read_lock(*directory, fd->get()); !text) return text.error();
    for (auto const& name : known_names)
        if (auto r = directory->check_file(std::string(name)); !r) return r.error();

    auto lock = lock_of(lock_byte::taken);
    if (::fcntl(fd->get(), F_OFD_SETLK, &lock) != 0) {
        bool const busy = errno == EAGAIN || errno == EACCES;
        if (!busy) return system_failure(directory_ / lock_name, "cannot lock it");
        errno = EAGAIN;
        return system_failure(directory_, "another command is already starting a local cluster there");
    }
    // Removes the record of the previous server.
    if (!write_open_file(fd->get(), header) || ::ftruncate(fd->get(), static_cast<off_t>(header.size())) != 0)
        return system_failure(directory_ / lock_name, "cannot write it");
    return held_state(*std::move(directory), *std::move(fd));
}

result<void> local_state::clean() const {
    auto const directory = checked_directory::open(directory_);
    if (!directory || !directory->find(lock_name) || !directory->find(kubeconfig_name)) return {};
    auto held = hold();
    if (!held && held.error().code == boost::system::errc::resource_unavailable_try_again) return {};
    if (!held) return held.error();
    if (auto const left = held->directory_.find(kubeconfig_name)) held->directory_.remove_file(kubeconfig_name, *left);
    return {};
}

result<unique_fd> held_state::open_log() const {
    auto const path = directory_.path() / log_name;
    auto fd = directory_.open_file(log_name, O_RDWR | O_CREAT);
    if (!fd) return fd;
    struct stat info{};
    if (::fstat(fd->get(), &info) != 0) return system_failure(path, "cannot inspect it");
    auto const from = std::max<off_t>(info.st_size - static_cast<off_t>(previous_log_limit), 0);
    auto const previous = read_open_file(fd->get(), path, previous_log_limit, from);
    if (!previous) return previous.error();
    if (!previous->empty())
        if (auto const kept = directory_.replace_file(previous_log_name, *previous); !kept) return kept.error();
    if (::ftruncate(fd->get(), 0) != 0) return system_failure(path, "cannot empty it");
    return fd;
}

result<void> held_state::write_kubeconfig(std::string const& text) {
    auto const written = directory_.replace_file(kubeconfig_name, text);
    if (!written) return written.error();
    kubeconfig_ = *written;
    return {};
}

result<void> held_state::write_images(std::string const& text) const {
    auto const written = directory_.replace_file(images_name, text);
    if (!written) return written.error();
    return {};
}

void held_state::remove_kubeconfig() noexcept {
    if (kubeconfig_) directory_.remove_file(kubeconfig_name, *kubeconfig_);
}

result<void> held_state::claim(std::filesystem::path const& node_directory) const {
    auto const self = find_process(::getpid());
    record r;
    if (self) r.server = *self;
    r.node_directory = node_directory.string();
    auto lock = lock_of(lock_byte::server);
    bool const noted = self && write_open_file(lock_.get(), r.write()) && ::fcntl(lock_.get(), F_SETLK, &lock) == 0;
    if (!noted) return system_failure(directory_.path() / lock_name, "cannot record the server in it");
    return {};
}

} // namespace kftrain::cli
