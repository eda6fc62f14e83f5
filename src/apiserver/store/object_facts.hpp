#ifndef KFTRAIN_SRC_APISERVER_STORE_OBJECT_FACTS_HPP
#define KFTRAIN_SRC_APISERVER_STORE_OBJECT_FACTS_HPP

#include "apiserver/text/json_access.hpp"

#include <forward_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kftrain::apiserver {

/// The paths by which objects of a kind can be selected, as `spec.nodeName`.
using field_paths = std::shared_ptr<std::vector<std::string> const>;

/** What the store and its watches ask of an object again and again, so that they need not read its text. The views are into that
    text: any place with the same characters serves. What it has nowhere, as what is escaped there, is kept beside it. */
class object_facts {
public:
    struct owner {
        std::string_view uid, api_version, kind;
        bool blocking = false;

        friend bool operator==(owner const&, owner const&) = default;
    };

    /// `text` is that of the object, and stays where it is for as long as this lives.
    object_facts(json::object const& object, std::string_view text, field_paths selectable);
    object_facts(object_facts const&) = delete;
    object_facts& operator=(object_facts const&) = delete;

    std::optional<std::string_view> label(std::string_view name) const noexcept;
    /// What a selector compares with: empty for what is absent. Nothing if it is not known here, and the text has to be read.
    std::optional<std::string_view> field(std::string_view path) const noexcept;

    std::string_view name, namespace_, uid;
    bool deleting = false;            ///< deletionTimestamp is set
    bool finalizers = false;          ///< there is one
    bool foreground_deletion = false; ///< there is the finalizer for this
    std::vector<owner> owners;

    std::size_t bytes() const noexcept;

private:
    std::string_view keep(std::string_view characters);

    /// Of an object with very many labels the later ones are copied: to search them all would take time by the square.
    static constexpr std::size_t longest_search = std::size_t{1} << 20U;

    std::string_view text_;
    std::size_t searched_ = 0;
    std::vector<std::pair<std::string_view, std::string_view>> labels_;
    std::vector<std::string_view> fields_; ///< in the order of paths_
    field_paths paths_;
    std::forward_list<std::string> others_;
};

/// As a selector compares it.
std::string field_text(json::object const&, std::string_view path);

} // namespace kftrain::apiserver

#endif
