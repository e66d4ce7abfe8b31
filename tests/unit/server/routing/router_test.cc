#include <gtest/gtest.h>

#include "server/routing/handler.h"

namespace server {
namespace {

Request Of(Verb verb, std::string path) {
  Request request;
  request.verb = verb;
  request.path = std::move(path);
  return request;
}

// The handler's code, or the status of the error.
std::string CodeAt(Verb verb, const std::string& path) {
  const Request request = Of(verb, path);
  const auto route = FindRoute(request);
  return route ? std::string(route->handler->code) : std::to_string(route.error().http_status);
}

TEST(RouterTest, EveryInteractionIsFound) {
  EXPECT_EQ(CodeAt(Verb::kGet, "Patient/x"), "read");
  EXPECT_EQ(CodeAt(Verb::kHead, "Patient/x"), "read");
  EXPECT_EQ(CodeAt(Verb::kGet, "Patient/x/_history/2"), "vread");
  EXPECT_EQ(CodeAt(Verb::kGet, "Patient/x/_history"), "history-instance");
  EXPECT_EQ(CodeAt(Verb::kGet, "Patient/_history"), "history-type");
  EXPECT_EQ(CodeAt(Verb::kGet, "_history"), "history-system");
  EXPECT_EQ(CodeAt(Verb::kPatch, "Patient/x"), "patch");
  EXPECT_EQ(CodeAt(Verb::kGet, "Patient"), "search-type");
  EXPECT_EQ(CodeAt(Verb::kPost, "Patient/_search"), "search-type");
  EXPECT_EQ(CodeAt(Verb::kGet, ""), "search-system");
  EXPECT_EQ(CodeAt(Verb::kPost, "_search"), "search-system");
  EXPECT_EQ(CodeAt(Verb::kGet, "Patient/x/Observation"), "search-compartment");
  EXPECT_EQ(CodeAt(Verb::kGet, "Patient/x/*"), "search-compartment");
  EXPECT_EQ(CodeAt(Verb::kPost, "Patient/x/Observation/_search"), "search-compartment");
  EXPECT_EQ(CodeAt(Verb::kPost, "Patient"), "create");
  EXPECT_EQ(CodeAt(Verb::kPut, "Patient/x"), "update");
  EXPECT_EQ(CodeAt(Verb::kDelete, "Patient/x"), "delete");
  EXPECT_EQ(CodeAt(Verb::kPost, ""), "bundle");
  EXPECT_EQ(CodeAt(Verb::kPost, "/"), "bundle");
  EXPECT_EQ(CodeAt(Verb::kGet, "metadata"), "capabilities");
  EXPECT_EQ(CodeAt(Verb::kGet, "Patient/x/$everything"), "everything");
  EXPECT_EQ(CodeAt(Verb::kPost, "Patient/x/$everything"), "everything");
}

TEST(RouterTest, ASlashAtTheEndIsIgnored) {
  EXPECT_EQ(CodeAt(Verb::kGet, "Patient/x/"), "read");
  EXPECT_EQ(CodeAt(Verb::kGet, "Patient/"), "search-type");
}

TEST(RouterTest, ParametersAreThePartsOfThePath) {
  const Request request = Of(Verb::kGet, "Patient/x.1-A/_history/7");
  const auto route = FindRoute(request);
  ASSERT_TRUE(route.has_value());
  EXPECT_EQ(route->parameters.type, "Patient");
  EXPECT_EQ(route->parameters.id, "x.1-A");
  EXPECT_EQ(route->parameters.version, "7");
}

TEST(RouterTest, WhatDoesNotExistIsNotFound) {
  EXPECT_EQ(CodeAt(Verb::kGet, "Patiant"), "404");
  EXPECT_EQ(CodeAt(Verb::kGet, "patient/x"), "404");
  EXPECT_EQ(CodeAt(Verb::kGet, "Resource/x"), "404");
  EXPECT_EQ(CodeAt(Verb::kGet, "HumanName/x"), "404");
  EXPECT_EQ(CodeAt(Verb::kGet, "Patient/x/y"), "404");
  EXPECT_EQ(CodeAt(Verb::kGet, "Patient/x/_history/1/y"), "404");
  EXPECT_EQ(CodeAt(Verb::kGet, "Patient//x"), "404");
  EXPECT_EQ(CodeAt(Verb::kGet, "Observation/x/$everything"), "404");
  EXPECT_EQ(CodeAt(Verb::kGet, "Patient/$nothing"), "404");
  EXPECT_EQ(CodeAt(Verb::kGet, std::string("Patient/x\0y", 11)), "404");
  EXPECT_EQ(CodeAt(Verb::kGet, "Patient/" + std::string(65, 'x')), "404");
  EXPECT_EQ(CodeAt(Verb::kGet, std::string(100'000, 'P')), "404");
}

TEST(RouterTest, AnUnknownTypeIsAnsweredWithTheNearest) {
  const Request request = Of(Verb::kGet, "observatoin/x");
  const auto route = FindRoute(request);
  ASSERT_FALSE(route.has_value());
  EXPECT_NE(route.error().issues[0].diagnostics.find("Observation"), std::string::npos);
}

TEST(RouterTest, AnotherMethodIsAnswered405WithAllow) {
  const Request request = Of(Verb::kPost, "Patient/x");
  const auto route = FindRoute(request);
  ASSERT_TRUE(route.has_value());
  ASSERT_NE(route->handler->try_read, nullptr);
  const auto reply = route->handler->try_read(request, route->parameters, Context());
  ASSERT_TRUE(reply.has_value());
  EXPECT_EQ(reply->status, 405);
  ASSERT_EQ(reply->headers.size(), 1U);
  EXPECT_EQ(reply->headers[0].first, "Allow");
  EXPECT_EQ(reply->headers[0].second, "GET, HEAD, PUT, PATCH, DELETE");
}

}  // namespace
}  // namespace server
