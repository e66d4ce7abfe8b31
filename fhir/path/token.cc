#include "fhir/path/token.h"

#include <optional>
#include <utility>

#include "fhir/path/unicode.h"

namespace fhir::path {

namespace {

bool IsDigit(char c) {
  return c >= '0' && c <= '9';
}

bool IsIdentifierStart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool IsIdentifierPart(char c) {
  return IsIdentifierStart(c) || IsDigit(c);
}

class Tokenizer {
 public:
  explicit Tokenizer(std::string_view text) : text_(text) {}

  Result<std::vector<Token>> Run() {
    std::vector<Token> tokens;
    do {
      FHIR_TRY_VOID(SkipSpace());
      start_ = at_;
      FHIR_TRY(token, Next());
      token.position = Position();
      tokens.push_back(std::move(token));
    } while (tokens.back().kind != TokenKind::kEnd);
    return tokens;
  }

 private:
  std::uint32_t Position() const { return static_cast<std::uint32_t>(start_ + 1); }
  tl::unexpected<Error> FailHere(std::string_view what) const {
    return Fail(PathError(Position(), what));
  }
  char Peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  bool LooksAt(std::string_view what) const { return text_.substr(at_).starts_with(what); }
  std::string Since(std::size_t from) const { return std::string(text_.substr(from, at_ - from)); }

  Result<void> SkipSpace() {
    while (at_ < text_.size()) {
      start_ = at_;
      if (LooksAt("//")) {
        at_ = std::min(text_.find_first_of("\r\n", at_), text_.size());
      } else if (LooksAt("/*")) {
        const std::size_t end = text_.find("*/", at_ + 2);
        if (end == std::string_view::npos) return FailHere("unfinished comment");
        at_ = end + 2;
      } else if (Peek() == ' ' || (Peek() >= '\t' && Peek() <= '\r')) {
        ++at_;
      } else {
        break;
      }
    }
    return {};
  }

  Result<Token> Next() {
    if (at_ == text_.size()) return Token{};
    const char c = Peek();
    if (IsIdentifierStart(c)) return Token{TokenKind::kIdentifier, 0, Identifier()};
    if (IsDigit(c)) return Number();
    switch (c) {
      case '`': return Quoted(TokenKind::kQuotedIdentifier);
      case '\'': return Quoted(TokenKind::kString);
      case '@': return DateOrTime();
      case '%': return External();
      case '$': ++at_; return Token{TokenKind::kDollar, 0, Identifier()};
      default: return Symbol();
    }
  }

  std::string Identifier() {
    const std::size_t from = at_;
    while (IsIdentifierPart(Peek())) ++at_;
    return Since(from);
  }

  void SkipDigits() {
    while (IsDigit(Peek())) ++at_;
  }

  // A point belongs to a number only if a digit follows: 1.toString() is a call.
  void SkipFraction() {
    if (Peek() != '.' || !IsDigit(Peek(1))) return;
    ++at_;
    SkipDigits();
  }

  Result<Token> Number() {
    SkipDigits();
    SkipFraction();
    return Token{TokenKind::kNumber, 0, Since(start_)};
  }

  // "-12" or ":12": `separator` and two digits.
  bool SkipPair(char separator) {
    if (Peek() != separator || !IsDigit(Peek(1)) || !IsDigit(Peek(2))) return false;
    at_ += 3;
    return true;
  }

  void SkipTime() {
    SkipDigits();
    while (SkipPair(':')) {
    }
    SkipFraction();
  }

  void SkipZone() {
    if (Peek() == 'Z') {
      ++at_;
    } else if ((Peek() == '+' || Peek() == '-') && IsDigit(Peek(1)) && IsDigit(Peek(2)) &&
               Peek(3) == ':') {
      at_ += 3;
      SkipPair(':');
    }
  }

