#ifndef KFTRAIN_SRC_KINDS_VOLCANO_JOB_PLAN_PASS_HPP
#define KFTRAIN_SRC_KINDS_VOLCANO_JOB_PLAN_PASS_HPP

#include "kinds/volcano_job/kind.hpp"
#include "kinds/volcano_job/plan/requests.hpp"
#include "kinds/volcano_job/plan/state.hpp"

#include <kftrain/job/plan_writer.hpp>

#include <map>
#include <string_view>

namespace kftrain::volcano {

/// The event for pods that cannot be deleted.
inline constexpr rules::event_messages pod_removed("", "", "FailedDelete", "Error deleting pods: [{}]");

/// One pass over a job: carries out one request, as one round of upstream's worker does.
class pass {
public:
    pass(rules::look<job> const&, std::shared_ptr<job_memory>, volcano_operator_options const&);

    rules::plan run();

private:
    using pods_by_name = std::map<std::string_view, core::pod const*, std::less<>>;

    // plan.cpp
    bool obey_commands();
    void take_up(request const&);
    void put_off(request const&, decision const&);
    void carry_out(request const&, std::string_view action);
    void end_life(rules::plan&);
    /// The status as it becomes, in the phase that follows. `phase` empty: it stays.
    void enter(std::string_view phase);
    void write(job_status const& compared_with);
    std::map<std::string_view, pods_by_name> pods_by_task() const;
    static void count(job_status&, std::string_view phase, std::string_view task);
    priority_map priorities() const;
    job_status& status() noexcept { return next_.status; }
    volcano_release release() const noexcept { return options_.release; }

    // plan.cpp: the end of pods
    void kill(operation const&);
    bool concerns(operation const&, std::string_view task, std::string_view pod) const;
    void remove_plugin_objects();
    template <resource K> void remove_own(std::string_view row, std::string const& name);

    // plan_start.cpp: false: the request has to come again
    bool find_queue();
    bool prepare();
    bool initiate();
    void ensure_plugin_objects();
    void ensure_hosts();
    void ensure_hostfile();
    void ensure_config_map(core::config_map);
    void ensure_secret();
    template <class Object> void ensure(std::string_view row, Object object);
    bool ensure_claims();
    void ensure_group();
    pod_group const* stored_group() const;

    // plan_sync.cpp
    void sync();
    bool may_create_pods();
    void count_and_create(job_status&);
    void create_pods(job_status&, task_spec const&, std::vector<std::int32_t> const& missing);
    bool may_start(task_spec const&) const;
    bool is_ready(task_spec const&) const;

    job const& stored_;
    job next_; ///< with the status as it becomes
    rules::world const& world_;
    time_point now_;
    std::shared_ptr<job_memory> memory_;
    volcano_operator_options const& options_;
    rules::plan_writer todo_;
    request request_; ///< that this pass carries out
    bool forwarded_ = false;
    pods_by_name everyone_; ///< of a sync: those that are leaving, too
};

} // namespace kftrain::volcano

#endif
