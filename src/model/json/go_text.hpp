#ifndef KFTRAIN_SRC_MODEL_JSON_GO_TEXT_HPP
#define KFTRAIN_SRC_MODEL_JSON_GO_TEXT_HPP

#include <boost/json.hpp>

#include <string>
#include <string_view>

/** How the server's language prints JSON values into error texts. JSON integers are int64 there, all other numbers
    float64; integers beyond int64 are float64, too.
    @par Upstream Go `fmt`, `strconv` */
namespace kftrain::go_text {

/// `%q`: in double quotes, with escapes.
std::string quoted(std::string_view);
/// As `encoding/json` writes a text: JSON that may be put into HTML and JavaScript.
std::string json(std::string_view);
/// `%v`: `map[a:1 b:[x y]]`, `1.5`, `<nil>`.
std::string plain(boost::json::value const&);
/// `%#v`: `map[string]interface {}{"a":1}`.
std::string syntax(boost::json::value const&);
/// `%T`: `map[string]interface {}`, `float64`, `string`.
std::string_view type(boost::json::value const&);
/// `%v` of a float64.
std::string number(double);

} // namespace kftrain::go_text

#endif
