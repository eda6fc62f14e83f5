#ifndef KFTRAIN_SRC_CONVERT_CARRIED_HPP
#define KFTRAIN_SRC_CONVERT_CARRIED_HPP

#include "model/json/json_text.hpp"

#include <kftrain/base/diagnostics.hpp>
#include <kftrain/convert/change.hpp>
#include <kftrain/job/training_job.hpp>
#include <kftrain/model/codec.hpp>
#include <kftrain/model/meta.hpp>
#include <kftrain/objects/core/pod.hpp>

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

// Common parts of all conversions.
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

/// Collects the changes of fields, in the order of the conversion.
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

/// Returns the metadata for a new job, without the fields that servers write.
object_meta carried_metadata(object_meta const&, change_list&);

/// The same; also drops the fields of the job and of its spec that the version does not have.
template <class Job> object_meta carried_head(Job const& job, std::string_view why_unknown, change_list& changes) {
    auto metadata = carried_metadata(job.metadata, changes);
    changes.dropped(job.unknown, "", why_unknown);
    changes.dropped(job.spec.unknown, "spec", why_unknown);
    return metadata;
}

/// Drops the status of the source, which no result has.
template <class Job> void drop_status(Job const& job, change_list& changes) {
    constexpr std::string_view why = "The converted job has not run yet.";
    if constexpr (std::is_same_v<decltype(job.status), raw_json>) {
        if (auto const& text = job.status.text; !text.empty() && text != "{}") changes.dropped("status", text, why);
    } else if (!(job.status == decltype(job.status)())) {
        changes.dropped("status", to_json(job.status), why);
    }
}

/** Drops the mounts of volumes that neither the pod nor the operator of the result has, such as those that the operator
    of the source adds.
    @param path Of the pod in the source. */
void drop_mounts_without_volume(core::pod_spec&, std::string const& path,
                                std::initializer_list<std::string_view> of_operator, change_list&);

/// A part of the result that is elsewhere in the source.
struct moved_part {
    moved_part(std::string to, std::string from) : result_path(std::move(to)), path(std::move(from)) {}

    std::string result_path;
    std::string path;
};
using moved_parts = std::vector<moved_part>;

/// A job without a counterpart.
failure refused_field(std::string path, std::string message);

/// Why the rules of the kind refuse the source; empty if they accept it.
std::optional<failure> source_fault(rules::job_rules const&, void const* job);
/// Why the kind rejects the result; the path becomes that of the source.
failure rejected(failure, resource_info const&, std::vector<change> const&, moved_parts const&);
/// Why the rules of the kind refuse the result; empty if they accept it. The path is that of the source: from the
/// changes, else of the innermost part that has moved.
std::optional<failure> result_fault(rules::job_rules const&, void const* job, std::vector<change> const&,
                                    moved_parts const& = moved_parts());

template <training_job K> std::optional<failure> source_fault(K const& job) {
    return source_fault(job_rules_for<K>(), &job);
}

/// The result, if its kind accepts it.
template <training_job K>
result<converted<K>> accepted(K job, change_list changes, moved_parts const& moved = moved_parts()) {
    if (auto fault = result_fault(job_rules_for<K>(), &job, changes.all(), moved)) return *std::move(fault);
    return converted<K>(std::move(job), changes.take());
}

/// The base of a conversion, from a job of any form to one with a struct; refers to the source.
template <class Source, class Target> class conversion_pass {
public:
    using source = Source;
    using target = Target;

    /// `why_unknown` explains why fields without a member are dropped.
    conversion_pass(source const& job, std::string_view why_unknown)
        : from_(job.spec), job_(job), unknown_(why_unknown) {}

protected:
    void carry_head() { result_.metadata = carried_head(job_, unknown_, changes_); }

    /// Returns the result, which has no status, if its kind accepts it.
    result<converted<target>> finish() {
        drop_status(job_, changes_);
        return accepted(std::move(result_), std::move(changes_), moved_);
    }

    decltype(Source::spec) const& from_;
    source const& job_;
    std::string_view unknown_;
    target result_;
    change_list changes_;
    moved_parts moved_;
};

} // namespace kftrain::convert

#endif
