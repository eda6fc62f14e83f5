#ifndef KFTRAIN_JOB_POD_SETTINGS_HPP
#define KFTRAIN_JOB_POD_SETTINGS_HPP

#include <kftrain/base/special_members.hpp>
#include <kftrain/objects/core/pod.hpp>

#include <concepts>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace kftrain {

/// An integer type; excludes bool and floating-point types.
template <class T>
concept whole_number = std::integral<T> && !std::same_as<std::remove_cvref_t<T>, bool>;

/// When a failed replica is restarted: see `restartPolicy` of the replica.
enum class restart { always, on_failure, never, exit_code };

/// The values that pod_setters collected.
struct pod_choices {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(pod_choices);

    core::pod_template_spec pod;  ///< everything but the training container
    core::container training;     ///< without its name
    std::string restart_policy{}; ///< empty: the kind's default
    /// Volumes with generated names: the mounted object, e.g. `claim data`, and the name of its volume.
    std::map<std::string, std::string> named_volumes;
};

namespace detail {

void set_variable(pod_choices&, core::env_var);
void set_resource(pod_choices&, std::string const& resource, std::string const& amount);
void add_pull_secret(pod_choices&, std::string name);
void add_toleration(pod_choices&, core::toleration);
void add_side_container(pod_choices&, core::container);
void add_init_container(pod_choices&, core::container);
void add_volume(pod_choices&, core::volume, std::string path, bool read_only);
/// Derives the volume name from `name`, which may be any text; an object that is already mounted keeps its volume.
void add_named_volume(pod_choices&, std::string_view kind, core::volume, std::string path, bool read_only);
core::volume claim_volume(std::string const& claim, bool read_only);
core::volume config_map_volume(std::string const& name);
core::volume secret_volume(std::string const& name);
core::volume memory_volume(std::string const& size);
core::env_var secret_variable(std::string name, std::string secret, std::string key);
std::string_view to_wire(restart) noexcept;

} // namespace detail

/** Setters for the pods of a job, for builders: each returns the builder, so that calls can be chained. Values that
    their type does not check are checked when the job is built.
    @par Thread safety Distinct objects: safe. Shared objects: unsafe. */
