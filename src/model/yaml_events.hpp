#ifndef KFTRAIN_SRC_MODEL_YAML_EVENTS_HPP
#define KFTRAIN_SRC_MODEL_YAML_EVENTS_HPP

#include "model/struct_sink.hpp"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/mark.h>

#include <map>
#include <vector>

namespace kftrain::detail {

/** Passes the events of one YAML document on to a struct_sink. Anchored nodes, and only these, are also recorded, and
    replayed where an alias stands; what replay may cost is bounded. Throws `stop` when the document is refused. */
class yaml_events final : public YAML::EventHandler {
public:
    struct stop {};

    yaml_events(struct_sink& sink, std::string_view text, std::size_t max_depth)
        : sink_(sink), text_(text), budget_(free_replay + 8 * text.size()), max_depth_(max_depth) {}

    /// Where the last event stood, 0-based.
    YAML::Mark const& mark() const noexcept { return mark_; }
    /// False while nothing but an empty document was seen.
    bool has_content() const noexcept { return has_content_; }

    void OnDocumentStart(YAML::Mark const& mark) override;
    void OnDocumentEnd() override;
    void OnNull(YAML::Mark const& mark, YAML::anchor_t anchor) override;
    void OnAlias(YAML::Mark const& mark, YAML::anchor_t anchor) override;
    void OnScalar(YAML::Mark const& mark, std::string const& tag, YAML::anchor_t anchor,
                  std::string const& value) override;
    void OnSequenceStart(YAML::Mark const& mark, std::string const& tag, YAML::anchor_t anchor,
                         YAML::EmitterStyle::value style) override;
    void OnSequenceEnd() override;
    void OnMapStart(YAML::Mark const& mark, std::string const& tag, YAML::anchor_t anchor,
                    YAML::EmitterStyle::value style) override;
    void OnMapEnd() override;

private:
    static constexpr std::size_t free_replay = std::size_t{4} << 20U;

    enum class what { null, alias, scalar, list, list_end, map, map_end };
    struct event {
        what kind;
        YAML::Mark mark{};
        YAML::anchor_t target = 0; ///< of an alias
        std::string tag{};         ///< of a scalar; of a map, whether it is `flow`
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
        std::size_t level;     ///< of open collections outside it
        YAML::anchor_t anchor; ///< 0 for the value of a merge key
        std::size_t begin;
    };
    struct open_collection {
        bool map;
        bool expects_key;
        bool flow;
    };

    void take(event e, YAML::anchor_t anchor);
    void finish(recording const& r);
    void emit(event const& e);
    void emit_key(event const& e);
    void emit_scalar(event const& e);
    std::string bytes_of(event const& binary);
    void value_done();
    void replay(range r);
    void merge(range r);
    void merge_map(range r);
    range target_of(event const& alias);
    std::size_t end_of_node(std::size_t begin) const;
    void check(bool ok);
    [[noreturn]] void refuse(errc code, std::string message);

    struct_sink& sink_;
    std::string_view text_;
    YAML::Mark mark_{};
    std::vector<open_collection> open_{}; ///< as the sink sees them
    std::size_t level_ = 0;               ///< open collections of the text
    std::vector<event> recorded_{};
    std::vector<recording> recordings_{};
    std::map<YAML::anchor_t, range> anchors_{};
    bool merge_next_ = false; ///< the last key was `<<`
    bool merging_ = false;    ///< the value of a merge key is being recorded
    std::size_t budget_;
    std::size_t max_depth_;
    std::size_t replay_depth_ = 0;
    bool has_content_ = false;
    int document_pos_ = -1;
    YAML::Mark scalar_mark_{}; ///< of the last scalar
    bool quoted_last_ = false; ///< it was not plain
    YAML::Mark key_mark_{};    ///< of the last key
    std::size_t key_size_ = 0;
    bool bare_key_ = false; ///< nothing but null came after it
};

} // namespace kftrain::detail

#endif
