#ifndef KFTRAIN_FACADE_SERVED_KIND_HPP
#define KFTRAIN_FACADE_SERVED_KIND_HPP

#include <kftrain/kinds/registry.hpp>

namespace kftrain {

namespace kube {
class api_catalog;
}

/** The kind that a name means on a cluster: as find_job_kind() and, of a kind that one API has in several versions, the one that the server prefers.
    @param served what `kube::discovery::async_catalog()` found
    @par Errors those of find_job_kind(): `errc::unknown_kind`; `errc::invalid_argument` where it could be several and the server prefers none */
result<rules::job_rules const*> find_served_kind(std::string_view name, kube::api_catalog const& served);

} // namespace kftrain

#endif
