#ifndef KFTRAIN_FACADE_SERVED_KIND_HPP
#define KFTRAIN_FACADE_SERVED_KIND_HPP

#include <kftrain/kinds/registry.hpp>

namespace kftrain {

namespace kube {
class api_catalog;
}

/** Returns the kind that a name refers to on a cluster, as find_job_kind(). If an API has several versions of the
    kind, returns the version that the server prefers.
    @param served result of `kube::discovery::async_catalog()`
    @par Errors those of find_job_kind(): `errc::unknown_kind`; `errc::invalid_argument` if the name is ambiguous and
    the server prefers none */
[[nodiscard]] result<rules::job_rules const*> find_served_kind(std::string_view name, kube::api_catalog const& served,
                                                               job_kinds kinds = known_job_rules());

} // namespace kftrain

#endif
