#ifndef KFTRAIN_SRC_FACADE_JOB_REFERENCES_HPP
#define KFTRAIN_SRC_FACADE_JOB_REFERENCES_HPP

#include <kftrain/facade/job_reference.hpp>
#include <kftrain/job/admission.hpp>
#include <kftrain/job/prepared_job.hpp>
#include <kftrain/kube/client.hpp>

#include <boost/asio/awaitable.hpp>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace kftrain {

/// The objects of a server to which jobs refer, such as their runtimes.
class job_references {
public:
    job_references() = default;

    /// Supplies the job with all objects to which it refers, or with none if one is unknown. Returns whether all are
    /// known.
    bool supply(any_job&) const;
    bool knows(rules::reference const&) const noexcept;
    /// Adds an object of `other`, if it has it.
    void add_from(job_references const& other, rules::reference const& t);
    void add(rules::reference t, any_object o) { known_.emplace_back(std::move(t), std::move(o)); }
    void add_unread(rules::reference const& t, std::string const& why);
    /// Returns the objects that could not be read, with the reason: `Kind name: message`.
    std::vector<std::string> const& unread() const noexcept { return unread_; }

private:
    std::vector<std::pair<rules::reference, any_object>> known_;
    std::vector<std::string> unread_;
};

/// The meaning of an object that does not exist on the server.
enum class absent_reference : std::uint8_t {
    is_unknown, ///< like one that cannot be read; operators keep what they need of the runtime of a stored job
    is_missing, ///< validate() reports it, as admission does for a new job
};

using references_handler = kube::any_handler<void(error_code, job_references)>;

/// Reads these objects. An object that cannot be read remains unknown, and unread() reports it.
boost::asio::awaitable<job_references> await_references(kube::client client, std::vector<rules::reference> wanted,
                                                        kube::call_options options, absent_reference absent);
/// The same with a handler.
void read_references(references_handler handler, kube::client client, std::vector<rules::reference> wanted,
                     kube::call_options options, absent_reference absent);

/// Validates a new job with the objects to which it refers. If an object cannot be read, the job is without it, and
/// `unread` receives the reason unless it is null.
boost::asio::awaitable<prepared_job> await_admitted_job(kube::client client, prepared_job job,
                                                        kube::call_options options,
                                                        std::vector<std::string>* unread = nullptr);
/// Reads a stored job and the objects to which it refers, likewise.
boost::asio::awaitable<prepared_job> await_stored_job(kube::client client, job_reference job,
                                                      kube::call_options options, std::vector<std::string>* unread);

} // namespace kftrain

#endif
