#ifndef KFTRAIN_SRC_CLI_MANIFESTS_MANIFESTS_HPP
#define KFTRAIN_SRC_CLI_MANIFESTS_MANIFESTS_HPP

#include <kftrain/kinds/types.hpp>
#include <kftrain/model/document.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace kftrain::cli {

/// Reads a file, or standard input for `-`.
result<std::string> read_text(std::string const& file);

/// The deepest nesting of lists that is read.
constexpr std::size_t deepest_list = 8;

/// An object that is not a job or has an unknown type, as written.
struct other_document {
    other_document() = default;
    other_document(document_type, document&);

    /// `ConfigMap c`
    std::string to_string() const;

    document_type type;
    std::string name;     ///< may be empty
    std::size_t line = 0; ///< where it begins in the file
    std::string json;
};
using other_documents = std::vector<other_document>;

/// An object read from one document.
struct manifest {
    manifest() = default;

    object_type const* type = nullptr; ///< null for an unknown type; then only `unknown` and `written` are set
    std::shared_ptr<void> object;      ///< a mixed_list has no items: see below
    std::vector<manifest> items;       ///< of a mixed_list
    other_document unknown;
    std::string written; ///< the text of an object of unknown type

    /// Null for types without metadata, such as lists.
    object_meta const* metadata() const;
    bool is_named() const;
    /// `PyTorchJob team/mnist`, or `PyTorchJob #2` for an object without a name.
    std::string identity(std::size_t number) const;
    std::string to_json() const;
    /// The text with a line break at the end.
    std::string write(std::string_view format) const;
    /// Spells every quantity as an API server does.
    void make_canonical();
};

/** Reads one document. Unknown fields and objects of unknown types are kept.
    @par Errors `errc::unknown_kind` for a misspelt kind of job; `errc::too_deep` for more than @ref deepest_list nested
    lists; those of decode_yaml(). */
result<manifest> read_manifest(document);

/// Replaces each list by its items, recursively. If a list has other fields, it is kept without items before them.
std::vector<manifest> without_lists(std::vector<manifest> all);

/// Reads all documents of a file. Prints a message for each that cannot be read, and returns whether there was none.
bool read_manifests(std::string const& file, std::string const& text, std::vector<manifest>& out);

/// `file:line:column: `, without unknown parts.
std::string place(std::string const& file, std::size_t line, std::size_t column);

/// Replaces invalid UTF-8 in a file name, since JSON must be UTF-8.
std::string as_utf8(std::string_view name);

/// Flushes standard output. Returns false if not all could be written; after_output() prints the message.
bool flush_output();

} // namespace kftrain::cli

#endif
