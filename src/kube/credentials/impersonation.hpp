#ifndef KFTRAIN_SRC_KUBE_IMPERSONATION_HPP
#define KFTRAIN_SRC_KUBE_IMPERSONATION_HPP

#include <kftrain/base/diagnostics.hpp>
#include <kftrain/kube/config.hpp>
#include <kftrain/kube/message.hpp>

namespace kftrain::kube::detail {

/** Adds the impersonation header fields, unless `fields` have them already.
    @par Errors `errc::invalid_argument` for an identity without a user.
    @par Upstream client-go `transport/round_trippers.go` */
result<void> add_impersonation(impersonation const& who, http_fields& fields);

} // namespace kftrain::kube::detail

#endif
