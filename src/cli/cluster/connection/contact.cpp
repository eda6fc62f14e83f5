#include "cli/cluster/connection/contact.hpp"

#include "base/undecodable.hpp"
#include "cli/commands.hpp"

#include <kftrain/base/diagnostics.hpp>

#include <boost/asio/error.hpp>

#include <chrono>

namespace kftrain::cli {
namespace {

/// After so many failed attempts of one request, the user needs a message.
constexpr unsigned many_attempts = 3;
constexpr std::chrono::seconds well_again{1};

/// Whether the server is in trouble. Ordinary refusals are reported by the commands.
bool is_trouble(error_code ec, unsigned http_status) {
    if (!ec || ec == boost::asio::error::operation_aborted) return false;
    return ec.category() != kftrain::server_category() || http_status >= 500 || http_status == 429;
}

std::string name_of(std::string_view group, std::string_view resource) {
    return group.empty() ? std::string(resource) : std::string(resource) + "." + std::string(group);
}

} // namespace

void contact::take_attempt(kube::request_report const& report) {
    if (report.error == boost::asio::error::operation_aborted) return;
    if (report.subject.subresource == "log") return take_log_attempt(report);
    if (!report.subject.subresource.empty()) return;
    // Some proxies delay a watch until there is an event. The library reports a dead watch itself.
    if (report.error == errc::timeout && report.subject.verb == "watch") return;
    auto const what = name_of(report.subject.group, report.subject.resource);
    if (!is_trouble(report.error, report.status)) return be_well(what);
    // The message of a request that timed out only names the timeout.
    auto text = report.error == errc::timeout
                    ? report.method + " " + report.target + ": the server did not answer in time"
                    : report.message;
    if (!text.starts_with(report.method + " "))
        text.insert(0, what + ": "); // messages of servers do not name the request
    fail(what, std::move(text), at_once_ || (report.status != 0 && report.attempts == many_attempts));
}

/// A node may be down although the cluster answers. A single interruption of a log needs no message.
void contact::take_log_attempt(kube::request_report const& report) {
    auto const what = "log of pod " + report.subject.name;
    if (!is_trouble(report.error, report.status)) {
        unread_logs_.erase(what);
        return be_well(what);
    }
    if (++unread_logs_[what] >= many_attempts) fail(what, what + ": " + report.message, at_once_);
}

void contact::take_repair(resource_info const& followed, failure const& why) {
    if (detail::is_undecodable(why.code)) return; // the cluster answers; the command reports the object
    // A broken connection is opened again at once. If that fails, take_attempt() sees it.
    if (why.code == errc::connection_lost || !is_trouble(why.code, why.detail.http_status)) return;
    auto const what = name_of(followed.group, followed.plural);
    if (!failing_.contains(what)) fail(what, what + ": " + why.to_string(), at_once_);
}

void contact::fail(std::string const& what, std::string text, bool report) {
    settled_.cancel();
    failing_.insert(what);
    last_ = std::move(text);
    if (!report || reported_) return;
    reported_ = true;
    complain(last_ + "; retrying");
}

void contact::be_well(std::string const& what) {
    if (failing_.erase(what) == 0 || !failing_.empty()) return;
    last_.clear();
    if (!reported_) return;
    settled_.expires_after(well_again);
    settled_.async_wait([this](error_code cancelled) {
        if (cancelled || !failing_.empty()) return;
        reported_ = false;
        complain("the cluster answers again");
    });
}

} // namespace kftrain::cli
