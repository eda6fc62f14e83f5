#ifndef KFTRAIN_SRC_FACADE_EXPLAIN_WRITTEN_CONTAINERS_HPP
#define KFTRAIN_SRC_FACADE_EXPLAIN_WRITTEN_CONTAINERS_HPP

#include <kftrain/job/prepared_job.hpp>

#include <map>
#include <string>
#include <vector>

namespace kftrain::explaining {

/// The containers of the pods of a job as its operator creates them. Other containers of a pod were injected.
class written_containers {
public:
    explicit written_containers(prepared_job const& job) : job_(job) {}

    /// Returns the names for the role of a member, the container that trains first.
    std::vector<std::string> const& of(member const& m);

private:
    prepared_job job_;
    std::map<std::string, std::vector<std::string>> known_; ///< by role
};

} // namespace kftrain::explaining

#endif