  Result<Token> DateOrTime() {
    ++at_;
    if (Peek() == 'T') {
      ++at_;
      const std::size_t from = at_;
      SkipTime();
      return Token{TokenKind::kTime, 0, Since(from)};
    }
    const std::size_t from = at_;
    SkipDigits();
    while (SkipPair('-')) {
    }
    if (Peek() != 'T') return Token{TokenKind::kDate, 0, Since(from)};
    ++at_;
    if (IsDigit(Peek())) {
      SkipTime();
      SkipZone();
    }
    return Token{TokenKind::kDateTime, 0, Since(from)};
  }

  Result<Token> External() {
    ++at_;
    if (Peek() == '`' || Peek() == '\'') return Quoted(TokenKind::kExternal);
    std::string name = Identifier();
    if (name.empty()) return FailHere("a name must follow %");
    return Token{TokenKind::kExternal, 0, std::move(name)};
  }

  Result<Token> Quoted(TokenKind kind) {
    const char quote = Peek();
    ++at_;
    Token token{kind, 0, {}};
    while (at_ < text_.size() && Peek() != quote) {
      if (Peek() != '\\') {
        token.text.push_back(text_[at_++]);
        continue;
      }
      ++at_;
      if (!Escape(&token.text)) return FailHere("unknown escape in a string");
    }
    if (at_ >= text_.size()) return FailHere("unfinished string");
    ++at_;
    return token;
  }

  // What follows a backslash.
  bool Escape(std::string* out) {
    const char c = Peek();
    constexpr std::string_view kFrom = "'\"`\\/frnt";
    constexpr std::string_view kTo = "'\"`\\/\f\r\n\t";
    if (const auto index = kFrom.find(c); c != '\0' && index != std::string_view::npos) {
      out->push_back(kTo[index]);
      ++at_;
      return true;
    }
    auto unit = CodeUnit();
    if (!unit) return false;
    const bool is_high = *unit >= 0xD800 && *unit < 0xDC00;
    if (is_high && Peek() == '\\') {
      ++at_;
      const auto low = CodeUnit();
      if (!low || *low < 0xDC00 || *low > 0xDFFF) return false;
      unit = 0x10000 + ((*unit - 0xD800) << 10) + (*low - 0xDC00);
    }
    if (*unit >= 0xD800 && *unit <= 0xDFFF) return false;
    AppendCodePoint(out, *unit);
    return true;
  }

  // "u002a".
  std::optional<char32_t> CodeUnit() {
    if (Peek() != 'u') return std::nullopt;
    ++at_;
    char32_t unit = 0;
    for (int i = 0; i < 4; ++i, ++at_) {
      const char c = Peek();
      constexpr std::string_view kDigits = "0123456789abcdefABCDEF";
      const auto digit = kDigits.find(c);
      if (c == '\0' || digit == std::string_view::npos) return std::nullopt;
      unit = unit * 16 + static_cast<char32_t>(digit < 16 ? digit : digit - 6);
    }
    return unit;
  }

  Result<Token> Symbol() {
    for (const std::string_view symbol : {"<=", ">=", "!=", "!~"}) {
      if (!LooksAt(symbol)) continue;
      at_ += symbol.size();
      return Token{TokenKind::kSymbol, 0, std::string(symbol)};
    }
    if (std::string_view("()[]{}.,+-*/&|<>=~").find(Peek()) == std::string_view::npos) {
      return FailHere("unexpected character");
    }
    return Token{TokenKind::kSymbol, 0, std::string(1, text_[at_++])};
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t start_ = 0;  // Of the token being read.
};

}  // namespace

Result<std::vector<Token>> Tokenize(std::string_view text) {
  return Tokenizer(text).Run();
}

Error PathError(std::uint32_t position, std::string_view what) {
  std::string diagnostics = "FHIRPath at " + std::to_string(position) + ": ";
  diagnostics += what;
  return Invalid(std::move(diagnostics));
}

}  // namespace fhir::path
