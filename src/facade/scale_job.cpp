#include "facade/scale_job.hpp"

#include "facade/change_job.hpp"
#include "facade/job_arguments.hpp"
#include "kube/async/blocking_form.hpp"
#include "kube/async/operation.hpp"

#include <kftrain/job/job_rules.hpp>
#include <kftrain/kube/list_pages.hpp>
#include <kftrain/objects/autoscaling/horizontal_pod_autoscaler.hpp>
#include <kftrain/training_client.hpp>

#include <boost/asio/as_tuple.hpp>

#include <algorithm>

namespace kftrain {
namespace {

namespace asio = boost::asio;
using autoscaling::horizontal_pod_autoscaler;

/// Pages of autoscalers of a namespace that are looked at.
constexpr std::uint32_t most_pages_of_autoscalers = 1000;

bool is_about(horizontal_pod_autoscaler const& hpa, resource_info const& type, std::string_view job) {
    auto const& target = hpa.spec.scale_target_ref;
    auto const slash = target.api_version.find('/');
    auto const group =
        slash == std::string::npos ? std::string_view() : std::string_view(target.api_version).substr(0, slash);
    return !hpa.metadata.deletion_timestamp && target.kind == type.kind && target.name == job && group == type.group;
}

/// Whether it keeps to its range alone, as without metrics.
bool is_idle(horizontal_pod_autoscaler const& hpa) {
    for (auto const& c : hpa.status.conditions)
        if (c.type == "ScalingActive") return c.status == "False";
    return false;
}

bool would_undo(horizontal_pod_autoscaler const& hpa, std::int32_t members) {
    std::int32_t const least = hpa.spec.min_replicas.value_or(1);
    std::int32_t const most = hpa.spec.max_replicas;
    if (members < least || members > most) return true;
    return least != most && !is_idle(hpa);
}

std::string conflict_text(horizontal_pod_autoscaler const& hpa, std::int32_t members) {
    return std::to_string(members) + ", but HorizontalPodAutoscaler " + hpa.metadata.name +
           " keeps this number between " + std::to_string(hpa.spec.min_replicas.value_or(1)) + " and " +
           std::to_string(hpa.spec.max_replicas) +
           " and would undo the change: expected another range, or no HorizontalPodAutoscaler";
}

/// The message that so few members can never start together; empty if they can.
std::string below_gang(prepared_job const& job, std::string_view role, std::int32_t members) {
    auto const gang = job.gang();
    if (!gang || !gang->min_available || !job.is_valid()) return {};
    auto const& layout = job.layout();
    auto const total = std::ssize(layout.members);
    auto const now = std::ssize(layout.of_role(role));
    if (members >= now || total - now + members >= *gang->min_available) return {};
    return std::to_string(members) + ", but the gang needs at least " + std::to_string(*gang->min_available) +
           " replicas because of " + gang->path + ".minAvailable, and the job would have " +
           std::to_string(total - now + members) + ": expected " +
           std::to_string(*gang->min_available - (total - now)) + " or more";
}

using found_autoscalers = std::vector<horizontal_pod_autoscaler>;

/// Returns an autoscaler that would undo the change. Missing permission to read autoscalers, or a server without them,
/// does not prevent scaling; other failures do, because they could hide one.
asio::awaitable<found_autoscalers> opposing_autoscaler(kube::client client, job_reference job, std::int32_t members,
                                                       shared_deadline time) {
    using items = object_list<horizontal_pod_autoscaler>;
    found_autoscalers found;
    kube::api<horizontal_pod_autoscaler> const all(client, job.namespace_);
    kube::detail::page_function<items> take = [&](kube::list_page<items> page) {
        if (page.restarted) found.clear();
        for (auto& hpa : page.list.items)
            if (found.empty() && is_about(hpa, *job.kind->primary().info, job.name) && would_undo(hpa, members))
                found.push_back(std::move(hpa));
        return found.empty();
    };
    kube::page_options options;
    static_cast<kube::call_options&>(options) = time.next();
    options.total_timeout = options.timeout;
    options.max_pages = most_pages_of_autoscalers;
    auto const outcome =
        co_await kube::async_list_pages(all, std::move(take), std::move(options), asio::as_tuple(asio::use_awaitable));
    error_code const ec = std::get<0>(outcome);
    bool const none = is_forbidden(ec) || is_not_found(ec);
    if (ec && !none) kube::detail::fail(ec);
    if (none) found.clear();
    co_return found;
}

asio::awaitable<any_job> run_scaling(kube::client client, job_reference job, std::string role, std::int32_t members,
                                     shared_deadline time) {
    found_autoscalers found;
    // The PodGroup follows the job, so the job has its minimum; only the autoscaler knows its own range.
    if (job.kind->schema().scale()) found = co_await opposing_autoscaler(client, job, members, time);
    auto decide = [role, members, &found](prepared_job const& stored) {
        return checked_scaling(stored, role, members, found);
    };
    auto change = change_job(client, job, std::move(decide), time);
    auto scaled = co_await std::move(change);
    co_return scaled;
}

} // namespace

result<rules::job_write> checked_scaling(prepared_job const& stored, std::string_view role, std::int32_t members,
                                         std::vector<horizontal_pod_autoscaler> const& autoscalers) {
    // Without the objects to which it refers, the roles of a job are not known.
    if (stored->references().empty() && stored.is_valid())
        if (auto fault = fault_of_role("role", role, roles_of(stored, stored.layout()))) return *std::move(fault);
    auto write = stored.scaled(role, members);
    if (!write) return write;
    auto const scaling = stored.scaling();
    auto const place = std::ranges::find(scaling.places, role, &rules::scale_place::role);
    if (place == scaling.places.end()) return write;
    // A rule that also lowers the minimum of the gang does so in its patch.
    if (auto why = below_gang(stored, role, members); !why.empty()) return rules::cannot(place->path, std::move(why));
    if (!place->has_subresource) return write;
    for (auto const& hpa : autoscalers)
        if (is_about(hpa, stored->resource(), stored->metadata().name) && would_undo(hpa, members))
            return rules::cannot(place->path, conflict_text(hpa, members));
    return write;
}

void training_client::scale_(job_handler handler, job_reference job, std::string role, std::int32_t members,
                             kube::call_options options) const {
    if (refuse_job(job, get_executor(), handler, options.detail)) return;
    job = placed(std::move(job));
    shared_deadline const time(client_, std::move(options));
    auto what = "scaling of " + job.to_string();
    auto change = run_scaling(client_, std::move(job), std::move(role), members, time);
    start_change(std::move(handler), client_, std::move(what), time, std::move(change));
}

result<any_job> training_client::scale(job_reference const& job, std::string role, std::int32_t members,
                                       kube::call_options options) const {
    return kube::detail::blocking_form<any_job>(place(), std::move(options), [&](auto h, auto o) {
        scale_(std::move(h), job, std::move(role), members, std::move(o));
    });
}

} // namespace kftrain
