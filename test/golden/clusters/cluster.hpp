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

/** The part of a cluster that a recorded case needs, without clock and without threads: one job, objects of any type,
    and the behaviour of an API server. There is neither garbage collector nor kubelet, as in the recordings. */
class cluster {
public:
    using objects = std::map<std::string, json::object, std::less<>>;
    /// Decides on a changed job, and may set its defaults as the definition of its kind does.
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

    /// Returns the objects of a collection, e.g. `/api/v1/pods`.
    objects const& in(std::string_view collection) const;

    /// Stores a new object; refuses a name that is taken.
    std::optional<refusal> create(std::string_view collection, json::object object);
    /// Replaces an object. A replacement without changes wakes no operator.
    std::optional<refusal> replace(std::string_view collection, json::object object);
    std::optional<refusal> remove(std::string_view collection, std::string const& name, bool without_grace = false);
    /// Ends the moment: removes the leaving objects. Returns false if there were none.
    bool end_moment();

    /// Applies the stimulus of a recorded step; returns the refusals in order.
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
    std::string gone_job_;                       ///< plural and name, as in messages of refusals
    int uids_ = 0;
    int versions_ = 0;
};

} // namespace golden

#endif
