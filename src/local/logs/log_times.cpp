#include "local/logs/log_times.hpp"

#include "local/logs/log_reader.hpp"

#include <kftrain/model/scalars.hpp>

#include <algorithm>
#include <chrono>
#include <fcntl.h>
#include <string_view>

namespace kftrain::local {
namespace {

constexpr std::size_t most_records = 256;

sandbox::unique_fd open_times(std::filesystem::path const& folder, std::uint64_t place) {
    return sandbox::unique_fd(::open((folder / sandbox::log_times_name(place)).c_str(), O_RDONLY | O_CLOEXEC));
}

/// As nodes write it: RFC 3339 with nine digits of a fraction, and a space.
void append_stamp(std::int64_t nanoseconds, std::string& to) {
    std::chrono::sys_time<std::chrono::nanoseconds> const at{std::chrono::nanoseconds(nanoseconds)};
    auto const whole = std::chrono::floor<std::chrono::seconds>(at);
    print_scalar(time_point(whole), to);
    to.pop_back();
    std::string const fraction = std::to_string((at - whole).count());
    to.append(".").append(9 - fraction.size(), '0').append(fraction).append("Z ");
}

} // namespace

void log_times::begin(std::uint64_t file_place) {
    all_read_ = false;
    if (file_place_ == file_place) return;
    file_place_ = file_place;
    file_ = open_times(folder_, file_place);
    records_.clear();
    next_ = 0;
    read_ = 0;
    time_.reset();
}

bool log_times::read_more() {
    if (!file_ || all_read_) return false;
    records_.resize(most_records);
    next_ = 0;
    auto const size = ::pread(file_.get(), records_.data(), most_records * sizeof(sandbox::log_time), off_t(read_));
    records_.resize(size > 0 ? static_cast<std::size_t>(size) / sizeof(sandbox::log_time) : 0);
    read_ += records_.size() * sizeof(sandbox::log_time);
    all_read_ = records_.size() < most_records;
    return !records_.empty();
}

std::optional<std::int64_t> log_times::at(std::uint64_t place) {
    while (next_ < records_.size() || read_more()) {
        if (records_[next_].place > place) break;
        time_ = records_[next_++].nanoseconds;
    }
    return time_;
}

std::uint64_t place_of_time(std::filesystem::path const& folder, std::int64_t nanoseconds) {
    auto const places = log_file_places(folder);
    std::uint64_t from = places.empty() ? 0 : places.front();
    for (auto const place : places) {
        sandbox::log_time first;
        auto const file = open_times(folder, place);
        // The line with which a file begins may have begun in the one before.
        if (!file || ::pread(file.get(), &first, sizeof first, 0) != ssize_t(sizeof first) ||
            first.nanoseconds >= nanoseconds)
            break;
        from = place;
    }
    return from;
}

std::string line_stamper::take(std::string const& piece, std::uint64_t place, std::uint64_t file_place) {
    times_.begin(file_place);
    std::string kept;
    for (std::string_view rest = piece; !rest.empty();) {
        if (begins_) {
            auto const time = times_.at(place);
            wanted_ = !since_ || !time || *time >= *since_;
            if (wanted_ && stamps_ && time) append_stamp(*time, kept);
        }
        auto const newline = rest.find('\n');
        auto const size = newline == std::string_view::npos ? rest.size() : newline + 1;
        if (wanted_) kept.append(rest.substr(0, size));
        begins_ = newline != std::string_view::npos;
        rest.remove_prefix(size);
        place += size;
    }
    return kept;
}

} // namespace kftrain::local
