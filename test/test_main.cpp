#define BOOST_TEST_MODULE kftrain
#include <boost/test/unit_test.hpp>
