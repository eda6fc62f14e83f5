#ifndef KFTRAIN_TEST_SUPPORT_DRAWN_JOBS_HPP
#define KFTRAIN_TEST_SUPPORT_DRAWN_JOBS_HPP

#include <kftrain/job/any_job.hpp>

#include <boost/json.hpp>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace kftrain::test {

/// What known documents have at a place: from it more like them are drawn.
struct known_place {
    known_place() = default;

    void learn(boost::json::value const&);

    int count = 0;                              ///< how often there is something
    std::vector<boost::json::value> values;     ///< of scalars
    std::vector<std::vector<std::string>> keys; ///< of maps, and of lists those that tell items apart
    std::map<std::string, known_place> below;
};

/** Jobs of one kind, whichever it is: the model of the kind says which fields there are, its schema what they may be, and
    known jobs what they usually are, so that a fair share is admitted. */
class job_drawer {
public:
    /// `known`: documents that are admitted; there may be none.
    job_drawer(rules::job_rules const& rules, std::vector<boost::json::value> const& known);

    /// Another document for each seed; nobody asked whether it would be admitted.
    std::string draw(std::uint64_t seed) const;

private:
    rules::job_rules const* rules_;
    known_place spec_;
};

/// The job, if schema and admission accept it.
std::optional<any_job> admitted(std::string const& text);

} // namespace kftrain::test

#endif
