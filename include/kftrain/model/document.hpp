#ifndef KFTRAIN_MODEL_DOCUMENT_HPP
#define KFTRAIN_MODEL_DOCUMENT_HPP

#include <kftrain/model/codec.hpp>
#include <kftrain/model/descriptor.hpp>
#include <kftrain/model/position.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace kftrain {

/// The two fields that identify the type of a document. Either may be empty.
struct document_type {
    document_type() = default;

    std::string api_version; ///< `group/version`, or `v1` for the core group
    std::string kind;        ///< e.g. `PyTorchJob`
};
KFTRAIN_DESCRIBE(document_type, (api_version, kind))

/// The names in the metadata of an object. Each may be empty.
struct object_names {
    object_names() = default;

    std::string namespace_;
    std::string name;
    std::string generate_name;
};

/** One document of YAML or JSON, or an item of a list in one, for code that needs its type, its content and the
    positions of its values. YAML is parsed once, on first use, and then decoded as often as needed. Copies share this
    work. A moved-from document can only be assigned to or destroyed.
    @par Lifetimes Refers to the text, which must live as long as the document, its copies and its items.
    @par Thread safety Distinct documents: safe. Copies of a document, and its items, count as the same one: unsafe. */
class document {
public:
    document(yaml_document const& text);
    /// `first_line` is the number of the first line of the text within a larger text.
    explicit document(std::string_view text, std::size_t first_line = 1) : document(yaml_document(text, first_line)) {}

    /// Returns the text; for an item, its JSON.
    std::string_view text() const noexcept;
    /// Returns the number of the first line of the whole document.
    std::size_t first_line() const noexcept;
    /// Returns the path of an item within the whole document, for example `items[2]`; empty for the document itself.
    std::string const& path() const noexcept;
    /// Returns the path within the whole document: `items[2].spec` for `spec`.
    std::string path_of(std::string_view path) const;

    /** Returns apiVersion and kind. An item of a list of one type, such as a `PodList`, need not have them.
        @par Errors Those of decode_yaml(). */
    [[nodiscard]] result<document_type> type(decode_options options = {});
    /// Returns the names in `metadata`; none if they cannot be read.
    object_names names();
    /** Returns the items of a list in order; none if the document has none.
        @par Errors Those of decode_yaml(). */
    [[nodiscard]] result<std::vector<document>> items(decode_options options = {});

    /** Decodes as decode_yaml() does. Paths in errors start at the object. Lines and columns are those of the whole
        text, regardless of decode_options::first_line; for an item they are unknown where find() finds nothing. */
    [[nodiscard]] result<void> decode(model::descriptor const& type, void* target, decode_options options = {});
    template <class T> [[nodiscard]] result<T> decode(decode_options const& options = {}) {
        T value;
        if (auto r = decode(descriptor_of<T>(), &value, options); !r) return r.error();
        return value;
    }
    /** Decodes without loss: keeps unknown fields, and rejects duplicate ones.
        @par Errors `errc::duplicate_field`; those of decode() */
    [[nodiscard]] result<void> decode_losslessly(model::descriptor const& type, void* target);

    /** Returns the position of the value at a path such as `spec.replicaSpecs[Worker].containers[0].image` or
        `metadata.labels[a.b/c]`, which starts at the object. If there is no such value, returns the position of the
        nearest existing value above. Unknown for a text that cannot be parsed or is larger than 4 MiB. */
    text_position find(std::string_view path);

private:
    struct state;

    std::shared_ptr<state> state_;
};

} // namespace kftrain

#endif
