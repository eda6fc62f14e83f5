#ifndef KFTRAIN_SRC_MODEL_CODEC_DOCUMENT_READER_HPP
#define KFTRAIN_SRC_MODEL_CODEC_DOCUMENT_READER_HPP

#include "model/yaml/yaml_places.hpp"
#include "model/yaml/yaml_recording.hpp"

#include <kftrain/model/codec.hpp>

namespace kftrain::detail {

/** Reads one document of YAML or JSON several times: its type, its content as different types, and the positions of
    values. libyaml parses it once, on first use; see yaml_recording.
    @par Lifetimes Refers to the text of the document.
    @par Thread safety Distinct objects: safe. Shared objects: unsafe. */
class document_reader {
public:
    explicit document_reader(yaml_document const&);
    document_reader(document_reader const&) = delete;
    document_reader& operator=(document_reader const&) = delete;

    std::string_view text() const noexcept { return document_.text; }
    std::size_t first_line() const noexcept { return document_.first_line; }

    /// As decode_yaml(); the first line is the document's own, regardless of the options.
    result<void> decode(model::descriptor const&, void* target, decode_options = decode_options());
    template <class T> result<T> decode(decode_options const& options = decode_options()) {
        T value;
        if (auto r = decode(descriptor_of<T>(), &value, options); !r) return r.error();
        return value;
    }
    /// As position_finder::find().
    text_position find(std::string_view path);

private:
    yaml_document document_;
    yaml_recording recording_;
    std::optional<yaml_places> places_{};
};

} // namespace kftrain::detail

#endif
