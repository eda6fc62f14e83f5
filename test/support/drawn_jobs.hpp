#ifndef KFTRAIN_TEST_SUPPORT_DRAWN_JOBS_HPP
#define KFTRAIN_TEST_SUPPORT_DRAWN_JOBS_HPP

#include <kftrain/job/any_job.hpp>

#include <boost/json.hpp>

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace kftrain {
struct schema_node;
}

namespace kftrain::test {

/// The values of known documents at a place, from which similar documents are drawn.
struct known_place {
    known_place() = default;

    void learn(boost::json::value const&);

    int count = 0;                              ///< how often there is something
    std::vector<boost::json::value> values;     ///< of scalars
    std::vector<std::vector<std::string>> keys; ///< of maps, and the merge keys of lists
    std::map<std::string, known_place> below;
};

/// Documents of known jobs by their kind.
class known_documents {
public:
    void learn(any_job const&);
    /// The jobs of the files of a folder that are admitted, in the order of the files' names.
    void learn_folder(std::filesystem::path const&);

    /// Of one kind; there may be none.
    std::vector<boost::json::value> const& of(rules::job_rules const&) const;

private:
    std::map<std::string, std::vector<boost::json::value>> by_kind_;
};

/** Jobs of one kind, whichever it is: the model of the kind says which fields there are, its schema what they may be,
    and known jobs what they usually are, so that a fair share is admitted. */
class job_drawer {
public:
    /// `known`: documents that are admitted; there may be none.
    job_drawer(rules::job_rules const& rules, std::vector<boost::json::value> const& known);

    /// Another document for each seed; it may be one that is not admitted.
    std::string draw(std::uint64_t seed) const;
    /// Puts something else into one place below the spec of a document of the kind, whatever else stands there.
    void redraw(boost::json::object& job, std::uint64_t seed) const;

private:
    schema_node const* schema() const;

    rules::job_rules const* rules_;
    known_place spec_;
};

/// The kind in the form of messages: `kubeflow.org/v1 PyTorchJob`.
std::string kind_of(rules::job_rules const&);

/// The text of a file.
std::string read_file(std::filesystem::path const&);

/// The job, if schema and admission accept it.
std::optional<any_job> admitted(std::string const& text);

} // namespace kftrain::test

#endif
