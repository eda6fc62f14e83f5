#ifndef KFTRAIN_TEST_GOLDEN_CLUSTERS_SERVED_PLAYER_HPP
#define KFTRAIN_TEST_GOLDEN_CLUSTERS_SERVED_PLAYER_HPP

#include "golden/checks/admission.hpp"
#include "golden/clusters/stimulus.hpp"
#include "golden/timeline.hpp"

namespace golden {

/// Plays one case in a played with an API server.
class served_player {
public:
    /// All of these must outlive it.
    served_player(recorded_case const& c, recorded_kind const& kind, allowances const& allowed,
                  operated_cluster& played);

    /// Submits the job; the answer of the server is that which was there before the operator could see the job.
    admission_answer create();

    /** Plays all steps; `shown` selects the steps in which moments are visible. Returns an empty text if all agree.
        @param moments set to the steps that had any */
    std::string play(std::vector<bool> const& shown, std::vector<bool>& moments);

private:
    std::optional<std::string> step(json::object const& recorded, std::size_t i);
    bool finish_step(kftrain::time_point end);
    json::object stored_job(); ///< empty if there is none
    void name_job();
    aftermath look();

    recorded_case const& case_;
    allowances const& allowed_;
    operated_cluster& played_;
    std::string collection_, job_name_;
    own_writes own_;
    bool overlooked_ = false; ///< upstream had not looked when the last step ended
    std::vector<json::object> const& standing_;
    std::string (*spelled_)(std::string, std::string const&);
    bool unordered_;
    void (*comparable_)(json::value&);
    stimulus stimulus_;
    timeline times_;
};

} // namespace golden

#endif
