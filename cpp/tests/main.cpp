// The Boost.Test runner; every other file holds one suite.
#define BOOST_TEST_MODULE talefold
#include <boost/test/included/unit_test.hpp>
