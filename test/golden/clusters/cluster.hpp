#ifndef KFTRAIN_TEST_GOLDEN_CLUSTERS_CLUSTER_HPP
#define KFTRAIN_TEST_GOLDEN_CLUSTERS_CLUSTER_HPP

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

/// Paths of requests without their namespace: `/api/v1/pods` and, if one object is meant, its name.
struct object_path {
    object_path() = default;
    /// From `/api/v1/namespaces/<any>/pods` or `.../pods/<name>`.
    explicit object_path(std::string_view path);

    std::string collection;
    std::string name;
};

constexpr std::string_view pods_path = "/api/v1/pods";
constexpr std::string_view services_path = "/api/v1/services";

/** The part of a cluster that a recorded case needs, without clock and without threads: one job, objects of any type, and
    what an API server does to them. There is neither garbage collector nor kubelet, as in the recordings. */
class cluster {
public:
    using objects = std::map<std::string, json::object, std::less<>>;
    /// Judges a changed job, and may fill it in as the definition of its kind says.
    using admission = std::function<std::optional<refusal>(json::object& job, json::object const& before)>;

    std::optional<json::object> job;
    /// The job is deleted; what it owns stays.
    void remove_job();
    /// Something changed that an operator watches.
    bool changed = false;
    /** Objects that leave at once are first seen with a deletionTimestamp by a reader in the moment between. Whether
        an operator does is a race; set this to let it. */
    bool moments = false;
    /// A moment took place since this was last cleared.
    bool had_moment = false;

    /// What is stored in a collection, e.g. `/api/v1/pods`.
    objects const& in(std::string_view collection) const;

    /// Stores a new object; refuses a name that is taken.
    std::optional<refusal> create(std::string_view collection, json::object object);
    /// Replaces an object. What changes nothing wakes nobody.
    std::optional<refusal> replace(std::string_view collection, json::object object);
    std::optional<refusal> remove(std::string_view collection, std::string const& name, bool without_grace = false);
    /// Ends the moment: what is leaving is gone. False if nothing was.
    bool end_moment();

    /// Does what a step of a recording says; returns the refusals in order.
    std::vector<refusal> apply(json::object const& event, admission const& admit);

private:
    void leave(std::string_view collection, std::string const& name);
    std::optional<refusal> patch_job(json::object const& event, admission const& admit);
    std::optional<refusal> bind(std::string const& pod, std::string const& node);
    std::optional<refusal> set_status(std::string const& pod, json::object const& status);
    std::optional<refusal> patch(object_path const&, json::value const& patch);
    void store(std::string_view collection, json::object& into, json::object next);

    std::map<std::string, objects, std::less<>> kinds_;
    std::set<std::string, std::less<>> leaving_; ///< pods
    std::string gone_job_;                       ///< plural and name, as refusals tell them
    int uids_ = 0;
    int versions_ = 0;
};

} // namespace golden

#endif
