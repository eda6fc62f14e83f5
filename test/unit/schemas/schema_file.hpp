#ifndef KFTRAIN_TEST_UNIT_SCHEMAS_SCHEMA_FILE_HPP
#define KFTRAIN_TEST_UNIT_SCHEMAS_SCHEMA_FILE_HPP

#include <boost/json/object.hpp>

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

namespace schemas {

namespace json = boost::json;

/// A schema, and the file in which its references are to be looked up.
struct place {
    json::object const* schema = nullptr;
    json::object const* file = nullptr;
    std::string_view name{}; ///< of the definition that a reference led to
};

/// Reads schema files once and follows their references. test/data/schemas/README.md describes the format.
class library {
public:
    /// `root` is the folder of the project.
    explicit library(std::filesystem::path root) : root_(std::move(root)) {}

    /// `path` from the root.
    json::object const& file(std::string const& path);
    /// The same place while it is no reference.
    place resolve(place at);
    /// The definition of this name.
    place definition(json::object const& file, std::string_view name);

private:
    json::object const& shared_file(std::string const& name);

    std::filesystem::path root_;
    std::map<std::string, json::object, std::less<>> files_;
};

/// The text under this word, or nothing.
std::string_view text_at(json::object const& schema, std::string_view word);
/// The object under this word, or null.
json::object const* object_at(json::object const& schema, std::string_view word);

} // namespace schemas

#endif
