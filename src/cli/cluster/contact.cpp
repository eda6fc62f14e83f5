#include "cli/cluster/contact.hpp"

#include "cli/commands.hpp"

#include <kftrain/base/diagnostics.hpp>

#include <boost/asio/error.hpp>

#include <chrono>

namespace kftrain::cli {
namespace {

/// Attempts of one request, after which the user wonders why nothing comes.
constexpr unsigned many_attempts = 3;
constexpr std::chrono::seconds well_again{1};

/// Whether nothing came that a server in order would say: of refusals the commands tell by themselves.
bool is_trouble(error_code ec, unsigned http_status) {
    if (!ec || ec == boost::asio::error::operation_aborted) return false;
    return ec.category() != kftrain::server_category() || http_status >= 500 || http_status == 429;
}

std::string name_of(std::string_view group, std::string_view resource) {
    return group.empty() ? std::string(resource) : std::string(resource) + "." + std::string(group);
}

} // namespace

void contact::take_attempt(kube::request_report const& report) {
    // What becomes of the output of members is told where it ends, if it is not read again.
    if (!report.subject.subresource.empty() || report.error == boost::asio::error::operation_aborted) return;
    // Some proxies hold back a watch until there is something to tell. Of one that is dead the library tells by itself.
    if (report.error == errc::timeout && report.subject.verb == "watch") return;
    auto const what = name_of(report.subject.group, report.subject.resource);
    if (!is_trouble(report.error, report.status)) return be_well(what);
    // A request that its deadline ended says that it was ended.
    auto text =
        report.error == errc::timeout ? report.method + " " + report.target + ": no answer in time" : report.message;
    if (!text.starts_with(report.method + " ")) text.insert(0, what + ": "); // what servers say names no request
    fail(what, std::move(text), at_once_ || (report.status != 0 && report.attempts == many_attempts));
}

void contact::take_repair(resource_info const& followed, failure const& why) {
    // What broke off is begun again at once; if that fails, too, it is an attempt that failed.
    if (why.code == errc::connection_lost || !is_trouble(why.code, why.detail.http_status)) return;
    auto const what = name_of(followed.group, followed.plural);
    if (!failing_.contains(what)) fail(what, what + ": " + why.to_string(), at_once_);
}

void contact::fail(std::string const& what, std::string text, bool tell) {
    settled_.cancel();
    failing_.insert(what);
    last_ = std::move(text);
    if (!tell || told_) return;
    told_ = true;
    complain(last_ + "; it is tried again");
}

void contact::be_well(std::string const& what) {
    if (failing_.erase(what) == 0 || !failing_.empty()) return;
    last_.clear();
    if (!told_) return;
    settled_.expires_after(well_again);
    settled_.async_wait([this](error_code cancelled) {
        if (cancelled || !failing_.empty()) return;
        told_ = false;
        complain("the cluster answers again");
    });
}

} // namespace kftrain::cli
