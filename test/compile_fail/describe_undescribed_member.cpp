// expect: no member of a model can have this type
#include <kftrain/model/reflect.hpp>

namespace users {
struct point {
    int x = 0;
};
struct line {
    point from;
};
BOOST_DESCRIBE_STRUCT(line, (), (from))
} // namespace users

template struct kftrain::model::table<users::line>;
