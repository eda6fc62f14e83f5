#ifndef KFTRAIN_SRC_CLI_CLUSTER_CONNECTION_CONTACT_HPP
#define KFTRAIN_SRC_CLI_CLUSTER_CONNECTION_CONTACT_HPP

#include <kftrain/kube/request_report.hpp>
#include <kftrain/model/resource.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include <map>
#include <set>
#include <string>

namespace kftrain {
struct failure;
}

namespace kftrain::cli {

/** Reports whether the cluster answers. The library repairs connections silently and without a time limit. This class
    prints one message when requests begin to fail and one when the cluster answers again, however many requests are
    affected. */
class contact {
public:
    explicit contact(boost::asio::io_context& context) : settled_(context) {}
    contact(contact const&) = delete;
    contact& operator=(contact const&) = delete;
    ~contact() = default;

    /// Reports the first failure, for commands that follow the cluster. Other commands report repeated failures only.
    void report_at_once() noexcept { at_once_ = true; }
    /// Receives the reports of the client.
    void take_attempt(kube::request_report const& report);
    void take_repair(resource_info const& followed, failure const& why);
    /// The last failure, unless the request has succeeded since; else empty.
    std::string const& last_failure() const noexcept { return last_; }

private:
    void take_log_attempt(kube::request_report const& report);
    void fail(std::string const& what, std::string text, bool report);
    void be_well(std::string const& what);

    std::set<std::string> failing_;               ///< resources by group and name, and logs
    std::map<std::string, unsigned> unread_logs_; ///< failed attempts in a row
    std::string last_;
    boost::asio::steady_timer settled_; ///< delays the message that the cluster answers; the answer may be unusable
    bool at_once_ = false;
    bool reported_ = false;
};

} // namespace kftrain::cli

#endif
