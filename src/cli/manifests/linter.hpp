#ifndef KFTRAIN_SRC_CLI_MANIFESTS_LINTER_HPP
#define KFTRAIN_SRC_CLI_MANIFESTS_LINTER_HPP

#include "cli/manifests/read_job.hpp"
#include "cli/manifests/references.hpp"
#include "job/contract/described_issue.hpp"

#include <kftrain/job/prepared_job.hpp>
#include <kftrain/kinds/types.hpp>
#include <kftrain/model/document.hpp>

#include <boost/json/value.hpp>

#include <set>
#include <string_view>

namespace kftrain::cli {

/// A finding, as `-o json` prints it.
struct finding {
    finding() = default;

    std::string file;
    std::int64_t document = 0; ///< number of the document within the file, from 1
    std::string item;          ///< the position in a list: `items[1]`
    std::string kind;
    std::string namespace_;
    std::string name;
    std::int64_t line = 0; ///< 0 if unknown, like the column
    std::int64_t column = 0;
    issue what;              ///< its path is within the object
    bool complained = false; ///< printed to standard error, so not printed as text; not part of the JSON
};
BOOST_DESCRIBE_STRUCT(finding, (), (file, document, item, kind, namespace_, name, line, column, what))

struct lint_report {
    lint_report() = default;

    std::vector<finding> findings;
    std::int64_t errors = 0;
    std::int64_t warnings = 0;
};

} // namespace kftrain::cli

namespace kftrain {
KFTRAIN_INLINED(cli::finding, "what")
KFTRAIN_REQUIRED(cli::lint_report, "findings", "errors", "warnings")
} // namespace kftrain

namespace kftrain::cli {

BOOST_DESCRIBE_STRUCT(lint_report, (), (findings, errors, warnings))

/** Collects the faults of manifests: decoding errors, violations of the metadata rules, of the schema and of admission,
    and findings of the lint rules. Metadata and schema are checked against the document as written. The items of lists
    are checked one by one. */
class linter {
public:
    /// With `local`, reports also what the local cluster cannot run.
    explicit linter(operator_options flags = {}, bool local = false) : flags_(std::move(flags)), local_(local) {}

    /// Jobs may refer to the objects of these files. Prints a message for each file that cannot be read.
    bool add_references(std::vector<std::string> const& files) { return references_.add_files(files); }

    /// Returns false if the file cannot be read or is not YAML.
    bool look_at(std::string const& file);

    lint_report const& report() const noexcept { return report_; }

private:
    bool look_at(document&, std::size_t depth);
    bool look_at_list(document&, std::size_t depth);
    bool look_at_object(document&, object_type const&, document_type const&);

    /// The JSON of the object as written; `object` is null if it is not an object.
    struct written_json {
        written_json(std::string t, boost::json::value const& whole) : text(std::move(t)), object(whole.if_object()) {}

        std::string text;
        boost::json::object const* object;
    };

    void look_at_metadata(document&, boost::json::object const* as_written, bool of_job);
    void look_at_job(document&, written_json const&, prepared_job const*, rules::job_rules const&);

    result<void> decode(document&, model::descriptor const&, void* target);
    void name_object(document&, document_type const&);
    /// Whether the whole document is unreadable. Items of lists have been read as part of one.
    bool is_illegible(failure const&) const;
    bool unreadable(document&, failure);
    void add(failure const&);
    void add(document&, issue const&);
    void add(issue const&, text_position);

    operator_options flags_;
    bool local_;
    reference_objects references_; ///< also those of the files that were looked at
    kinds_with_flags kinds_;
    finding at_;                                          ///< the common part of the findings of the current object
    document_type type_;                                  ///< of the current object
    bool unfilled_ = false;                               ///< the file is a template
    std::set<std::string, std::less<>> reported_;         ///< paths with findings, each in one spelling
    std::set<std::string, std::less<>> refused_metadata_; ///< paths of faulty metadata
    lint_report report_;
};

} // namespace kftrain::cli

#endif
