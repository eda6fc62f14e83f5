#ifndef KFTRAIN_SRC_CLI_MANIFESTS_HPP
#define KFTRAIN_SRC_CLI_MANIFESTS_HPP

#include <kftrain/kinds/types.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace kftrain::cli {

/// Reads a file, or the standard input for `-`.
result<std::string> read_text(std::string const& file);

/// Lists within lists are looked into this deep; each level is read anew.
constexpr std::size_t deepest_list = 8;

/// An object of any known type, read from one document.
struct manifest {
    manifest() = default;

    object_type const* type = nullptr;
    std::shared_ptr<void> object;

    /// Null for what has none, e.g. lists.
    object_meta const* metadata() const;
    bool is_named() const;
    /// `PyTorchJob team/mnist`; `#2` stands for a name that is missing.
    std::string identity(std::size_t number) const;
    /// With the line break at its end.
    std::string write(std::string_view format) const;
    /// Gives every quantity the spelling that an API server answers.
    void make_canonical();
};

/** Reads one document. Unknown fields are kept.
    @par Errors `errc::unknown_kind`; `errc::too_deep` for a list within @ref deepest_list lists; those of decode_yaml(). */
result<manifest> read_manifest(yaml_document const&);

/** With each list, also one within a list, replaced by its items. What a list holds beside them stays, as a list without
    items in front of them.
    @par Errors those of read_manifest() for an item. */
result<std::vector<manifest>> without_lists(std::vector<manifest> const&);

/// Reads all documents of a file; complains and hands back nothing when one cannot be read.
bool read_manifests(std::string const& file, std::string const& text, std::vector<manifest>& out);

/// `file:line:column: `, as far as it is known.
std::string place(std::string const& file, std::size_t line, std::size_t column);

/// Names of files may be any bytes, JSON is UTF-8.
std::string as_utf8(std::string_view name);

/// Flushes the standard output; false, after a complaint, when not all could be written.
bool flush_output();

} // namespace kftrain::cli

#endif
