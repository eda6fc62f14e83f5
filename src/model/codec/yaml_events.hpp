#ifndef KFTRAIN_SRC_MODEL_CODEC_YAML_EVENTS_HPP
#define KFTRAIN_SRC_MODEL_CODEC_YAML_EVENTS_HPP

#include "model/codec/struct_sink.hpp"
#include "model/yaml/yaml_parser.hpp"
#include "model/yaml/yaml_recording.hpp"

#include <map>
#include <vector>

namespace kftrain::detail {

/** Passes the events of one YAML document on to a struct_sink. Anchored nodes, and only these, are also recorded, and
    replayed where an alias stands; what replay may cost is bounded. Throws `stop` when the document is refused. */
class yaml_events {
public:
    struct stop {};

    yaml_events(struct_sink& sink, std::size_t text_size, std::size_t max_depth)
        : sink_(sink), budget_(free_replay + 8 * text_size), max_depth_(max_depth) {}

    /// The position of the last event.
    yaml_mark const& mark() const noexcept { return mark_; }
    /// False while nothing but an empty document was read.
    bool has_content() const noexcept { return has_content_; }

    void begin_document() { names_.clear(); }
    /// Of a node, or the end of a list or map.
    void take(yaml_event const& e);

private:
    static constexpr std::size_t free_replay = std::size_t{4} << 20U;

    enum class what { null, alias, scalar, list, list_end, map, map_end };
    struct event {
        what kind = what::null;
        bool plain = false;            ///< of a scalar
        yaml_tag tag = yaml_tag::none; ///< of a scalar
        yaml_mark mark{};
        std::size_t target = 0; ///< of an alias
        std::string value{};

        bool opens() const noexcept { return kind == what::list || kind == what::map; }
        bool closes() const noexcept { return kind == what::list_end || kind == what::map_end; }
    };
    /// Events [begin, end) of the recording; end is 0 while it is open.
    struct range {
        std::size_t begin = 0;
        std::size_t end = 0;
    };
    struct recording {
        std::size_t level;  ///< of open collections outside it
        std::size_t anchor; ///< its number; 0 for the value of a merge key
        std::size_t begin;
    };
    struct open_collection {
        bool map;
        bool expects_key;
        std::map<std::string, std::size_t, std::less<>> merged{}; ///< keys by which merged map brought them
    };
    /// The map that is being merged, and where to.
    struct merged_map {
        std::size_t depth = 0; ///< of the open collection that takes its keys; 0 for none
        std::size_t number = 0;
    };

    void set_current(yaml_event const& e);
    void finish(recording const& r);
    void emit(event const& e);
    void emit_key(event const& e);
    void emit_scalar(event const& e);
    bool may_repeat(std::string_view key);
    std::string bytes_of(event const& binary);
    void value_done();
    void replay(range r);
    void merge(range r);
    void merge_map(range r);
    range target_of(event const& alias);
    std::size_t end_of_node(std::size_t begin) const;
    void check(bool ok);
    [[noreturn]] void too_deep(yaml_mark const& mark);
    [[noreturn]] void refuse(errc code, std::string message);

    struct_sink& sink_;
    yaml_mark mark_{};
    event current_{};                     ///< keeps the memory of its strings
    std::vector<open_collection> open_{}; ///< as the sink sees them
    std::size_t level_ = 0;               ///< open collections of the text
    std::vector<event> recorded_{};
    std::vector<recording> recordings_{};
    std::vector<range> anchors_{range{}};                     ///< by number; of several of one name all are kept
    std::map<std::string, std::size_t, std::less<>> names_{}; ///< of anchors, the number of the last one
    bool merge_next_ = false;                                 ///< the last key was `<<`
    bool merging_ = false;                                    ///< the value of a merge key is being recorded
    merged_map merged_{};
    std::size_t merged_count_ = 0;
    std::size_t budget_;
    std::size_t max_depth_;
    std::size_t replay_depth_ = 0;
    bool has_content_ = false;
};

inline std::string_view without_byte_order_mark(std::string_view text) {
    return text.substr(text.starts_with("\xEF\xBB\xBF") ? 3 : 0);
}

/// As decode_yaml(), for a text without byte order mark whose events are recorded.
result<void> decode_recorded(std::string_view text, yaml_recording&, model::descriptor const&, void* target,
                             decode_options const&);

} // namespace kftrain::detail

#endif
