#ifndef KFTRAIN_SRC_APISERVER_STORE_OBJECT_FACTS_HPP
#define KFTRAIN_SRC_APISERVER_STORE_OBJECT_FACTS_HPP

#include "apiserver/json/json_access.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kftrain::apiserver {

/// The paths by which objects of a kind can be selected, as `spec.nodeName`.
using field_paths = std::shared_ptr<std::vector<std::string> const>;

/** The parts of an object that the store and its watches read often, so that they need not parse its text. Each stored
    object has one, so it is small: labels and fields are places in that text. A string that is escaped in the text is
    copied. */
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
    /// The value that a selector compares; empty if the field is absent. Nothing if the value is not kept here and must
    /// be read from the text.
    std::optional<std::string_view> field(std::string_view path) const noexcept;

    std::string_view name() const noexcept { return at(name_); }
    std::string_view namespace_() const noexcept { return at(ns_); }
    std::string_view uid() const noexcept { return at(uid_); }
    bool deleting = false;            ///< deletionTimestamp is set
    bool finalizers = false;          ///< there is one
    bool foreground_deletion = false; ///< there is the finalizer for this
    std::vector<owner> owners;

    std::size_t bytes() const noexcept;

private:
    /// In the text, or behind its end in `others_`.
    struct place {
        std::uint32_t begin = 0, size = 0;
    };

    place find(std::string_view characters, std::size_t& searched);
    std::string_view at(place) const noexcept;

    /// Copies the later labels of an object with very many: searching all of them would take quadratic time.
    static constexpr std::size_t longest_search = std::size_t{1} << 20U;

    char const* text_;
    std::uint32_t text_size_;
    std::uint32_t labels_ = 0;
    place name_, ns_, uid_;
    std::vector<place> places_; ///< name and value of each label, then the fields in the order of paths_
    field_paths paths_;
    std::unique_ptr<std::string> others_; ///< usually none
};

/// The memory that an allocator uses for a block of this size: common ones round up, and store an additional word.
std::size_t memory_of_piece(std::size_t size) noexcept;

/// As a selector compares it.
std::string field_text(json::object const&, std::string_view path);

} // namespace kftrain::apiserver

#endif
