#ifndef KFTRAIN_TEST_GOLDEN_CHECKS_TRACES_HPP
#define KFTRAIN_TEST_GOLDEN_CHECKS_TRACES_HPP

#include "golden/compare.hpp"

#include <set>
#include <tuple>
#include <vector>

namespace golden {

/// One write, in the form of the recordings.
struct request {
    request() = default;
    request(std::string m, std::string p, std::string n)
        : method(std::move(m)), path(std::move(p)), name(std::move(n)) {}

    std::string method;
    std::string path;
    std::string name;      ///< of the object
    json::value body;      ///< as recordings have it; of a creation or replacement only
    std::int64_t code = 0; ///< if the server refused it
    std::string message;   ///< of the refusal

    /// As in the recorded `order`: `POST pods x-0`.
    std::string title() const;
};

/// Writes the body of a request as the recordings do: without what the server owns, empty values and the namespace.
json::value normal_body(json::value body);

using event_key =
    std::tuple<std::string, std::string, std::string, std::string>; ///< type, reason, message, whose it is

/// `PyTorchJob mnist`, from the `involvedObject` of an event.
std::string involved_object(json::object const& event);

/// The requests, events and status changes of an operator in one step.
struct traces {
    traces() = default;

    std::vector<request> requests;
    std::set<event_key> events;
    std::vector<json::value> conditions; ///< those of each status written, each as `Type=Status/Reason`
    std::string own_path;                ///< of the job, if its status is written with it
    json::value before;                  ///< description of the status before the step, then
    bool overlooked = false;             ///< they begin in a step before this one
};

/// The conditions of a status as `transitions` of a recording spells them; of a status with one phase that.
json::value as_conditions(json::object const& status);

/// The objects after a step.
struct aftermath {
    aftermath() = default;

    bool job_exists = false;
    json::value status;   ///< pruned, with times as the recordings write them
    json::object job;     ///< as it is stored
    json::object pods;    ///< name -> phase
    json::array services; ///< names
};

} // namespace golden

#endif
