#ifndef KFTRAIN_TEST_GOLDEN_RECORDINGS_HPP
#define KFTRAIN_TEST_GOLDEN_RECORDINGS_HPP

#include <boost/json.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace golden {

namespace json = boost::json;

/// The requests of a real operator for one job; see README.md for their origin.
struct recorded_case {
    recorded_case() = default;

    std::string group; ///< e.g. `pytorchjob/curated`, `mpi-operator/v0.8.0/curated`
    std::string name;
    json::object about;     ///< case.json
    json::object job;       ///< job.json
    json::object admission; ///< admission.json
    json::array steps;      ///< steps.json; empty if the job was refused

    std::string path() const { return group + "/" + name; }
};

/** The cases at a path, sorted: packed files (`*.jsonl`, as pack_cases.py writes them), and folders that hold a
    `case.json`, at any depth. Throws std::runtime_error, with the place, if a file cannot be read. */
std::vector<recorded_case> read_recordings(std::filesystem::path const&);

/// The JSON text of a file; throws std::runtime_error with its name.
json::value read_json(std::filesystem::path const&);

} // namespace golden

#endif
