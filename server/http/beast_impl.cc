// server/http/beast_impl.cc
//
// Beast's own code, compiled once (BOOST_BEAST_SEPARATE_COMPILATION). Its
// assertions are off (see CMakeLists.txt): one of them, in the chunk parser,
// fails on valid input that arrives in small parts.
#include <boost/beast/src.hpp>
