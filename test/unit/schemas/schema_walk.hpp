#ifndef KFTRAIN_TEST_UNIT_SCHEMAS_SCHEMA_WALK_HPP
#define KFTRAIN_TEST_UNIT_SCHEMAS_SCHEMA_WALK_HPP

#include "unit/schemas/schema_file.hpp"

#include <kftrain/model/detail/descriptor_table.hpp>

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace schemas {

/// Walks schemas and descriptor tables side by side, and notes where they disagree.
class walk {
public:
    explicit walk(library& files);

    /// The properties of an object and all below them; apiVersion and kind of a resource need no field.
    void properties_of(std::string path, place at, kftrain::model::descriptor const& type);

    std::size_t in_schemas = 0; ///< property paths so far
    std::size_t typed = 0;      ///< those with a field of the right type
    std::vector<std::string> faults;
    /// Ends of paths that need no field, and whether there was such a path.
    std::map<std::string, bool> left_out;

    /// Fields of the types walked that no schema has, as the path at which the type was met first.
    std::vector<std::string> fields_without_schema() const;

private:
    /// The visits of one described struct.
    struct visited {
        std::string path;
        std::set<std::string_view> properties;
    };

    void properties(place at, kftrain::model::descriptor const& type);
    void value(place at, kftrain::model::descriptor const& type);
    /// An item of a list or an entry of a map; `mark` stands for it in paths.
    void element(place const& of, json::object const* schema, std::string_view mark,
                 kftrain::model::descriptor const& type);
    void merging(json::object const& schema, kftrain::model::field const& f);
    /// Every path below counts, and none of them is typed.
    void untyped(place at);
    bool is_left_out();
    bool scalar_fits(place const& at, kftrain::model::descriptor const& type) const;
    void fault(std::string what);

    library& files_;
    bool strategic_ = false; ///< whether the schema has the extensions of strategic merge patches
    std::string path_;
    std::string failed_; ///< the path that was last found wrong
    std::map<kftrain::model::descriptor const*, visited> types_;
};

} // namespace schemas

#endif
