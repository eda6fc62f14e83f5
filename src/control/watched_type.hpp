#ifndef KFTRAIN_SRC_CONTROL_WATCHED_TYPE_HPP
#define KFTRAIN_SRC_CONTROL_WATCHED_TYPE_HPP

#include "control/child_index.hpp"
#include "control/plan_executor.hpp"

#include <kftrain/job/any_job.hpp>
#include <kftrain/kube/client.hpp>
#include <kftrain/kube/informer.hpp>
#include <kftrain/kube/shared_informers.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace kftrain::control {

/// Remembers the last version that an informer showed.
class version_mark {
public:
    /// Whether `shown` is older than what was shown before, as it is when the server was restored from an older state:
    /// what was written in between is gone, and nobody must wait for it.
    bool falls_to(std::string const& shown);

private:
    std::string last_;
};

/// A type of children and what is known of them.
struct watched_type {
    watched_type(child_type const& t, kube::shared_informers const& shared, kube::client const& c,
                 std::string const& ns);

    /// Pods and services are the job's only if it controls them, whatever their names.
    bool is_replica() const noexcept;
    /// Whether everything that was written of this type for one job, in namespace `ns`, is visible here.
    bool shows(pending_writes& written, std::string_view ns) const;

    object_type const* type;
    std::shared_ptr<kube::detail::informer_core> objects;
    child_index controlled; ///< the same objects
    version_mark shown;
};

std::vector<watched_type> watch(std::vector<child_type> const& types, kube::shared_informers const& shared,
                                kube::client const& c, std::string const& ns);

} // namespace kftrain::control

#endif
