#include "cli/cluster/patient_output.hpp"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <iostream>

namespace kftrain::cli {
namespace {

/// A pipe that has room for something has room for this.
constexpr std::size_t piece = PIPE_BUF;

patient_output::deadline deadline_of(std::optional<std::chrono::milliseconds> timeout) {
    if (!timeout || timeout->count() == 0) return std::nullopt;
    return std::chrono::steady_clock::now() + *timeout;
}

int milliseconds_until(patient_output::deadline const& end) {
    if (!end) return -1;
    auto const left = std::chrono::ceil<std::chrono::milliseconds>(*end - std::chrono::steady_clock::now()).count();
    return static_cast<int>(std::clamp<decltype(left)>(left, 0, INT_MAX));
}

} // namespace

patient_output::int_type patient_output::overflow(int_type c) {
    if (traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
    char const one = traits_type::to_char_type(c);
    return xsputn(&one, 1) == 1 ? c : traits_type::eof();
}

std::streamsize patient_output::xsputn(char const* text, std::streamsize length) {
    if (why_ != ending::none) return 0;
    pending_.append(text, static_cast<std::size_t>(length));
    return pending_.size() < piece || write() ? length : 0;
}

bool patient_output::give_up(ending why) {
    pending_.clear();
    why_ = why;
    return false;
}

bool patient_output::write() {
    while (!pending_.empty()) {
        if (!waits_for_room()) return false;
        auto const written = ::write(output_, pending_.data(), std::min(pending_.size(), piece));
        if (written >= 0)
            pending_.erase(0, static_cast<std::size_t>(written));
        else if (errno != EINTR && errno != EAGAIN)
            return give_up(ending::failed);
    }
    return why_ == ending::none;
}

bool patient_output::waits_for_room() {
    for (;;) {
        std::array<pollfd, 2> asked{};
        asked[0].fd = output_;
        asked[0].events = POLLOUT;
        asked[1].fd = interruption_;
        asked[1].events = POLLIN;
        int const ready = ::poll(asked.data(), asked.size(), milliseconds_until(end_));
        if (ready < 0 && errno != EINTR) return give_up(ending::failed);
        if (ready < 0) continue; // what the signal means, the other descriptor tells
        if (ready == 0) return give_up(ending::late);
        if (asked[0].revents != 0) return true; // an error is that of the write, too
        return give_up(ending::interrupted);
    }
}

patient_streams::patient_streams(std::optional<std::chrono::milliseconds> timeout, int interruption)
    : out(std::cout, STDOUT_FILENO, interruption, deadline_of(timeout)),
      err(std::cerr, STDERR_FILENO, interruption, deadline_of(timeout)) {}

} // namespace kftrain::cli
