#ifndef KFTRAIN_TEST_GOLDEN_OPERATOR_PASS_HPP
#define KFTRAIN_TEST_GOLDEN_OPERATOR_PASS_HPP

#include "golden/cluster.hpp"

#include <kftrain/job/any_job.hpp>

#include <set>

namespace golden {

/// One write as the recordings tell it.
struct request {
    request() = default;
    request(std::string m, std::string p, std::string n)
        : method(std::move(m)), path(std::move(p)), name(std::move(n)) {}

    std::string method;
    std::string path;
    std::string name;      ///< of the object
    json::value body;      ///< pruned; of a creation only
    std::int64_t code = 0; ///< if the server refused it

    std::string title() const {
        return method + " " + path.substr(path.find("/corpus") + 8) + (body.is_null() ? "" : " " + name);
    }
};

using event_key = std::tuple<std::string, std::string, std::string>; ///< type, reason, message

/// What an operator did in one step.
struct traces {
    traces() = default;

    std::vector<request> requests;
    std::set<event_key> events;
};

/// Answers given to creations that the recorded server refused, by `<plural>/<name>`.
using refusals = std::map<std::string, refusal, std::less<>>;

/// Decodes a job; throws with the reason if it cannot be.
kftrain::any_job decode_job(json::object const&);

/** Plans once and carries the plan out against the cluster, as an operator's executor would: action by action, until one
    is refused. Returns the time at which the rules want to be asked again. */
std::optional<kftrain::time_point> operate(cluster&, refusals const&, kftrain::operator_options const&,
                                           kftrain::time_point now, traces&);

} // namespace golden

#endif
