#ifndef KFTRAIN_KFTRAIN_HPP
#define KFTRAIN_KFTRAIN_HPP

/** @file
    Umbrella header: clients, operators, the local cluster, all job kinds and the builder of PyTorchJobs. The builders
    of the other kinds have their own headers. The library itself includes the parts. */

#include <kftrain/base/diagnostics.hpp>
#include <kftrain/base/error.hpp>
#include <kftrain/control/job_operator.hpp>
#include <kftrain/facade/served_kind.hpp>
#include <kftrain/job/member_lookup.hpp>
#include <kftrain/kinds/all.hpp>
#include <kftrain/kinds/pytorch_job_builder.hpp>
#include <kftrain/kinds/registry.hpp>
#include <kftrain/kube/api.hpp>
#include <kftrain/kube/config.hpp>
#include <kftrain/kube/default_config.hpp>
#include <kftrain/kube/https_transport.hpp>
#include <kftrain/kube/informer.hpp>
#include <kftrain/kube/wait.hpp>
#include <kftrain/local/local_cluster.hpp>
#include <kftrain/training_client.hpp>
#include <kftrain/version.hpp>

#include <boost/asio/io_context.hpp>

#endif
