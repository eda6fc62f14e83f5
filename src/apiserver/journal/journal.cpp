#include "apiserver/journal/journal.hpp"

#include "apiserver/json/json_access.hpp"
#include "base/file_bytes.hpp"
#include "base/make_failure.hpp"

#include <boost/crc.hpp>
#include <boost/json.hpp>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <map>
#include <tuple>

namespace kftrain::apiserver {
namespace {

constexpr std::int64_t format = 1;
constexpr std::size_t checksum_size = 8;
/// Precedes the text of the object, which ends its line. Quotation marks in names are escaped.
constexpr std::string_view object_mark = ",\"object\":";

std::string checksum_of(std::string_view text) {
    boost::crc_32_type crc;
    crc.process_bytes(text.data(), text.size());
    std::array<char, checksum_size> out{};
    out.fill('0');
    std::array<char, checksum_size> number{};
    auto const end = std::to_chars(number.data(), number.data() + checksum_size, crc.checksum(), 16).ptr;
    std::copy_backward(number.data(), end, out.data() + checksum_size);
    return {out.data(), checksum_size};
}

std::string line_of(std::string_view text) { return checksum_of(text).append(" ").append(text).append("\n"); }

std::string header_of(std::uint64_t version) {
    return line_of("{\"format\":" + std::to_string(format) + ",\"version\":" + std::to_string(version) + "}");
}

std::string line_of(store_change const& c) {
    json::object head;
    head["group"] = key(c.group);
    head["apiVersion"] = key(c.api_version);
    head["plural"] = key(c.plural);
    head["namespace"] = key(c.namespace_);
    head["name"] = key(c.name);
    head["version"] = c.version;
    auto text = json::serialize(head);
    if (!c.text.empty()) {
        text.pop_back();
        text.append(object_mark).append(c.text).append("}");
    }
    return line_of(text);
}

int sync_directory(std::filesystem::path const& directory) {
    int const fd = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) return errno;
    int const error = ::fsync(fd) != 0 ? errno : 0;
    ::close(fd);
    return error;
}

/// Without a slash at the end, the directory itself is made with its mode.
std::filesystem::path without_slash(std::filesystem::path const& p) { return p.has_filename() ? p : p.parent_path(); }

} // namespace

journal::journal(std::filesystem::path const& directory)
    : directory_(without_slash(directory)), file_(directory_ / "journal") {}

journal::~journal() {
    if (out_ >= 0) ::close(out_);
    if (lock_ >= 0) ::close(lock_);
}

failure journal::fault(std::string const& what, int error) {
    return make_failure(error_code(error, boost::system::system_category()), what + ": " + std::strerror(error));
}

result<std::unique_ptr<journal>> journal::open(std::filesystem::path const& directory) {
    std::unique_ptr<journal> out(new journal(directory));
    if (auto ok = out->lock(); !ok) return ok.error();
    if (auto ok = out->read(); !ok) return ok.error();
    return out;
}

result<void> journal::check_file(int fd, std::filesystem::path const& file) {
    struct stat s{};
    if (::fstat(fd, &s) != 0) return fault("cannot read " + file.string(), errno);
    if (S_ISREG(s.st_mode) && s.st_uid == ::geteuid()) return {};
    return make_failure(errc::invalid_argument, file.string() + ": expected a regular file that belongs to you");
}

result<void> journal::lock() {
    std::error_code ec;
    std::filesystem::create_directories(directory_.parent_path(), ec);
    // Secrets are among the objects.
    if (::mkdir(directory_.c_str(), 0700) != 0 && errno != EEXIST)
        return fault("cannot create " + directory_.string(), errno);
    struct stat s{};
    if (::lstat(directory_.c_str(), &s) != 0) return fault("cannot read " + directory_.string(), errno);
    if (!S_ISDIR(s.st_mode) || s.st_uid != ::geteuid() || (s.st_mode & (S_IWGRP | S_IWOTH)) != 0)
        return make_failure(errc::invalid_argument, directory_.string() +
                                                        ": expected a directory that belongs to you and that no other "
                                                        "user can write");
    auto const file = directory_ / "lock";
    lock_ = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
    if (lock_ < 0) return fault("cannot open " + file.string(), errno);
    if (auto ok = check_file(lock_, file); !ok) return ok;
    if (::flock(lock_, LOCK_EX | LOCK_NB) == 0) return {};
    if (errno == EWOULDBLOCK)
        return make_failure(errc::already_running, "another local cluster uses " + directory_.string());
    return fault("cannot lock " + (directory_ / "lock").string(), errno);
}

