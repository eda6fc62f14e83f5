#include "local/logs/log_reader.hpp"

#include "local/sandbox/containers/log_file_name.hpp"

#include <algorithm>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>

namespace kftrain::local {
namespace {

constexpr std::size_t block_size = 64 * 1024;

error_code last_error() { return {errno, boost::system::system_category()}; }

} // namespace

std::vector<std::uint64_t> log_file_places(std::filesystem::path const& folder) {
    std::vector<std::uint64_t> places;
    std::error_code gone; // then there are none
    for (std::filesystem::directory_iterator at(folder, gone), end; !gone && at != end; at.increment(gone))
        if (auto const place = sandbox::log_file_place(at->path().filename().native())) places.push_back(*place);
    std::sort(places.begin(), places.end());
    return places;
}

sandbox::unique_fd open_log_file(std::filesystem::path const& folder, std::uint64_t place) {
    return sandbox::unique_fd(::open((folder / sandbox::log_file_name(place)).c_str(), O_RDONLY | O_CLOEXEC));
}

std::uint64_t end_of_log(std::filesystem::path const& folder) {
    auto const places = log_file_places(folder);
    if (places.empty()) return 0;
    auto const file = open_log_file(folder, places.back());
    struct stat info{};
    if (!file || ::fstat(file.get(), &info) != 0) return places.back();
    return places.back() + static_cast<std::uint64_t>(info.st_size);
}

log_reader::log_reader(std::filesystem::path folder) : folder_(std::move(folder)) {
    auto const places = log_file_places(folder_);
    if (!places.empty()) place_ = places.front();
}

void log_reader::seek(std::uint64_t place) {
    place_ = place;
    file_.reset();
}

error_code log_reader::read_some(std::string& piece) {
    auto const offset = static_cast<off_t>(place_ - file_place_);
    auto const size = ::pread(file_.get(), piece.data(), piece.size(), offset);
    if (size < 0) return last_error();
    piece.resize(static_cast<std::size_t>(size));
    place_ += piece.size();
    return {};
}

error_code log_reader::read(std::string& piece) {
    auto const wanted = piece.size();
    for (;;) {
        auto places = log_file_places(folder_);
        if (!file_) {
            auto const next = std::upper_bound(places.begin(), places.end(), place_);
            if (next == places.begin()) {
                piece.clear();
                return places.empty() && place_ == 0 ? error_code() : make_error_code(errc::incomplete);
            }
            file_place_ = *std::prev(next);
            file_ = open_log_file(folder_, file_place_);
            if (!file_ && errno == ENOENT) continue; // removed meanwhile: no longer among the places
            if (!file_) return last_error();
        }
        piece.resize(wanted);
        if (auto const ec = read_some(piece); ec || !piece.empty()) return ec;
        if (places.empty()) return errc::incomplete; // all of it was removed, with the node
        auto const next = std::upper_bound(places.begin(), places.end(), file_place_);
        if (next == places.end()) return {};
        // There is a next file since before we read, so this one is whole.
        if (*next != place_) return errc::incomplete;
        file_.reset();
    }
}

log_tail::log_tail(std::filesystem::path folder, std::int64_t lines)
    : folder_(std::move(folder)), lines_(lines), end_(end_of_log(folder_)), place_(end_) {}

/// Opens the file that ends at or behind `place_`; false if there is none.
bool log_tail::open_before() {
    auto const places = log_file_places(folder_);
    auto const next = std::lower_bound(places.begin(), places.end(), place_);
    if (next == places.begin()) return false;
    file_place_ = *std::prev(next);
    file_ = open_log_file(folder_, file_place_);
    return static_cast<bool>(file_);
}

/// Looks through the block, which begins at `place_`, for the line wanted.
bool log_tail::found() noexcept {
    for (auto i = block_.size(); i-- > 0;) {
        auto const behind = place_ + i + 1;
        if (block_[i] != '\n' || behind == end_ || --lines_ != 0) continue;
        place_ = behind;
        return true;
    }
    return false;
}

bool log_tail::step() {
    if (lines_ == 0) return true;
    if ((!file_ || place_ == file_place_) && !open_before()) return true;
    block_.resize(static_cast<std::size_t>(std::min<std::uint64_t>(place_ - file_place_, block_size)));
    auto const from = place_ - block_.size();
    auto const size = ::pread(file_.get(), block_.data(), block_.size(), static_cast<off_t>(from - file_place_));
    if (size != static_cast<ssize_t>(block_.size())) return true; // bytes that were never kept: as far as it goes
    place_ = from;
    return found();
}

} // namespace kftrain::local
