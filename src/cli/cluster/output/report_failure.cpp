#include "cli/cluster/output/report_failure.hpp"

#include "cli/cluster/output/patient_output.hpp"
#include "cli/commands.hpp"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <iostream>

namespace kftrain::cli {
namespace {

/// Whether the reader of the output has closed it.
bool is_unread(int output) {
    pollfd entry{};
    entry.fd = output;
    entry.events = POLLOUT;
    return ::poll(&entry, 1, 0) == 1 && (entry.revents & POLLERR) != 0;
}

} // namespace

int exit_code_of(error_code ec) noexcept {
    if (!ec) return success;
    if (is_not_found(ec) || ec == errc::deleted) return job_failed;
    if (ec == errc::timeout) return timed_out;
    if (ec == errc::invalid_argument || ec == errc::invalid_job || ec == errc::unknown_kind || ec == reason::invalid ||
        ec == reason::bad_request || is_already_exists(ec))
        return bad_usage;
    return cluster_failed;
}

int report_failure(failure const& f, std::string const& about) {
    bool const named = about.empty() || f.detail.message.starts_with(about); // some messages already begin with the job
    std::string const place = named ? "" : about + ": ";
    if (f.code != errc::invalid_job) {
        complain(place + (f.code == errc::syntax ? "the server's answer cannot be read: " : "") + f.to_string());
        return exit_code_of(f.code);
    }
    std::string_view rest = f.detail.message; // one line for each rule
    do {
        auto const end = std::min(rest.find('\n'), rest.size());
        complain(place + "error: " + std::string(rest.substr(0, end)));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    } while (!rest.empty());
    return bad_usage;
}

int graver(int a, int b) noexcept {
    static constexpr std::array order{interrupted, unread, bad_usage, cluster_failed, timed_out, job_failed, success};
    auto const rank = [&](int code) { return std::ranges::find(order, code) - order.begin(); };
    return rank(a) <= rank(b) ? a : b;
}

int after_output(int code) {
    std::cout.flush();
    if (std::cout) return code;
    if (is_unread(STDOUT_FILENO)) return unread;
    auto const* const patient = dynamic_cast<patient_output const*>(std::cout.rdbuf());
    auto const why = patient != nullptr ? patient->why() : patient_output::ending::failed;
    if (why == patient_output::ending::interrupted) return interrupted;
    if (why == patient_output::ending::late)
        return complain("--timeout expired before the reader took all output"), timed_out;
    complain("cannot write to standard output");
    return bad_usage;
}

} // namespace kftrain::cli
