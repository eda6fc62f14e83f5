#ifndef KFTRAIN_TEST_GOLDEN_CLUSTER_HPP
#define KFTRAIN_TEST_GOLDEN_CLUSTER_HPP

#include "golden/compare.hpp"

#include <functional>
#include <map>
#include <set>
#include <vector>

namespace golden {

/// Why the API server refused a request.
struct refusal {
    refusal() = default;
    refusal(int c, std::string m) : code(c), message(std::move(m)) {}

    int code = 0;
    std::string message;
};

/** The part of a cluster that a recorded case needs, without clock and without threads: one job, its pods and services,
    and what an API server does to them. There is neither garbage collector nor kubelet, as in the recordings. */
class cluster {
public:
    using objects = std::map<std::string, json::object, std::less<>>;
    /// Judges a changed job.
    using admission = std::function<std::optional<refusal>(json::object const& job)>;

    std::optional<json::object> job;
    objects pods;
    objects services;
    /// Something changed that an operator watches.
    bool changed = false;
    /** Objects that leave at once are first seen with a deletionTimestamp by whoever looks in the moment between. Whether
        an operator does is a race; set this to let it. */
    bool moments = false;
    /// A moment took place since this was last cleared.
    bool had_moment = false;

    /// Stores a new object; false if the name is taken.
    bool create(std::string const& plural, json::object object);
    /// Deletes a pod or service; false if there is none.
    bool remove(std::string const& plural, std::string const& name, bool without_grace = false);
    /// Ends the moment: what is leaving is gone. False if nothing was.
    bool end_moment();

    /// Does what a step of a recording says; returns the refusals in order.
    std::vector<refusal> apply(json::object const& event, admission const& admit);

private:
    void leave(objects& in, std::string const& name);
    void patch_job(json::object const& event, admission const& admit, std::vector<refusal>& refused);
    void set_pod(json::object const& entry, std::vector<refusal>& refused);

    std::set<std::string, std::less<>> leaving_;
    int uids_ = 0;
};

} // namespace golden

#endif
