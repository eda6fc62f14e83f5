#ifndef KFTRAIN_KINDS_DOCUMENTS_HPP
#define KFTRAIN_KINDS_DOCUMENTS_HPP

/** @file Reads texts with jobs and other objects, document by document. */

#include <kftrain/kinds/registry.hpp>
#include <kftrain/model/document.hpp>

#include <vector>

namespace kftrain {

/// The role of a document for a reader of jobs.
enum class document_role {
    job,
    list,    ///< a list of jobs, or of objects of any kind
    other,   ///< an object that is not a job
    mistaken ///< meant as a job, but no job kind has this apiVersion and kind
};

/** Returns the role of a document with this type. Kinds and versions that do not exist in the API groups of jobs are
    mistakes, except for kinds that other projects have in these groups. Thread-safe. */
document_role role_of(document_type const& type, job_kinds kinds = known_job_rules());

/// Returns `errc::unknown_kind`. The message names the current version of the kind, the most similar kind, or all job
/// kinds.
failure unknown_job(document_type const& type, job_kinds kinds = known_job_rules());

/** Returns the objects of a document: itself, or the items of a list with the role document_role::list. Lists in lists
    are not replaced. Lifetimes and thread safety as for document::items().
    @par Errors Those of document::type() and document::items(). */
[[nodiscard]] result<std::vector<document>> objects_of(document whole, decode_options const& options = {},
                                                       job_kinds kinds = known_job_rules());

/** Reads a job of one of the kinds.
    @par Errors `errc::unknown_kind` if no kind has this apiVersion and kind; otherwise those of document::decode(). */
[[nodiscard]] result<any_job> parse_job(document& object, decode_options const& options = {},
                                        job_kinds kinds = known_job_rules());

} // namespace kftrain

#endif
