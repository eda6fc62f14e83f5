#include "kinds/volcano_job/plan/pass.hpp"

#include <kftrain/model/ownership.hpp>

namespace kftrain::volcano {
namespace {

constexpr rules::event_messages plugin_object("", "", "PluginError", "Execute plugin when job add failed, err: {}");
constexpr rules::event_messages claim_made("", "", "PVCError", "Failed to create PVC, err: {}");
constexpr rules::event_messages group_written("", "", "PodGroupError", "Failed to create PodGroup, err: {}");

/** An object that another owner controls, such as a former job of the same name, will be deleted with that owner, and
    the job would lose it. Upstream uses it. Here the creation fails, is reported, and is retried until that object is
    gone. */
template <resource K> K const* usable(K const* found, job const& job) {
    if (found == nullptr) return nullptr;
    auto const* const owner = controller_of(found->metadata);
    return owner == nullptr || owner->uid == job.metadata.uid ? found : nullptr;
}

/// Claims may be anybody's, but for those of a former job of the name.
bool is_left_behind(core::persistent_volume_claim const& claim, job const& job) {
    auto const* const owner = controller_of(claim.metadata);
    return owner != nullptr && owner->uid != job.metadata.uid && owner->name == job.metadata.name &&
           owner->kind == volcano::job::resource.kind && owner->api_version == volcano::job::resource.api_version();
}

template <resource K> rules::replace replacement(K object, rules::event_messages messages) {
    rules::replace r(std::move(object));
    r.event = messages;
    return r;
}

} // namespace

/// The queue may hand its jobs on to other clusters; then the job says so first.
bool pass::find_queue() {
    auto const* const q = world_.find<queue>(row::queue, stored_.spec.queue);
    if (q == nullptr) { // which wakes the job when it comes
        todo_.emit("Warning", "QueueNotFound",
                   "the job waits for queue \"" + stored_.spec.queue + "\", which does not exist");
        memory_->held = request_;
        return false;
    }
    forwarded_ = !q->spec.extend_clusters.empty();
    if (!forwarded_ || annotation_of(stored_.metadata, key::job_forwarding) == "true") return true;
    next_.metadata.annotations[std::string(key::job_forwarding)] = "true";
    todo_.add(rules::change_self(next_));
    memory_->begun = request_;
    return false;
}

/// Brings into being what pods need. False: the rest of the request comes with a later plan.
bool pass::prepare() {
    if (!find_queue()) return false;
    if (is_initiated(stored_)) {
        ensure_hostfile();
        if (has_plugin(stored_, plugin::svc)) ensure_hosts();
        ensure_group();
        return true;
    }
    return initiate();
}

bool pass::initiate() {
    if (stored_.status.state.phase.empty()) {
        status().min_available = stored_.spec.min_available;
        enter(phase::pending);
        write(stored_.status);
        memory_->begun = request_;
        return false;
    }
    ensure_plugin_objects();
    if (!ensure_claims()) return false;
    ensure_group();
    return true;
}

void pass::ensure_plugin_objects() {
    ensure_hostfile(); // whatever the markers say
    auto& markers = status().controlled_resources;
    for (auto const& [name, messages] : stored_.spec.plugins) {
        std::string const marker = "plugin-" + name;
        if (markers.contains(marker) || !is_plugin(name, options_)) continue;
        if (name == plugin::ray) ensure(row::services, render_head_service(stored_));
        if (name == plugin::ssh) ensure_secret();
        if (name == plugin::svc) {
            ensure_hosts();
            ensure(row::services, render_service(stored_));
            if (!svc_of(stored_).disable_network_policy) ensure(row::network_policy, render_network_policy(stored_));
        }
        if (name != plugin::hcclrank) markers[marker] = name;
    }
}

/// Creates the object unless there is one of its name that the job or no owner controls.
template <class Object> void pass::ensure(std::string_view row, Object object) {
    if (usable(world_.find<Object>(row, object.metadata.name), stored_) != nullptr) return;
    todo_.create(rules::create(std::move(object), plugin_object));
}

void pass::ensure_hosts() { ensure_config_map(render_hosts(stored_)); }

void pass::ensure_hostfile() {
    if (is_designed(options_) && has_plugin(stored_, plugin::mpi)) ensure_config_map(render_hostfile(stored_));
}

void pass::ensure_config_map(core::config_map wanted) {
    auto const* const found = usable(world_.find<core::config_map>(row::hosts, wanted.metadata.name), stored_);
    if (found == nullptr) {
        todo_.create(rules::create(std::move(wanted), plugin_object));
    } else if (!(found->data == wanted.data)) {
        core::config_map next = *found;
        next.data = std::move(wanted.data);
        todo_.add(replacement(std::move(next), plugin_object));
    }
}

/// Keys stay as long as the file of hosts does. Of the stored one no more is known than who it is: values are not kept.
void pass::ensure_secret() {
    auto wanted = render_secret(stored_);
    auto const* const found = usable(world_.find<core::secret>(row::secret, wanted.metadata.name), stored_);
    auto const config = ssh_config(stored_);
    bool const follows = found != nullptr && !memory_->ssh_config.empty() && memory_->ssh_config != config;
    if (found == nullptr) {
        rules::create c(std::move(wanted), plugin_object);
        c.made = secret_recipes(stored_);
        todo_.create(std::move(c));
    } else if (follows) {
        wanted.metadata.uid = found->metadata.uid;
        wanted.metadata.resource_version = found->metadata.resource_version;
        auto r = replacement(std::move(wanted), plugin_object);
        r.made = secret_recipes(stored_);
        todo_.add(std::move(r));
    }
    memory_->ssh_config = config;
}

/// Claims get their names before they are made, so that a lost answer costs no second claim.
bool pass::ensure_claims() {
    rules::change_self named;
    for (std::size_t i = 0; i < stored_.spec.volumes.size(); ++i) {
        auto const& v = stored_.spec.volumes[i];
        if (v.volume_claim_name.empty()) {
            named.made.push_back(claim_name_recipe(i));
            continue;
        }
        auto const* const found = world_.find<core::persistent_volume_claim>(row::claims, v.volume_claim_name);
        bool const there = found != nullptr && (!v.volume_claim || !is_left_behind(*found, stored_));
        if (!there && !v.volume_claim) {
            todo_.emit("Warning", "PVCError",
                       "Failed to create PVC, err: pvc " + v.volume_claim_name +
                           " is not found, the job will be in the Pending state until the PVC is created");
            memory_->held = request_; // the claim wakes the job when it comes
            return false;
        }
        if (!there) todo_.create(rules::create(render_claim(stored_, v), claim_made));
        status().controlled_resources["volume-pvc-" + v.volume_claim_name] = v.volume_claim_name;
    }
    if (named.made.empty()) return true;
    named.object = stored_;
    memory_->begun = request_;
    todo_.add(std::move(named));
    return false;
}

/// By its name, or by that which releases before v1.5 gave it.
pod_group const* pass::stored_group() const {
    auto const* const found = world_.find<pod_group>(row::groups, group_name(stored_));
    return usable(found != nullptr ? found : world_.find<pod_group>(row::groups, stored_.metadata.name), stored_);
}

void pass::ensure_group() {
    auto wanted = render_pod_group(stored_, priorities(), release());
    auto const* const found = stored_group();
    if (found == nullptr) {
        rules::create c(std::move(wanted), group_written);
        todo_.create(std::move(c));
        return;
    }
    pod_group next = *found;
    next.spec.priority_class_name = wanted.spec.priority_class_name;
    next.spec.min_member = wanted.spec.min_member;
    next.spec.min_resources = wanted.spec.min_resources;
    for (auto const& [task, count] : wanted.spec.min_task_member) next.spec.min_task_member[task] = count;
    // v1.9.0 takes amounts that were read for others than those that were computed.
    auto const& version = found->metadata.resource_version;
    bool const repeats = release() < volcano_release::v1_10_0 && wanted.spec.min_resources &&
                         !wanted.spec.min_resources->empty() && memory_->group_version != version;
    if (repeats || !(next.spec == found->spec)) todo_.add(replacement(std::move(next), group_written));
    memory_->group_version = version;
}

} // namespace kftrain::volcano
