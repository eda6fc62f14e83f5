#include "async/forms/forms.hpp"

#include <kftrain/apiserver/listener.hpp>
#include <kftrain/control/controller.hpp>
#include <kftrain/control/job_operator.hpp>
#include <kftrain/control/leader_election.hpp>
#include <kftrain/control/status_listener.hpp>
#include <kftrain/local/kubelet.hpp>
#include <kftrain/local/local_cluster.hpp>

// The operations of objects that belong to the caller. A run has no options: it ends when it is cancelled.

BOOST_AUTO_TEST_SUITE(async_forms_objects)

using namespace operation_forms;

namespace {

local::log_limits impossible_limits() {
    local::log_limits none;
    none.files = 0;
    return none;
}

} // namespace

BOOST_AUTO_TEST_CASE(runs_of_controllers_have_every_form) {
    pod_and_job w;
    control::controller controller(w.io.get_executor(), [](std::string const&, auto handler) {
        std::move(handler)(error_code(), control::reconcile_result());
    });
    control::job_operator<pytorch_job> op(w.client);
    control::controller_operator& any_operator = op;
    control::leader_elector elector(
        w.client, control::leader_election_options().with_name("lease").with_namespace("default").with_identity("me"));
    auto status = control::status_listener::open(w.io.get_executor(), control::status_listener_options()).value();
    controller.async_run([](error_code) {});
    op.async_run([](error_code) {});
    elector.async_run([](error_code) {});
    status.async_run([](error_code) {});
    CHECK_FORMS_WITHOUT_OPTIONS(control::controller, controller, async_run, errc::already_running);
    CHECK_FORMS_WITHOUT_OPTIONS(control::controller_operator, any_operator, async_run, errc::already_running);
    CHECK_FORMS_WITHOUT_OPTIONS(control::leader_elector, elector, async_run, errc::already_running);
    CHECK_FORMS_WITHOUT_OPTIONS(control::status_listener, status, async_run, errc::already_running);
}

BOOST_AUTO_TEST_CASE(a_listener_has_every_form) {
    pod_and_job w;
    auto listener = apiserver::listener::open(w.server).value();
    listener.async_run([](error_code) {});
    CHECK_FORMS_WITHOUT_OPTIONS(apiserver::listener, listener, async_run, errc::already_running);
}

// Neither starts with impossible limits, and neither runs before its start.
BOOST_AUTO_TEST_CASE(parts_of_a_local_cluster_have_every_form) {
    pod_and_job w;
    local::kubelet_options node_options;
    node_options.logs = impossible_limits();
    local::kubelet kubelet(w.client, node_options);
    CHECK_FORMS(local::kubelet, kubelet, async_start, local::start_options, errc::invalid_argument);
    local::kubelet unstarted(w.client);
    CHECK_FORMS_WITHOUT_OPTIONS(local::kubelet, unstarted, async_run, errc::invalid_argument);

    local::local_cluster_options cluster_options;
    cluster_options.logs = impossible_limits();
    local::local_cluster cluster(w.io, cluster_options);
    CHECK_FORMS(local::local_cluster, cluster, async_start, local::start_options, errc::invalid_argument);
    CHECK_FORMS_WITHOUT_OPTIONS(local::local_cluster, cluster, async_run, errc::invalid_argument);
    CHECK_BLOCKING_FORM(cluster, start, local::start_options, errc::invalid_argument);
}

BOOST_AUTO_TEST_SUITE_END()