template <class Self> class pod_setters {
public:
    /// Sets the image of the training container. Command, arguments, directory, variables, resources and mounts belong
    /// to this container, too.
    Self& image(std::string reference) { return set(choices_.training.image, std::move(reference)); }
    /// Always, IfNotPresent or Never.
    Self& image_pull_policy(std::string policy) { return set(choices_.training.image_pull_policy, std::move(policy)); }
    /// Adds a secret for pulling images.
    Self& image_pull_secret(std::string name) {
        detail::add_pull_secret(choices_, std::move(name));
        return self();
    }
    /// Program and its first arguments, replacing the entry point of the image; no shell interprets them.
    Self& command(std::vector<std::string> arguments) { return set(choices_.training.command, std::move(arguments)); }
    /// Arguments after the command, or after the entry point of the image.
    Self& args(std::vector<std::string> arguments) { return set(choices_.training.args, std::move(arguments)); }
    /// Absolute path in the container.
    Self& working_dir(std::string path) { return set(choices_.training.working_dir, std::move(path)); }

    /// Sets a variable; replaces one of this name.
    Self& env(std::string name, std::string value) { return env(core::env_var(std::move(name), std::move(value))); }
    /// The same with a value from another source, such as a field of the pod.
    Self& env(core::env_var variable) {
        detail::set_variable(choices_, std::move(variable));
        return self();
    }
    /// The value comes from `key` of a secret in the namespace of the job.
    Self& env_from_secret(std::string name, std::string secret, std::string key) {
        return env(detail::secret_variable(std::move(name), std::move(secret), std::move(key)));
    }

    /// Devices per pod.
    template <whole_number N> Self& gpus(N count, std::string const& resource = "nvidia.com/gpu") {
        return resources(resource, std::to_string(count));
    }
    /// Cores, e.g. `4` or `500m`; both request and limit.
    Self& cpu(std::string const& amount) { return resources("cpu", amount); }
    /// Bytes, e.g. `16Gi`; both request and limit.
    Self& memory(std::string const& amount) { return resources("memory", amount); }
    /// Any resource; sets both request and limit.
    Self& resources(std::string const& resource, std::string const& amount) {
        detail::set_resource(choices_, resource, amount);
        return self();
    }

    /** Mounts a volume at a path; replaces an earlier volume of its name and an earlier mount at its path.

        The setters below choose the names of their volumes: the name of the claim, config map or secret, or one
        derived from it if that is not a valid volume name or is already in use. They never replace another volume. */
    Self& mount(core::volume source, std::string path, bool read_only = false) {
        detail::add_volume(choices_, std::move(source), std::move(path), read_only);
        return self();
    }
    /// Mounts a persistent volume claim in the namespace of the job.
    Self& mount_claim(std::string const& claim, std::string path, bool read_only = false) {
        detail::add_named_volume(choices_, "claim", detail::claim_volume(claim, read_only), std::move(path), read_only);
        return self();
    }
    /// Each key of the config map becomes a file; always read-only.
    Self& mount_config_map(std::string const& name, std::string path) {
        detail::add_named_volume(choices_, "config map", detail::config_map_volume(name), std::move(path), true);
        return self();
    }
    /// Each key of the secret becomes a file; always read-only.
    Self& mount_secret(std::string const& name, std::string path) {
        detail::add_named_volume(choices_, "secret", detail::secret_volume(name), std::move(path), true);
        return self();
    }
    /// Memory at `/dev/shm` for the worker processes of a data loader, in bytes, e.g. `8Gi`; it counts as memory of the
    /// pod. The default of container runtimes is 64 MiB.
    Self& shared_memory(std::string const& size) {
        detail::add_named_volume(choices_, "memory", detail::memory_volume(size), "/dev/shm", false);
        return self();
    }

    /// Sets a label of the pods; the operator overwrites the labels by which it finds its pods.
    Self& pod_label(std::string const& key, std::string value) {
        return set(choices_.pod.metadata.labels[key], std::move(value));
    }
    /// Sets an annotation of the pods.
    Self& pod_annotation(std::string const& key, std::string value) {
        return set(choices_.pod.metadata.annotations[key], std::move(value));
    }
    /// Restricts pods to nodes with this label; further calls add further labels.
    Self& node_selector(std::string const& key, std::string value) {
        return set(choices_.pod.spec.node_selector[key], std::move(value));
    }
    /// Appends a toleration of a node taint.
    Self& tolerate(core::toleration t) {
        detail::add_toleration(choices_, std::move(t));
        return self();
    }
    /// Tolerates every taint of this key, regardless of its value; an empty effect matches all effects.
    Self& tolerate(std::string key, std::string effect = {}) {
        core::toleration t;
        t.key = std::move(key);
        t.operator_ = "Exists";
        t.effect = std::move(effect);
        return tolerate(std::move(t));
    }
    /// The identity of the pods for the API server; default: `default`.
    Self& service_account(std::string name) { return set(choices_.pod.spec.service_account_name, std::move(name)); }
    /// Name of a PriorityClass of the cluster.
    Self& priority_class(std::string name) { return set(choices_.pod.spec.priority_class_name, std::move(name)); }
    /// Name of the scheduler of the pods; default: the gang scheduler of the operator options, if any.
    Self& scheduler(std::string name) { return set(choices_.pod.spec.scheduler_name, std::move(name)); }
    /// Restarts of failed replicas; default: that of the kind.
    Self& restart_policy(restart when) { return set(choices_.restart_policy, std::string(detail::to_wire(when))); }

    /// Adds a container next to the training container.
    Self& side_container(core::container c) {
        detail::add_side_container(choices_, std::move(c));
        return self();
    }
    /// Adds a container that runs to its end before the other containers start, in the order of the calls.
    Self& init_container(core::container c) {
        detail::add_init_container(choices_, std::move(c));
        return self();
    }
    /// For fields without a setter: `change(pod_template_spec&)`. The training container is added when the job is
    /// built.
    template <std::invocable<core::pod_template_spec&> Change> Self& change_pod(Change change) {
        change(choices_.pod);
        return self();
    }
    /// For fields without a setter: `change(container&)`, of the training container.
    template <std::invocable<core::container&> Change> Self& change_container(Change change) {
        change(choices_.training);
        return self();
    }

    /// Returns the current values; the reference is valid as long as the builder.
    pod_choices const& pod() const noexcept { return choices_; }

protected:
    pod_setters() = default;
    explicit pod_setters(pod_choices start) : choices_(std::move(start)) {}
    template <class Before> explicit pod_setters(pod_setters<Before> const& before) : choices_(before.pod()) {}

    Self& self() noexcept { return static_cast<Self&>(*this); }
    template <class T> Self& set(T& member, T value) {
        member = std::move(value);
        return self();
    }

private:
    pod_choices choices_;
};

/** The pods of one replica type: start as the pods of the job and are then changed by the caller's function for the
    type.
    @par Thread safety Distinct objects: safe. Shared objects: unsafe. */
class pod_settings final : public pod_setters<pod_settings> {
public:
    pod_settings() = default;
    explicit pod_settings(pod_choices start) : pod_setters(std::move(start)) {}
};

/// Customizes the pods of one replica type; called each time the job is built, on the caller's thread. build() rethrows
/// its exceptions.
using pod_change = std::function<void(pod_settings&)>;

} // namespace kftrain

#endif
