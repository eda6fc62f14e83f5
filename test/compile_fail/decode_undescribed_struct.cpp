// expect: the type is not described: write KFTRAIN_DESCRIBE
#include <kftrain/model/codec.hpp>

namespace users {
struct point {
    int x = 0;
};
} // namespace users

auto read() { return kftrain::from_json<users::point>("{}"); }
