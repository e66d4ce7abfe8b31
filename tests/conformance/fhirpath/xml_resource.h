// tests/conformance/fhirpath/xml_resource.h
//
// FHIR's XML as FHIR's JSON, for HL7's test inputs. By R4's type table: what
// repeats becomes an array, numbers and booleans lose their quotes.
#pragma once

#include <string>

#include <pugixml.hpp>

namespace fhir::path {

// An element that R4 does not have is left out and its path is appended to *unknown.
std::string ResourceAsJson(const pugi::xml_node& resource, std::string* unknown);

}  // namespace fhir::path
