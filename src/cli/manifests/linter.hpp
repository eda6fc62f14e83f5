#ifndef KFTRAIN_SRC_CLI_MANIFESTS_LINTER_HPP
#define KFTRAIN_SRC_CLI_MANIFESTS_LINTER_HPP

#include "cli/manifests/kinds_with_flags.hpp"
#include "cli/manifests/lint_report.hpp"
#include "cli/manifests/references.hpp"

#include "model/codec/document_reader.hpp"

#include <kftrain/job/prepared_job.hpp>
#include <kftrain/kinds/types.hpp>

#include <boost/json/object.hpp>

#include <optional>
#include <set>
#include <string_view>

namespace kftrain::cli {

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
    /// One object as written.
    struct written {
        written(detail::document_reader& o, detail::document_reader& d) : object(&o), document(&d) {}

        detail::document_reader* object;   ///< the object
        detail::document_reader* document; ///< the document that contains it
        std::size_t depth = 0;             ///< number of enclosing lists
        document_type implied{};           ///< the type that the enclosing list implies
    };

    bool look_at(yaml_document const&);
    bool look_at(written const&);
    bool look_at_list(written const&, object_type const* items);
    bool look_at_object(written const&, object_type const&, document_type const&);
    using json_object = std::optional<boost::json::object>; // absent if the document is not an object

    void look_at_metadata(written const&, json_object const& as_written, bool of_job);
    void look_at_job(written const&, json_object as_written, prepared_job const*, rules::job_rules const&);

    result<void> decode(written const&, model::descriptor const&, void* target);
    void name_object(written const&, document_type const&);
    /// Whether the whole document is unreadable. Items of lists have been read as part of one.
    bool is_illegible(failure const&) const;
    bool unreadable(written const&, failure);
    void add(written const&, failure const&);
    void add(written const&, issue const&);
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
