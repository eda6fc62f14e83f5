#ifndef KFTRAIN_SRC_MODEL_SCHEMA_FIELD_FAULTS_HPP
#define KFTRAIN_SRC_MODEL_SCHEMA_FIELD_FAULTS_HPP

#include <kftrain/model/schema.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kftrain {

/** The path of a field during a check. Its text is made only if there is a fault. A path refers to its parent, which
    must outlive it. */
class field_path {
public:
    explicit field_path(std::string_view root) noexcept : name_(root) {}
    /// `parent.name`
    field_path(field_path const& parent, std::string_view name) noexcept : parent_(&parent), name_(name) {}
    /// `parent.name[index]`
    field_path(field_path const& parent, std::string_view name, std::size_t index) noexcept
        : parent_(&parent), name_(name), index_(static_cast<std::ptrdiff_t>(index)) {}
    field_path(field_path const&& parent, std::string_view name) = delete;
    field_path(field_path const&& parent, std::string_view name, std::size_t index) = delete;

    std::string text() const;
    std::string text(std::string_view member) const;
    std::string text(std::string_view member, std::size_t index) const;
    /// `path.member[key]`
    std::string text_of_key(std::string_view member, std::string_view key) const;

private:
    field_path const* parent_ = nullptr;
    std::string_view name_;
    std::ptrdiff_t index_ = -1;
};

/** Collects what is wrong with the fields of an object of a built-in kind, with the server's messages.
    @par Upstream apimachinery `pkg/util/validation/field/errors.go`, v0.31.3 */
class field_faults {
public:
    /// More faults than this are not reported: each is longer than what it takes to make it.
    static constexpr std::size_t most = 1000;

    void required(std::string field, std::string_view detail = {});
    /// `printed` is the value as it is to stand in the message; see go_text.
    void invalid(std::string field, std::string_view printed, std::string_view why);
    void invalid(std::string field, std::int64_t value, std::string_view why);
    /// A text, once for each reason.
    void invalid_text(std::string const& field, std::string_view value, std::span<std::string const> why);
    void invalid_text(std::string field, std::string_view value, std::string_view why);
    void duplicate(std::string field, std::string_view value);
    void unsupported(std::string field, std::string_view value, std::span<std::string_view const> known);
    void forbidden(std::string field, std::string_view detail);
    void not_found(std::string field, std::string_view value);
    void too_long(std::string field, std::string_view detail);
    void append(std::vector<schema_violation> more);

    bool empty() const noexcept { return found_.empty(); }
    std::size_t size() const noexcept { return found_.size(); }
    std::vector<schema_violation> take() noexcept { return std::move(found_); }

private:
    void add(std::string_view reason, std::string field, std::string message);

    std::vector<schema_violation> found_;
};

} // namespace kftrain

#endif
