// fhir/path/token.h
//
// FHIRPath text as tokens.
//
// Errors: Invalid, naming the position (characters from 1), for what is no
// token, an unfinished string or comment, and a date that does not exist.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fhir/base/result.h"

namespace fhir::path {

enum class TokenKind : std::uint8_t {
  kEnd,
  kIdentifier,        // Keywords too: `is`, `and`, `true` are told apart by the parser.
  kQuotedIdentifier,  // `…`, without the quotes and unescaped. Never a keyword.
  kString,            // '…', likewise.
  kNumber,
  kDate,      // Without the @.
  kDateTime,  // Likewise.
  kTime,      // Without the @T.
  kExternal,  // %name, %`name` or %'name', without the %.
  kDollar,    // $this, $index, $total, without the $.
  kSymbol,    // "<=", "(" …
};

struct Token {
  TokenKind kind = TokenKind::kEnd;
  std::uint32_t position = 1;
  std::string text;
};

// The last token is kEnd.
Result<std::vector<Token>> Tokenize(std::string_view text);

// The error of all compile and evaluation failures: 400, "FHIRPath at 12: …".
Error PathError(std::uint32_t position, std::string_view what);

}  // namespace fhir::path
