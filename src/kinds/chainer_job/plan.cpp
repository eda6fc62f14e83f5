#include "kinds/chainer_job/kind.hpp"

#include <kftrain/job/plan_writer.hpp>
#include <kftrain/job/prepared_job.hpp>
#include <kftrain/model/codec.hpp>
#include <kftrain/model/ownership.hpp>

#include <algorithm>
#include <array>

namespace kftrain::kubeflow_v1alpha1::chainer {
namespace {

constexpr std::string_view account_row = "service account";
constexpr std::string_view role_row = "role";
constexpr std::string_view binding_row = "role binding";
constexpr std::string_view config_map_row = "config map";
constexpr std::string_view master_row = "master";
constexpr std::string_view sets_row = "worker sets";

std::vector<rules::object_name> sets_of(chainer_job const& job) {
    std::vector<rules::object_name> all;
    for (auto const& [name, set] : job.spec.worker_sets) all.emplace_back("", set_name(job, name));
    return all;
}

template <resource K> K const* first(rules::world const& world, std::string_view row) {
    auto const all = world.of<K>(row);
    return all.empty() ? nullptr : &*all.begin();
}

/// Fields that a server fills in where the operator leaves them out. To miss one costs a write that changes nothing.
bool is_filled_in(std::string_view path) {
    static constexpr std::array<std::string_view, 22> names{"terminationMessagePath",
                                                            "terminationMessagePolicy",
                                                            "imagePullPolicy",
                                                            "dnsPolicy",
                                                            "restartPolicy",
                                                            "schedulerName",
                                                            "securityContext",
                                                            "terminationGracePeriodSeconds",
                                                            "serviceAccount",
                                                            "protocol",
                                                            "apiVersion",
                                                            "defaultMode",
                                                            "revisionHistoryLimit",
                                                            "updateStrategy",
                                                            "persistentVolumeClaimRetentionPolicy",
                                                            "fieldRef",
                                                            "requests",
                                                            "timeoutSeconds",
                                                            "periodSeconds",
                                                            "successThreshold",
                                                            "failureThreshold",
                                                            "scheme"};
    return std::ranges::any_of(names, [&](std::string_view name) {
        auto const at = path.rfind(name);
        return at != path.npos && (at == 0 || path[at - 1] == '.');
    });
}

/// Whether what is stored is what is wanted, but for what a server fills in.
bool is_like(apps::stateful_set_spec wanted, apps::stateful_set_spec const& stored) {
    auto& pod = wanted.template_.spec;
    for (auto* containers : {&pod.init_containers, &pod.containers})
        for (auto& c : *containers)
            for (auto& port : c.ports) // the name also distinguishes them
                if (port.protocol.empty()) port.protocol = "TCP";
    auto const all = diff(wanted, stored);
    return std::ranges::all_of(all, [](difference const& d) { return d.before.empty() && is_filled_in(d.path); });
}

/// Whether an object has the labels that the job gives it. What others put there stays.
bool bears(object_meta const& stored, object_meta const& wanted) {
    return std::ranges::all_of(wanted.labels, [&](auto const& l) {
        auto const it = stored.labels.find(l.first);
        return it != stored.labels.end() && it->second == l.second;
    });
}

/// One pass over a job, child by child; functions that answer false found something in the way.
class pass {
public:
    pass(prepared_job const& job, chainer_world const& world)
        : stored_(*job.written().get_if<chainer_job>()),
          job_(*job.complete().get_if<chainer_job>()),
          faults_(job.faults()),
          world_(world) {}

    rules::plan run() {
        rules::plan plan;
        if (stored_.metadata.deletion_timestamp) return plan;
        if (!faults_.empty())
            todo_.emit("Warning", "FailedSynced", faults_.front().message);
        else if (sync())
            todo_.emit("Normal", "Synced", "ChainerJob synced successfully");
        plan.steps = todo_.take();
        // The end of the master is reported even if the server keeps rejecting a child.
        if (auto const next = with_status(); has_ended(next.status) && !(next.status == stored_.status))
            for (auto& step : plan.steps) step.refused = rules::write_status(any_object(next));
        return plan;
    }

private:
    bool sync() {
        auto const never = [](auto const&, auto const&) { return true; }; // created once, and left alone then
        auto const role_is_like = [](rbac::role const& a, rbac::role const& b) { return a.rules == b.rules; };
        auto const binding_is_like = [](rbac::role_binding const& a, rbac::role_binding const& b) {
            return a.subjects == b.subjects && a.role_ref == b.role_ref;
        };
        auto const map_is_like = [](core::config_map const& a, core::config_map const& b) {
            return a.data == b.data && a.binary_data == b.binary_data;
        };
        if (!put(render_account(job_), world_.account, never) || !put(render_role(job_), world_.role, role_is_like) ||
            !put(render_binding(job_), world_.binding, binding_is_like))
            return false;
        if (is_distributed(job_) && !put(render_config_map(job_), world_.config_map, map_is_like)) return false;
        if (!put(render_master(job_), world_.master, never)) return false;
        bool const ended = world_.master != nullptr && has_ended(world_.master->status);
        for (auto const& [name, set] : job_.spec.worker_sets)
            if (!put(render_set(job_, name, ended), find_set(name),
                     [](apps::stateful_set const& a, apps::stateful_set const& b) { return is_like(a.spec, b.spec); }))
                return false;
        write_itself();
        return true;
    }