result<void> journal::read() {
    int const fd = ::open(file_.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0) return errno == ENOENT ? result<void>() : fault("cannot open " + file_.string(), errno);
    if (auto ok = check_file(fd, file_); !ok) {
        ::close(fd);
        return ok;
    }
    int const error = read_all(fd, text_);
    ::close(fd);
    if (error != 0) return fault("cannot read " + file_.string(), error);
    std::size_t number = 0;
    for (std::string_view rest = text_; !rest.empty();) {
        auto const end = rest.find('\n');
        ++number;
        bool const first = number == 1;
        if (end == rest.npos && !first) break; // it was not confirmed
        auto const line = rest.substr(0, end);
        if (auto ok = read_line(line, first); !ok) {
            auto why = ok.error();
            why.detail.message = file_.string() + ", line " + std::to_string(number) + ": " + why.detail.message;
            return why;
        }
        rest.remove_prefix(end + 1);
    }
    if (number == 0) return make_failure(errc::syntax, file_.string() + ": expected a journal, got an empty file");
    // Of the changes of an object the last one counts; the file has them in their order.
    using text = std::string_view;
    std::map<std::tuple<text, text, text, text, text>, std::size_t> last;
    for (std::size_t i = 0; i < objects_.size(); ++i) {
        auto const& c = objects_[i];
        last[{c.group, c.api_version, c.plural, c.namespace_, c.name}] = i;
    }
    std::vector<store_change> found;
    for (auto const& [name, i] : last)
        if (!objects_[i].text.empty()) found.push_back(objects_[i]);
    objects_ = std::move(found);
    std::ranges::sort(objects_, {}, &store_change::version);
    return {};
}

result<void> journal::read_line(std::string_view line, bool header) {
    auto const damaged = [](std::string what) { return make_failure(errc::syntax, std::move(what)); };
    if (line.size() <= checksum_size + 1 || line[checksum_size] != ' ')
        return damaged("expected a checksum and a change");
    auto const text = line.substr(checksum_size + 1);
    if (auto const sum = checksum_of(text); line.substr(0, checksum_size) != sum)
        return damaged("expected the checksum " + sum + ", got " + std::string(line.substr(0, checksum_size)));
    auto const mark = text.find(object_mark);
    std::string head(text.substr(0, mark));
    if (mark != text.npos) head += '}';
    boost::system::error_code ec;
    auto const value = json::parse(head, ec);
    auto const* o = ec ? nullptr : value.if_object();
    auto const version = o != nullptr ? integer_in(*o, "version") : std::nullopt;
    if (!version || *version < 0) return damaged("expected a change with a version");
    if (header) {
        if (auto const number = integer_in(*o, "format"); number != format)
            return damaged("expected the format " + std::to_string(format) + ", got " +
                           (number ? std::to_string(*number) : "none"));
    } else {
        store_change c;
        c.group = text_in(*o, "group");
        c.api_version = text_in(*o, "apiVersion");
        c.plural = text_in(*o, "plural");
        c.namespace_ = text_in(*o, "namespace");
        c.name = text_in(*o, "name");
        c.version = static_cast<std::uint64_t>(*version);
        if (mark != text.npos)
            c.text = text.substr(mark + object_mark.size(), text.size() - mark - object_mark.size() - 1);
        if (c.plural.empty() || c.name.empty()) return damaged("expected the plural and the name of an object");
        objects_.push_back(std::move(c));
    }
    version_ = std::max(version_, static_cast<std::uint64_t>(*version));
    return {};
}

void journal::append(store_change const& c) { pending_ += line_of(c); }

result<void> journal::flush() {
    if (failed_.code) return failed_;
    if (pending_.empty()) return {};
    int const error = write_all(out_, pending_);
    if (error == 0) {
        size_ += pending_.size();
        pending_.clear();
        if (pending_.capacity() > (std::size_t{1} << 20U)) pending_.shrink_to_fit();
        return {};
    }
    failed_ = fault("cannot write " + file_.string(), error);
    [[maybe_unused]] auto const ignored = ::ftruncate(out_, static_cast<off_t>(size_)); // an unfinished line is dropped
    return failed_;
}

bool journal::has_grown() const noexcept {
    constexpr std::size_t least = std::size_t{64} << 20U;
    return size_ > least && size_ / 2 > rewritten_;
}

result<void> journal::rewrite(snapshot const& each, std::uint64_t version) {
    if (failed_.code) return failed_;
    pending_.clear(); // the snapshot contains it
    auto const next = directory_ / "journal.next";
    int const fd = ::open(next.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW | O_APPEND, 0600);
    bool replaced = false;
    auto const give_up = [&](std::string const& what, int why) -> result<void> {
        auto failed = fault(what, why);
        rewritten_ = size_; // the next attempt comes when the file has doubled
        if (out_ < 0 || replaced) failed_ = failed;
        return failed;
    };
    if (fd < 0) return give_up("cannot create " + next.string(), errno);
    std::size_t size = 0;
    int error = 0;
    std::string text = header_of(version);
    auto const write = [&] {
        if (error == 0) error = write_all(fd, text);
        size += text.size();
        text.clear();
    };
    each([&](store_change const& c) {
        text += line_of(c);
        if (text.size() > (std::size_t{1} << 20U)) write();
    });
    write();
    if (error == 0 && ::fsync(fd) != 0) error = errno;
    if (error == 0 && ::rename(next.c_str(), file_.c_str()) != 0) error = errno;
    replaced = error == 0;
    if (error == 0) error = sync_directory(directory_);
    if (error != 0) {
        ::close(fd);
        if (!replaced) ::unlink(next.c_str());
        return give_up("cannot write " + (replaced ? file_ : next).string(), error);
    }
    if (out_ >= 0) ::close(out_);
    out_ = fd;
    size_ = rewritten_ = size;
    objects_.clear();
    text_ = {};
    return {};
}

} // namespace kftrain::apiserver
