#ifndef KFTRAIN_SRC_KINDS_JOB_DOCUMENTS_HPP
#define KFTRAIN_SRC_KINDS_JOB_DOCUMENTS_HPP

#include "model/codec/document_reader.hpp"

#include <kftrain/job/any_job.hpp>
#include <kftrain/kinds/types.hpp>

#include <span>
#include <string>
#include <string_view>
#include <vector>

// Files that hold other objects beside the jobs.
namespace kftrain::detail {

enum class document_role {
    job,
    list,    ///< of jobs, or of objects of any kind
    other,   ///< an object that is not a job
    mistaken ///< meant as a job, but no job kind has this apiVersion and kind
};

/** The role of a document with this type. Kinds and versions that do not exist in the API groups of jobs are mistakes,
    except for those of other projects in these groups. */
document_role role_of(document_type const&);

/// `errc::unknown_kind`; the message names today's version of the kind, the nearest kind, or all job kinds.
failure unknown_job(document_type const&);

/// A document, or an item of a list, that is not a job.
struct other_document {
    other_document() = default;

    /// `ConfigMap c`
    std::string to_string() const;

    document_type type;
    std::string name; ///< may be empty
    std::string item; ///< of a list: where in the document it is
    std::size_t line = 0;
    std::string json; ///< the object as it is written
};

/// Sees the documents of a text while they are read.
class document_visitor {
public:
    document_visitor() = default;
    document_visitor(document_visitor const&) = delete;
    document_visitor& operator=(document_visitor const&) = delete;
    virtual ~document_visitor() = default;

    /// Visits one job as submitted. `document` contains it, and `item` is its path there, empty for the whole document.
    virtual void visit_job(any_job const&, document_reader& object, document_reader& document,
                           std::string const& item) = 0;
    virtual void visit_other(other_document) = 0;
    /// Visits the faults of one object; the messages may be changed.
    virtual void visit_faults(document_type const&, std::span<failure>) = 0;
};

/// As the public function of this name, but passes other objects to the visitor instead of rejecting them.
result<std::vector<any_job>> parse_jobs(std::string_view text, decode_options const&, document_visitor&);

/// The object as it is written, with the place where it begins.
other_document read_other(document_type const&, document_reader& object, document_reader& document,
                          std::string const& item);

} // namespace kftrain::detail

#endif