    apps::stateful_set const* find_set(std::string_view name) const {
        auto const it = world_.sets.find(set_name(job_, name));
        return it == world_.sets.end() ? nullptr : it->second;
    }

    /// Creates what is missing and puts right what others changed.
    template <resource K, class Like> bool put(K wanted, K const* stored, Like is_like) {
        if (stored == nullptr) {
            todo_.create(rules::create(std::move(wanted)));
            return true;
        }
        if (!is_controlled_by(stored->metadata, job_.metadata.uid)) {
            todo_.emit("Warning", "ErrResourceExists",
                       "Resource \"" + stored->metadata.name + "\" already exists and is not managed by ChainerJob");
            return false;
        }
        constexpr bool once = std::same_as<K, core::service_account> || std::same_as<K, batch::job>;
        if (once || (is_like(wanted, *stored) && bears(stored->metadata, wanted.metadata))) return true;
        wanted.metadata.resource_version = stored->metadata.resource_version;
        for (auto const& [key, value] : stored->metadata.labels) wanted.metadata.labels.emplace(key, value);
        wanted.metadata.annotations = stored->metadata.annotations;
        wanted.metadata.finalizers = stored->metadata.finalizers;
        todo_.add(rules::replace(std::move(wanted)));
        return true;
    }

    /// With defaults, and of the status of the Job what upstream knew.
    chainer_job with_status() const {
        batch::job_status status;
        if (world_.master != nullptr) {
            auto const& of = world_.master->status;
            status.conditions = of.conditions;
            status.start_time = of.start_time;
            status.completion_time = of.completion_time;
            status.active = of.active;
            status.succeeded = of.succeeded;
            status.failed = of.failed;
        }
        chainer_job next = job_;
        next.status = std::move(status);
        return next;
    }

    void write_itself() {
        auto next = with_status();
        if (!(next.spec == stored_.spec))
            todo_.add(rules::change_self(std::move(next)));
        else if (!(next.status == stored_.status))
            todo_.add(rules::write_status(std::move(next)));
    }

    chainer_job const& stored_;
    chainer_job const& job_; ///< with defaults
    issues const& faults_;
    chainer_world const& world_;
    rules::plan_writer todo_;
};

} // namespace

/// Objects with the names that a job needs, whatever controls them: those of others are conflicts.
std::vector<rules::watched> watched_rows() {
    using rules::named_by;
    std::vector<rules::watched> rows;
    rows.emplace_back(account_row, object_type_of<core::service_account>, named_by<chainer_job, &account_name>());
    rows.emplace_back(role_row, object_type_of<rbac::role>, named_by<chainer_job, &role_name>());
    rows.emplace_back(binding_row, object_type_of<rbac::role_binding>, named_by<chainer_job, &binding_name>());
    rows.emplace_back(config_map_row, object_type_of<core::config_map>, named_by<chainer_job, &config_map_name>());
    rows.emplace_back(master_row, object_type_of<batch::job>, named_by<chainer_job, &master_name>());
    rows.emplace_back(sets_row, object_type_of<apps::stateful_set>, named_by<chainer_job, &sets_of>());
    return rows;
}

chainer_world gather(rules::world const& all) {
    chainer_world world;
    world.account = first<core::service_account>(all, account_row);
    world.role = first<rbac::role>(all, role_row);
    world.binding = first<rbac::role_binding>(all, binding_row);
    world.config_map = first<core::config_map>(all, config_map_row);
    world.master = first<batch::job>(all, master_row);
    for (auto const& set : all.of<apps::stateful_set>(sets_row)) world.sets.emplace(set.metadata.name, &set);
    return world;
}

rules::plan make_plan(prepared_job const& job, chainer_world const& world) { return pass(job, world).run(); }

} // namespace kftrain::kubeflow_v1alpha1::chainer
