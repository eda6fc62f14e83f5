#ifndef KFTRAIN_SRC_FACADE_JOB_ROLES_HPP
#define KFTRAIN_SRC_FACADE_JOB_ROLES_HPP

#include <kftrain/job/prepared_job.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kftrain {

/// The roles of a stored job: those of `layout`, and those that have no members now and may get some.
std::vector<std::string> roles_of(prepared_job const& job, membership const& layout);

/// Why the job cannot be asked about `role`: it is none of `roles`. @par Errors `errc::invalid_argument` at `path`
std::optional<failure> fault_of_role(std::string_view path, std::string_view role,
                                     std::vector<std::string> const& roles);

} // namespace kftrain

#endif
