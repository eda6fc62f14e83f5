#include "facade/scale_job.hpp"

#include "facade/change_job.hpp"
#include "facade/follow/job_layout.hpp"
#include "facade/gang_words.hpp"
#include "facade/job_roles.hpp"
#include "kube/operation.hpp"

#include <kftrain/job/job_rules.hpp>
#include <kftrain/kube/list_pages.hpp>

#include <boost/asio/as_tuple.hpp>

namespace kftrain {
namespace {

namespace asio = boost::asio;
using autoscaling::horizontal_pod_autoscaler;

/// Pages of autoscalers of a namespace that are looked at.
constexpr std::uint32_t most_pages_of_autoscalers = 1000;

/// Where the rules of the kind find the number of the role: in their refusal of a number that no role can have.
std::string path_of(any_job const& job, std::string_view role) {
    auto const none = job.rules().scaled(job.get(), role, -1);
    return none ? "replicas of " + std::string(role) : none.error().detail.path;
}

/// Whether the subresource `scale` of the kind, by which autoscalers work, sets the number of this role.
bool is_autoscaled(rules::job_rules const& kind, std::string_view role) {
    auto const& paths = kind.schema().scale();
    return paths && paths->spec_replicas.find("." + std::string(role) + ".") != std::string::npos;
}

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

std::string words_of(horizontal_pod_autoscaler const& hpa, std::int32_t members) {
    return std::to_string(members) + ", but HorizontalPodAutoscaler " + hpa.metadata.name +
           " keeps this number between " + std::to_string(hpa.spec.min_replicas.value_or(1)) + " and " +
           std::to_string(hpa.spec.max_replicas) +
           " and would undo the change: expected another range, or no HorizontalPodAutoscaler";
}

/// That so few members can never start together, in words; empty if they can.
std::string below_gang(any_job const& job, std::string_view role, std::int32_t members) {
    auto const words = gang_words_of(job);
    if (!words.min_available || has_errors(job.validate())) return {};
    std::int64_t total = 0;
    std::int64_t now = 0;
    for (auto const& m : job.members().members) {
        ++total;
        if (m.role == role) ++now;
    }
    if (members >= now || total - now + members >= *words.min_available) return {};
    return std::to_string(members) + ", but the gang needs at least " + std::to_string(*words.min_available) +
           " replicas because of " + words.path + ".minAvailable, and the job would have " +
           std::to_string(total - now + members) + ": expected " +
           std::to_string(*words.min_available - (total - now)) + " or more";
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
    if (is_autoscaled(*job.kind, role)) found = co_await opposing_autoscaler(client, job, members, time);
    auto decide = [role, members, &found](any_job const& stored) {
        return checked_scaling(stored, role, members, found);
    };
    auto change = change_job(client, job, std::move(decide), time);
    auto scaled = co_await std::move(change);
    co_return scaled;
}

} // namespace

result<rules::action> checked_scaling(any_job const& stored, std::string_view role, std::int32_t members,
                                      std::vector<horizontal_pod_autoscaler> const& autoscalers) {
    // Without the objects to which it refers, the roles of a job are not known.
    auto const layout = stored.references().empty() ? lay_out_job(stored.rules(), stored.get()) : nullptr;
    if (layout != nullptr) {
        auto const roles = roles_of(stored.rules(), stored.get(), layout->members());
        if (auto fault = fault_of_role("role", role, roles)) return *std::move(fault);
    }
    auto action = stored.rules().scaled(stored.get(), role, members);
    if (!action) return action;
    // A rule that also lowers the minimum of the gang does so in its patch.
    if (auto why = below_gang(stored, role, members); !why.empty())
        return rules::cannot(path_of(stored, role), std::move(why));
    if (!is_autoscaled(stored.rules(), role)) return action;
    for (auto const& hpa : autoscalers)
        if (is_about(hpa, stored.resource(), stored.metadata().name) && would_undo(hpa, members))
            return rules::cannot(path_of(stored, role), words_of(hpa, members));
    return action;
}

void scale_job(job_handler handler, kube::client client, job_reference job, std::string role, std::int32_t members,
               kube::call_options options) {
    shared_deadline const time(client, std::move(options));
    auto what = "scaling of " + job.to_string();
    auto change = run_scaling(client, std::move(job), std::move(role), members, time);
    start_change(std::move(handler), client, std::move(what), time, std::move(change));
}

} // namespace kftrain
