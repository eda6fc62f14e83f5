#ifndef KFTRAIN_SRC_MODEL_CODEC_STRUCT_SINK_HPP
#define KFTRAIN_SRC_MODEL_CODEC_STRUCT_SINK_HPP

#include "model/codec/decode_budget.hpp"
#include "model/json/json_text.hpp"

#include <kftrain/model/codec.hpp>
#include <kftrain/model/detail/descriptor_table.hpp>
#include <kftrain/model/raw_json.hpp>

#include <bitset>
#include <functional>
#include <memory>
#include <string>
#include <unordered_set>
#include <vector>

namespace kftrain::detail {

/** Builds a struct from the events of a document by its descriptor table; JSON and YAML both end here. Every function
    returns false once the document is refused; no further event may follow then. Events must be properly nested. */
class struct_sink {
public:
    struct_sink(model::descriptor const& type, void* target, decode_options const& options, decode_budget budget);
    struct_sink(struct_sink const&) = delete;
    struct_sink& operator=(struct_sink const&) = delete;

    bool begin_object();
    bool end_object();
    bool begin_array();
    bool end_array();
    /// If `may_repeat`, strict reading also accepts a key that the object already has; the later value wins.
    bool key(std::string_view name, bool may_repeat = false);
    bool string(std::string_view s);
    /// `text` is the number in JSON spelling.
    bool integer(std::int64_t v, std::string_view text);
    /// Any number that is no int64.
    bool number(double v, std::string_view text);
    bool boolean(bool v);
    bool null();

    /// Adds the position of the current event to the collected faults; needed if the options collect faults.
    void locate_by(std::function<void(diagnostics&)> place) { place_ = std::move(place); }

    bool failed() const noexcept { return failure_.code.failed(); }
    /// Whether a document without a value is one: absence has no place in it that a fault could name.
    bool may_be_empty() const noexcept { return root_.type->kind == model::shape::raw; }
    /// Refuses the document at the current value for a reason of the caller's.
    bool fail(errc code, std::string message);
    /// Code, path and message; the caller adds the position of the event that was refused.
    failure& why() noexcept { return failure_; }

private:
    /// The target of a value.
    struct slot {
        void* value = nullptr;
        model::descriptor const* type = nullptr;
    };
    struct frame {
        void* object;
        model::descriptor const* type;
        std::string_view key{};         ///< the current one, for paths
        std::bitset<256> fields_read{}; ///< fields by index, then apiVersion and kind
        std::size_t unknown_count{};    ///< fields put into `unknown`
        model::late_entries late{nullptr, nullptr};
        std::unique_ptr<std::unordered_set<std::string>> unknown_names{}; ///< read so far; strict reading only
    };

    slot locate();
    bool open(bool array);
    void close_raw(char bracket);
    bool object_key(frame& top, std::string_view name);
    bool unknown_key(frame& top, std::string_view name);
    bool dropped_key(frame& top, std::string_view name);
    bool map_key(frame& top, std::string_view name);
    bool repeated(slot to);
    /// Notes that the current key is in the object already, unless it may be.
    bool note_repeated();
    bool too_much();
    /// A fault of a key or value that the options may want collected; false if the document is refused.
    bool note(errc code, std::string message);
    bool header_fits();
    /// Notes it; where it is collected, the caller passes over the value.
    bool mismatch(model::descriptor const& expected, std::string_view got, errc code = errc::type_mismatch);
    std::string path() const;
    /// Of the value whose fields are read.
    std::string path_of_top() const;
    std::string path_through(std::size_t frames) const;

    slot root_;
    slot next_{};               ///< of the value after a key
    bool may_repeat_ = false;   ///< of the current key
    std::vector<frame> frames_; ///< open objects, lists and maps
    std::size_t raw_depth_ = 0; ///< open brackets of a subtree that is kept as text
    std::string* raw_target_ = nullptr;
    std::string raw_text_; ///< of the subtree so far
    raw_writer raw_{raw_text_};
    raw_json dropped_; ///< takes what a type without `unknown` does not know, and what does not fit
    std::string dropped_key_;
    std::string header_; ///< value of apiVersion or kind
    decode_options options_;
    decode_budget budget_;
    std::size_t notable_ = max_found; ///< how many more faults may be collected
    bool mismatch_noted_ = false;     ///< one of them is of a value that does not fit
    bool repeat_noted_ = false;       ///< one of them is of a repeated field
    std::function<void(diagnostics&)> place_{};
    failure failure_;
};

} // namespace kftrain::detail

#endif
