#include "apiserver/http/connection_places.hpp"

#include <sys/resource.h>

#include <algorithm>

namespace kftrain::apiserver {

connection_places::connection_places(std::size_t limit, std::size_t strangers) noexcept
    : limit_(std::max<std::size_t>(limit, 1)),
      strangers_limit_(std::clamp<std::size_t>(strangers, 1, (limit_ + 1) / 2)) {}

bool connection_places::is_full() const noexcept { return strangers_.size() >= strangers_limit_ || taken() >= limit_; }

std::optional<connection_places::number> connection_places::oldest_stranger() const noexcept {
    if (strangers_.empty()) return std::nullopt;
    return *strangers_.begin();
}

connection_places::number connection_places::take() {
    strangers_.insert(++last_);
    return last_;
}

void connection_places::know(number n) noexcept {
    if (auto node = strangers_.extract(n)) known_.insert(std::move(node));
}

void connection_places::leave(number n) noexcept {
    strangers_.erase(n);
    known_.erase(n);
}

std::size_t connections_within_descriptors(std::size_t wanted) noexcept {
    rlimit open_files{};
    if (::getrlimit(RLIMIT_NOFILE, &open_files) != 0 || open_files.rlim_cur == RLIM_INFINITY) return wanted;
    return std::min<std::size_t>(wanted, open_files.rlim_cur / 4 * 3);
}

} // namespace kftrain::apiserver
