#ifndef KFTRAIN_SRC_CLI_LINTER_HPP
#define KFTRAIN_SRC_CLI_LINTER_HPP

#include "cli/lint_report.hpp"
#include "cli/told_kinds.hpp"

#include "model/codec/document_reader.hpp"

#include <kftrain/job/any_job.hpp>
#include <kftrain/kinds/types.hpp>

#include <boost/json/object.hpp>

#include <optional>
#include <set>
#include <string_view>

namespace kftrain::cli {

/** Looks at manifests and collects what is wrong with them: what the model cannot read, what a server says of the metadata and
    the schema of a kind says of the document, both as it is written, what admission refuses, and the lint rules. A list stands
    for its items. */
class linter {
public:
    explicit linter(operator_options told = {}) : told_options_(std::move(told)) {}

    /// False when the file cannot be read or is no YAML.
    bool look_at(std::string const& file);

    lint_report const& report() const noexcept { return report_; }

private:
    /// One object as it is written.
    struct written {
        written(detail::document_reader& o, detail::document_reader& d) : object(&o), document(&d) {}

        detail::document_reader* object;   ///< it alone
        detail::document_reader* document; ///< that it is found in
        std::size_t depth = 0;             ///< lists around it
        document_type implied{};           ///< what the list around it says of its items
    };

    bool look_at(yaml_document const&);
    bool look_at(written const&);
    bool look_at_list(written const&, object_type const* items);
    bool look_at_object(written const&, object_type const&, document_type const&);
    using json_object = std::optional<boost::json::object>; // none where what is written is none

    void look_at_metadata(written const&, json_object const& as_written, bool of_job);
    void look_at_job(written const&, json_object as_written, any_job const*, rules::job_rules const&);

    result<void> decode(written const&, model::descriptor const&, void* target);
    void name_object(written const&, document_type const&);
    /// The document, that is; an item of a list was read as part of one.
    bool is_illegible(failure const&) const;
    bool unreadable(failure);
    void add(written const&, failure const&);
    void add(written const&, issue const&);
    void add(issue const&, text_position);

    operator_options told_options_;
    told_kinds kinds_;
    finding at_;                                          ///< what the findings of the current object share
    std::set<std::string, std::less<>> told_;             ///< paths of these, each in one spelling
    std::set<std::string, std::less<>> refused_metadata_; ///< those of the metadata
    lint_report report_;
};

} // namespace kftrain::cli

#endif
