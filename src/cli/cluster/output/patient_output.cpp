#include "cli/cluster/output/patient_output.hpp"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <iostream>
#include <string_view>

namespace kftrain::cli {
namespace {

/// A pipe that is writable takes at least this many bytes.
constexpr std::size_t piece = PIPE_BUF;

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
    std::string_view left = pending_;
    while (!left.empty()) {
        if (!waits_for_room()) return false;
        auto const written = ::write(output_, left.data(), std::min(left.size(), piece));
        if (written >= 0)
            left.remove_prefix(static_cast<std::size_t>(written));
        else if (errno != EINTR && errno != EAGAIN)
            return give_up(ending::failed);
    }
    pending_.clear();
    return why_ == ending::none;
}

bool patient_output::waits_for_room() {
    for (;;) {
        std::array<pollfd, 2> polled{};
        polled[0].fd = output_;
        polled[0].events = POLLOUT;
        polled[1].fd = interruption_;
        polled[1].events = POLLIN;
        int const ready = ::poll(polled.data(), polled.size(), milliseconds_until(end_));
        if (ready < 0 && errno != EINTR) return give_up(ending::failed);
        if (ready < 0) continue; // the other descriptor shows what the signal means
        if (ready == 0) return give_up(ending::late);
        if (polled[0].revents != 0) return true; // write() reports the error
        return give_up(ending::interrupted);
    }
}

patient_streams::patient_streams(patient_output::deadline end, int interruption)
    : out(std::cout, STDOUT_FILENO, interruption, end), err(std::cerr, STDERR_FILENO, interruption, end) {}

} // namespace kftrain::cli
