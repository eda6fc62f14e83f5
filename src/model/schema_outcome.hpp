#ifndef KFTRAIN_SRC_MODEL_SCHEMA_OUTCOME_HPP
#define KFTRAIN_SRC_MODEL_SCHEMA_OUTCOME_HPP

#include "model/schema_node.hpp"

#include <algorithm>

// What structural validation is made of; see schema_structure.cpp.
namespace kftrain {

/// Faults, and how much of the schema was met: of several failed alternatives the best one is told.
struct schema_outcome {
    struct fault {
        std::string key; ///< the text by which upstream recognises what it has already
        schema_violation told;
    };
    std::vector<fault> faults;
    int met = 0;

    bool valid() const noexcept { return faults.empty(); }
    void add(fault f) {
        if (std::ranges::none_of(faults, [&](fault const& g) { return g.key == f.key; }))
            faults.push_back(std::move(f));
    }
    void merge(schema_outcome other) {
        for (auto& f : other.faults) add(std::move(f));
        met += other.met;
    }
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

/// The checks of a value that do not look into it. Each says nothing about values of other types.
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
