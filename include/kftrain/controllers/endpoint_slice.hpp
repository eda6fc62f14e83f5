#ifndef KFTRAIN_CONTROLLERS_ENDPOINT_SLICE_HPP
#define KFTRAIN_CONTROLLERS_ENDPOINT_SLICE_HPP

/** @file The controller of Kubernetes for EndpointSlices of `discovery.k8s.io/v1`. */

#include <kftrain/job/controller_rules.hpp>
#include <kftrain/objects/core/service.hpp>
#include <kftrain/objects/discovery/endpoint_slice.hpp>

#include <span>
#include <vector>

namespace kftrain::controllers {

/** Keeps EndpointSlices for services with a selector: one endpoint for each selected pod that has an IPv4 address and
    has not ended, in slices of at most 100 endpoints with equal ports. A service without such pods has one empty slice.
    The controller ignores services without a selector or of the type ExternalName; existing slices stay. It also
    ignores slices with another value of `endpointslice.kubernetes.io/managed-by`.

    Does not set zones, hints for proxies and the annotation with the time of the last change.
    @par Thread safety Safe.
    @par Upstream kubernetes `staging/src/k8s.io/endpointslice/{reconciler,utils}.go`, v1.31 */
class endpoint_slice_rules {
public:
    using object = service;
    static constexpr std::string_view name = "endpoint-slice-controller";
    static constexpr rules::status_form status = rules::status_form::none;
    static object_type const& primary() noexcept; ///< observed_service_type()
    static bool plans_for(service const&);        ///< services with a selector

    endpoint_slice_rules();

    std::span<rules::watched const> watches() const noexcept { return rows_; }
    rules::plan make_plan(rules::look<service> const&) const;

private:
    std::vector<rules::watched> rows_;
};

} // namespace kftrain::controllers

#endif
