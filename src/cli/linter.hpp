#ifndef KFTRAIN_SRC_CLI_LINTER_HPP
#define KFTRAIN_SRC_CLI_LINTER_HPP

#include "cli/lint_report.hpp"

#include <kftrain/job/any_job.hpp>
#include <kftrain/kinds/types.hpp>
#include <kftrain/model/position.hpp>

#include <set>
#include <string_view>

namespace kftrain::cli {

/** Looks at manifests and collects what is wrong with them: what the model cannot read, what a server says of the metadata and
    the schema of a kind says of the document, both as it is written, what admission refuses, and the lint rules. A list stands
    for its items. */
class linter {
public:
    /// False when the file cannot be read or is no YAML.
    bool look_at(std::string const& file);

    lint_report const& report() const noexcept { return report_; }

private:
    /// Where the objects of one document are found.
    struct source {
        explicit source(yaml_document const& d) : document(d), positions(d.text, d.first_line) {}

        yaml_document document;
        position_finder positions;
    };
    /// One object as it is written.
    struct written {
        written(source& s, std::string_view t) : from(&s), text(t) {}

        source* from;
        std::string_view text;   ///< of the object alone
        std::size_t depth = 0;   ///< lists around it
        document_type implied{}; ///< what the list around it says of its items
    };

    bool look_at(yaml_document const&);
    bool look_at(written const&);
    bool look_at_list(written const&, known_type const* items);
    bool look_at_object(written const&, known_type const&, document_type const&);
    /// `as_written` is JSON.
    void look_at_metadata(written const&, std::string_view as_written, bool of_job);
    void look_at_job(written const&, std::string_view as_written, any_job const*, job_kind const&);

    result<void> decode(written const&, descriptor const&, void* target);
    void name_object(written const&, document_type const&);
    /// The document, that is; an item of a list was read as part of one.
    bool is_illegible(failure const&) const;
    bool unreadable(failure);
    void add(written const&, failure const&);
    void add(written const&, issue const&);
    void add(issue const&, text_position);

    finding at_;                                          ///< what the findings of the current object share
    std::set<std::string, std::less<>> told_;             ///< paths of these, each in one spelling
    std::set<std::string, std::less<>> refused_metadata_; ///< those of the metadata
    lint_report report_;
};

} // namespace kftrain::cli

#endif
