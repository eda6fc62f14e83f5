#ifndef KFTRAIN_SRC_MODEL_SCHEMA_SCHEMA_OUTCOME_HPP
#define KFTRAIN_SRC_MODEL_SCHEMA_SCHEMA_OUTCOME_HPP

#include "model/schema/schema_node.hpp"

#include <algorithm>
#include <set>

// The parts of structural validation; see schema_structure.cpp.
namespace kftrain {

/// Faults, and how much of the schema was met: of several failed alternatives the best one is reported.
struct schema_outcome {
    struct fault {
        std::string key; ///< the text by which upstream recognises what it has already
        schema_violation violation;
    };
    int met = 0;

    bool valid() const noexcept { return faults_.empty(); }
    /// In the order in which they were added, each key once.
    std::vector<fault>& faults() noexcept { return faults_; }
    void add(fault f) {
        if (is_new(f.key)) faults_.push_back(std::move(f));
    }
    void merge(schema_outcome other) {
        met += other.met;
        if (faults_.empty()) {
            faults_ = std::move(other.faults_);
            keys_ = std::move(other.keys_);
            return;
        }
        for (auto& f : other.faults_) add(std::move(f));
    }
    void forgive() noexcept {
        faults_.clear();
        keys_.clear();
    }

private:
    /// Faults are rare, so that most often there is nothing to look through.
    static constexpr std::size_t few = 16;

    bool is_new(std::string const& key) {
        if (faults_.size() < few) return std::ranges::none_of(faults_, [&](fault const& f) { return f.key == key; });
        if (keys_.empty())
            for (auto const& f : faults_) keys_.insert(f.key);
        return keys_.insert(key).second;
    }

    std::vector<fault> faults_;
    std::set<std::string> keys_; ///< of all faults, once they are many
};

/// Words faults as upstream does.
class schema_faults {
public:
    explicit schema_faults(std::string_view prefix) : prefix_(prefix) {}

    using fault = schema_outcome::fault;
    /// The field of a violation; `path` is as messages have it.
    std::string field(std::string_view path) const;
    /// `shown` is the value as it is printed, `text` follows `<path> in body `.
    fault invalid(std::string_view path, std::string_view shown, std::string text) const;
    fault wrong_type(std::string_view path, std::string_view wanted, std::string_view got) const;
    fault required(std::string const& path) const;
    fault too_long(std::string const& path, std::int64_t most) const;
    /// `what` is items or properties.
    fault too_many(std::string const& path, std::int64_t size, std::int64_t most, std::string_view what) const;
    fault unsupported(std::string const& path, boost::json::value const&,
                      std::vector<boost::json::value> const& known) const;
    /// A fault that upstream ascribes to no field.
    fault of_all(std::string text) const;

private:
    fault make(std::string_view path, std::string_view kind, std::string_view shown, std::string text) const;

    std::string prefix_;
};

/// The checks of a value that do not look into it. Each ignores values of other types.
schema_outcome check_type(schema_faults const&, schema_node const&, boost::json::value const&, std::string const& path);
schema_outcome check_enumeration(schema_faults const&, schema_node const&, boost::json::value const&,
                                 std::string const& path);
schema_outcome check_text(schema_faults const&, schema_node const&, boost::json::string const&,
                          std::string const& path);
schema_outcome check_format(schema_faults const&, schema_node const&, boost::json::string const&,
                            std::string const& path);
schema_outcome check_number(schema_faults const&, schema_node const&, boost::json::value const&,
                            std::string const& path);

} // namespace kftrain

#endif
