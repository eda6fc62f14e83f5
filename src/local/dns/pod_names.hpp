#ifndef KFTRAIN_SRC_LOCAL_DNS_POD_NAMES_HPP
#define KFTRAIN_SRC_LOCAL_DNS_POD_NAMES_HPP

#include <kftrain/base/diagnostics.hpp>
#include <kftrain/objects/core.hpp>

#include <string>

namespace kftrain::local {

/** Checks the names that become parts of paths, of `/etc/hosts` and of environments: namespace, name and uid of the
    pod, hostname, subdomain, volumes, containers, variables. API servers refuse such pods; the node checks them as
    well, so that it never writes outside of its directory.
    @par Upstream kubernetes v1.31 `pkg/kubelet/kubelet_pods.go`, `GeneratePodHostNameAndDomain`;
    `pkg/apis/core/validation` */
issues name_faults(pod const& p);

/// Whether namespace, name and uid can be parts of paths; part of name_faults().
bool fit_for_paths(object_meta const& meta);

/** The host name that the pod sees: at most 63 characters.
    @par Upstream kubernetes v1.31 `pkg/kubelet/kubelet_pods.go`, `truncatePodHostnameIfNeeded` */
std::string host_name_of(pod const& p);

} // namespace kftrain::local

#endif
