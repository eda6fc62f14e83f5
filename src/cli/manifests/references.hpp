#ifndef KFTRAIN_SRC_CLI_MANIFESTS_REFERENCES_HPP
#define KFTRAIN_SRC_CLI_MANIFESTS_REFERENCES_HPP

#include "cli/manifests/manifests.hpp"

#include <kftrain/job/any_job.hpp>
#include <kftrain/model/any_object.hpp>

#include <string>
#include <utility>
#include <vector>

namespace kftrain::rules {
struct companion;
}

namespace kftrain::cli {

/// The kind of this type that is installed together with a job kind; null if it is none. Jobs refer to such objects.
rules::companion const* companion_kind(document_type const& type);

/** The objects to which the jobs of the command may refer, such as runtimes: those of files, and after them those that
    an installation of the operator contains. */
class reference_objects {
public:
    /// `advice` is what the user can do about a missing object, beside adding it to the file of the job.
    explicit reference_objects(std::string advice = "supply it by --with FILE") : advice_(std::move(advice)) {}

    /// Adds the objects of these files. Prints a message for each file that cannot be read; returns whether there was
    /// none.
    bool add_files(std::vector<std::string> const& files);
    /// Adds the objects of a text. Documents that are not YAML are left to the reader of the file.
    void add_text(std::string const& file, std::string_view text);
    /// Adds objects that were read with the jobs of a file.
    void add(std::string const& file, other_documents const& objects);

    /// Supplies a job with the objects to which it refers; the job must have a namespace. Returns a message for each
    /// fault.
    std::vector<std::string> resolve(any_job&) const;
    /// The same; prints the messages, and returns whether there are none. Sets the namespace "default" if the job has
    /// none.
    bool supply(any_job&, std::string const& file) const;

private:
    void add(std::string const& file, other_document const& object);
    /// Adds an object, or the items of a List, which is in `depth` other lists.
    void add_document(std::string const& file, document, std::size_t depth);

    std::string advice_;
    std::vector<any_object> objects_;
    std::vector<std::string> faults_; ///< of objects that cannot be used
};

} // namespace kftrain::cli

#endif
