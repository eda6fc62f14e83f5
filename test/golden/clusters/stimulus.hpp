#ifndef KFTRAIN_TEST_GOLDEN_CLUSTERS_STIMULUS_HPP
#define KFTRAIN_TEST_GOLDEN_CLUSTERS_STIMULUS_HPP

#include "golden/clusters/cluster.hpp"
#include "golden/clusters/operated_cluster.hpp"

namespace golden {

/** Applies the stimuli of a recording to a played cluster: as user, scheduler and kubelet. README.md lists them.
    @par Errors std::runtime_error for an unknown stimulus, a wait that does not end, or a pod that is not created. */
class stimulus {
public:
    /// `strategic`: the status of pods is sent as a strategic merge patch, else as a merge patch.
    stimulus(operated_cluster& played, std::string job_path, bool strategic)
        : played_(played), job_path_(std::move(job_path)), strategic_(strategic) {}

    /// The job is there from now on.
    void name_job(std::string const& uid) { job_uid_ = uid; }
    /// Returns the refusals in order.
    std::vector<refusal> apply(json::object const& event);

    /// Whether an operator could look in between, so that what it does on the way is chance.
    static bool is_many(json::object const& event);

private:
    using requests = std::vector<kftrain::kube::http_request>;

    std::vector<refusal> send(requests);
    requests requests_of(json::object const& event);
    void set_pod(json::object const& entry, requests& out);
    std::string pod_of(json::object const& entry);
    /// The oldest first.
    std::vector<std::string> pods_selected_by(std::string const& selector);
    std::optional<std::string> find_pod_of(std::string const& job, json::value const* index);
    kftrain::kube::http_request create_object(json::object const& event) const;
    /// Of the object that a stimulus is about: given, or by kind and name.
    std::string path_of(json::object const& event);
    std::string collection_of(std::string const& kind) const;
    bool holds(json::object const& wait);
    /// Lets time pass, a second at a time, until this is so; false if it never is.
    template <class Condition> bool wait_until(Condition);

    operated_cluster& played_;
    std::string job_path_, job_uid_;
    bool strategic_;
};

/// The uid of who controls an object, if that is of this kind; else empty.
std::string controller_of_kind(json::object const& object, std::string_view kind);

} // namespace golden

#endif
