#ifndef KFTRAIN_SRC_CLI_CLUSTER_CONTACT_HPP
#define KFTRAIN_SRC_CLI_CLUSTER_CONTACT_HPP

#include <kftrain/kube/request_report.hpp>
#include <kftrain/model/resource.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include <set>
#include <string>

namespace kftrain {
struct failure;
}

namespace kftrain::cli {

/** Whether the cluster answers. The library repairs the faults of a connection in silence, for as long as it takes: whoever looks at the
    command learns of it here, by a complaint when there is trouble and one when that is over, however many requests it hits. */
class contact {
public:
    explicit contact(boost::asio::io_context& context) : settled_(context) {}
    contact(contact const&) = delete;
    contact& operator=(contact const&) = delete;
    ~contact() = default;

    /// For a command that follows the cluster. Others tell only of what they repeat for long.
    void tell_at_once() noexcept { at_once_ = true; }
    /// Hooks of the client.
    void take_attempt(kube::request_report const& report);
    void take_repair(resource_info const& followed, failure const& why);
    /// What failed last, if nothing came of it since; else empty.
    std::string const& last_failure() const noexcept { return last_; }

private:
    void fail(std::string const& what, std::string text, bool tell);
    void be_well(std::string const& what);

    std::set<std::string> failing_; ///< resources by group and name
    std::string last_;
    boost::asio::steady_timer settled_; ///< until an answer counts: it may be one that nobody can read
    bool at_once_ = false;
    bool told_ = false;
};

} // namespace kftrain::cli

#endif
