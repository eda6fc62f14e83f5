#ifndef KFTRAIN_TEST_PROPERTY_RECORDED_JOBS_HPP
#define KFTRAIN_TEST_PROPERTY_RECORDED_JOBS_HPP

#include "golden/recordings.hpp"
#include "property/unreported_fields.hpp"

#include <kftrain/convert/change.hpp>
#include <kftrain/job/job_rules.hpp>
#include <kftrain/kinds/registry.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <span>
#include <string_view>

/// Recorded jobs for conversions, and checks of the results.
namespace property {

using namespace kftrain;

/// Every recorded job of a kind that its operator accepts, as submitted and as stored.
template <class Job> std::vector<std::pair<std::string, Job>> recorded_jobs(std::string const& folder) {
    std::vector<std::pair<std::string, Job>> found;
    for (auto const& c : golden::read_recordings(KFTRAIN_SOURCE_DIR "/test/golden/" + folder)) {
        std::vector<boost::json::object const*> objects{&c.job};
        if (auto const* stored = c.admission.if_contains("stored"); stored != nullptr && stored->is_object())
            objects.push_back(&stored->get_object());
        for (auto const* object : objects) {
            auto const job = parse_job(boost::json::serialize(*object));
            if (job && job->is<Job>() && !has_errors(job->validate()))
                found.emplace_back(c.path(), *job->get_if<Job>());
        }
    }
    return found;
}

/// The value at a path as changes spell it; null if there is none.
inline boost::json::value const* value_at(boost::json::value const& whole, std::string_view path) {
    auto const* at = &whole;
    while (!path.empty() && at != nullptr) {
        std::string_view name;
        if (path.front() == '[') {
            name = path.substr(1, path.find(']') - 1);
            path.remove_prefix(name.size() + 2);
        } else {
            if (path.front() == '.') path.remove_prefix(1);
            name = path.substr(0, path.find_first_of(".["));
            path.remove_prefix(name.size());
        }
        if (auto const* list = at->if_array())
            at = list->if_contains(std::stoul(std::string(name)));
        else if (auto const* object = at->if_object())
            at = object->if_contains(name);
        else
            at = nullptr;
    }
    return at;
}

/// Checks that each change has a reason, the value of the source, and a path that leads to a field of the result.
inline void check_changes(std::string const& name, std::vector<convert::change> const& changes,
                          boost::json::value const& source, boost::json::value const& result) {
    for (auto const& c : changes) {
        BOOST_TEST(!c.why.empty(), name << ": " << c.path);
        if (!c.result_path.empty())
            BOOST_TEST(value_at(result, c.result_path) != nullptr, name << ": " << c.result_path);
        if (c.path.starts_with("metadata.")) continue;
        auto const* const reported = value_at(source, c.path);
        if (c.value.text.empty()) {
            BOOST_TEST(reported == nullptr, name << ": " << c.path);
            continue;
        }
        BOOST_TEST_REQUIRE(reported != nullptr, name << ": " << c.path);
        BOOST_TEST(*reported == boost::json::parse(c.value.text), name << ": " << c.path);
    }
}

/// The faults that admission and the schema of its kind find in a job, and the fields that the schema does not have;
/// empty if the job is accepted.
inline std::string faults_of(any_job const& job) {
    std::string reported = join_errors(job.validate(), "; ");
    auto const pruned = prune(job.rules().schema(), job.to_json()).value();
    for (auto const& f : pruned.unknown_fields) reported += " unknown: " + f;
    for (auto const& f : validate(job.rules().schema(), pruned.json).value()) reported += " schema: " + f.text();
    return reported;
}

/** Converts each recorded job to a `Result`. Checks that it is refused for one of these reasons, or that the result is
    valid and every difference is reported; then calls `compare` with its path, the job and the result. */
template <class Job, class Result, class Convert, class Compare>
void check_conversions(std::string const& folder, std::span<std::string_view const> refusals, std::size_t least,
                       Convert convert, Compare compare) {
    std::size_t refused = 0, converted = 0;
    for (auto const& [name, job] : recorded_jobs<Job>(folder)) {
        auto const made = convert(job);
        if (!made) {
            auto const& why = made.error().detail;
            bool const known = !why.path.empty() && std::ranges::any_of(refusals, [&](std::string_view reason) {
                return why.message.find(reason) != std::string::npos;
            });
            BOOST_TEST(known, name << ": " << made.error().to_string());
            ++refused;
            continue;
        }
        ++converted;
        any_job const from(job), result(made->job);
        auto faults = faults_of(result);
        for (auto const& i : result.lint())
            if (i.level == issue::severity::error) faults += i.rule + " " + i.path + ": " + i.message + "; ";
        BOOST_TEST(faults == "", name << ": " << faults);
        BOOST_TEST(to_json(from_yaml<Result>(result.to_yaml()).value()) == result.to_json(), name);
        BOOST_TEST(!result.render().empty(), name);
        auto const source = boost::json::parse(from.to_json()), text = boost::json::parse(result.to_json());
        check_changes(name, made->changes, source, text);
        for (auto const& field : unreported_fields(source, text, made->changes)) BOOST_ERROR(name + ": " + field);
        compare(name, from, result);
    }
    BOOST_TEST(converted > least, folder);
    BOOST_TEST(refused < converted, folder);
}

} // namespace property

#endif
