#ifndef KFTRAIN_SRC_CONVERT_CHANGE_LIST_HPP
#define KFTRAIN_SRC_CONVERT_CHANGE_LIST_HPP

#include "model/json/json_text.hpp"

#include <kftrain/convert/change.hpp>
#include <kftrain/model/codec.hpp>

#include <algorithm>
#include <iterator>

namespace kftrain::convert {

/// A value as the text in a @ref change.
inline std::string json_text(std::string_view s) {
    std::string out;
    detail::append_string(s, out);
    return out;
}

inline std::string json_text(std::vector<std::string> const& list) {
    std::string out;
    detail::raw_writer write(out);
    write.begin('[');
    for (auto const& s : list) write.string(s);
    write.end(']');
    return out;
}

/// The text for an absent field; see change::value.
inline constexpr std::string_view absent;

/// Collects what becomes of fields, in the order in which the conversion looks at them.
class change_list {
public:
    void changed(std::string path, std::string_view value, std::string result_path, std::string_view why) {
        add(fate::changed, std::move(path), value, std::move(result_path), why);
    }
    void approximated(std::string path, std::string_view value, std::string result_path, std::string_view why) {
        add(fate::approximated, std::move(path), value, std::move(result_path), why);
    }
    void dropped(std::string path, std::string_view value, std::string_view why) {
        add(fate::dropped, std::move(path), value, std::string(), why);
    }
    /// One for each field.
    void dropped(unknown_fields const& fields, std::string_view path, std::string_view why) {
        for (auto const& [name, value] : fields) {
            std::string at(path);
            dropped(at.empty() ? name : at.append(".").append(name), value.text, why);
        }
    }

    /// Appends the changes of another list.
    void append(change_list more) { std::ranges::move(more.all_, std::back_inserter(all_)); }

    std::vector<change> const& all() const noexcept { return all_; }
    std::vector<change> take() { return std::move(all_); }

private:
    void add(fate becomes, std::string path, std::string_view value, std::string result_path, std::string_view why) {
        auto& c = all_.emplace_back();
        c.path = std::move(path);
        c.value.text = value;
        c.becomes = becomes;
        c.result_path = std::move(result_path);
        c.why = why;
    }

    std::vector<change> all_;
};

} // namespace kftrain::convert

#endif
