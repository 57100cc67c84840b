// Equations of a manifest as HTML.
#include "app/window/papers/equations.h"

#include <QHash>

namespace assay {
namespace {

const QHash<QString, QString>& symbols() {
  static const QHash<QString, QString> table = {
      {"alpha", "α"},    {"beta", "β"},    {"gamma", "γ"},
      {"delta", "δ"},    {"epsilon", "ε"}, {"varepsilon", "ε"},
      {"zeta", "ζ"},     {"eta", "η"},     {"theta", "θ"},
      {"lambda", "λ"},   {"mu", "μ"},      {"nu", "ν"},
      {"xi", "ξ"},       {"pi", "π"},      {"rho", "ρ"},
      {"sigma", "σ"},    {"tau", "τ"},     {"phi", "φ"},
      {"varphi", "φ"},   {"chi", "χ"},     {"psi", "ψ"},
      {"omega", "ω"},    {"Gamma", "Γ"},   {"Delta", "Δ"},
      {"Theta", "Θ"},    {"Lambda", "Λ"},  {"Sigma", "Σ"},
      {"Phi", "Φ"},      {"Psi", "Ψ"},     {"Omega", "Ω"},
      {"cdot", " · "},   {"times", " × "}, {"in", " ∈ "},
      {"le", " ≤ "},     {"leq", " ≤ "},   {"ge", " ≥ "},
      {"geq", " ≥ "},    {"ne", " ≠ "},    {"neq", " ≠ "},
      {"approx", " ≈ "}, {"to", " → "},    {"rightarrow", " → "},
      {"infty", "∞"},    {"partial", "∂"}, {"nabla", "∇"},
      {"sum", "∑"},      {"prod", "∏"},    {"int", "∫"},
      {"pm", " ± "},     {"odot", " ⊙ "},  {"otimes", " ⊗ "},
      {"ell", "ℓ"},      {"ldots", "…"},   {"dots", "…"},
      {"langle", "⟨"},   {"rangle", "⟩"},  {"ln", "ln "},
      {"log", "log "},   {"exp", "exp"},   {"max", "max "},
      {"min", "min "},   {"tanh", "tanh"}, {"quad", "  "},
      {"qquad", "    "}, {"left", ""},     {"right", ""},
      {",", " "},        {";", " "},       {"!", ""},
      {"{", "{"},        {"}", "}"},       {"|", "‖"},
      {"mid", " | "},    {"prime", "′"},   {"top", "⊤"},
      {"lVert", "‖"},    {"rVert", "‖"},   {"mathbb", ""},
      {"mathcal", ""},   {"mathbf", ""}};
  return table;
}

class EquationReader {
 public:
  explicit EquationReader(const QString& tex) : tex_(tex) {}
  QString read() {
    QString html;
    while (position_ < tex_.size()) html += atom();
    return html;
  }

 private:
  // The content of {...}, or one character, or one command.
  QString argument() {
    while (position_ < tex_.size() && tex_[position_].isSpace()) ++position_;
    if (position_ >= tex_.size()) return {};
    if (tex_[position_] != '{') return atom();
    const qsizetype begin = ++position_;
    int depth = 1;
    while (position_ < tex_.size() && depth > 0) {
      if (tex_[position_] == '{') ++depth;
      if (tex_[position_] == '}') --depth;
      ++position_;
    }
    return EquationReader(tex_.mid(begin, position_ - begin - (depth == 0 ? 1 : 0))).read();
  }

  QString rawArgument() {
    const qsizetype begin = tex_.indexOf('{', position_);
    const qsizetype end = tex_.indexOf('}', position_);
    if (begin != position_ || end < 0) return argument();
    position_ = end + 1;
    return tex_.mid(begin + 1, end - begin - 1).toHtmlEscaped();
  }

  static QString bracketed(const QString& part) {
    static const QString needs = "+−·/ ";
    for (const QChar c : part) {
      if (needs.contains(c)) return "(" + part + ")";
    }
    return part;
  }

  QString command() {
    const qsizetype begin = position_;
    while (position_ < tex_.size() && tex_[position_].isLetter()) ++position_;
    if (position_ == begin && position_ < tex_.size()) ++position_;
    const QString name = tex_.mid(begin, position_ - begin);
    if (name == "frac" || name == "tfrac" || name == "dfrac") {
      const QString above = argument();
      const QString below = argument();
      return bracketed(above) + " / " + bracketed(below);
    }
    if (name == "sqrt") return "√" + bracketed(argument());
    if (name == "hat") return argument() + "̂";
    if (name == "bar") return argument() + "̄";
    if (name == "mathrm" || name == "text" || name == "operatorname") return rawArgument();
    const auto symbol = symbols().constFind(name);
    return symbol == symbols().constEnd() ? "\\" + name.toHtmlEscaped() : *symbol;
  }

  QString atom() {
    const QChar c = tex_[position_++];
    if (c == '\\') return command();
    if (c == '^') return "<sup>" + argument() + "</sup>";
    if (c == '_') return "<sub>" + argument() + "</sub>";
    if (c == '{' || c == '}') return {};
    if (c == '-') return "−";
    if (c == '\'') return "′";
    if (c.isLetter() && c.unicode() < 128) return "<i>" + QString(c) + "</i>";
    return QString(c).toHtmlEscaped();
  }

  QString tex_;
  qsizetype position_ = 0;
};

}  // namespace

QString equationHtml(const QString& tex) {
  QString html = EquationReader(tex).read().replace("</i><i>", "");
  return html;
}

QString paragraphHtml(const QString& text) {
  const QStringList parts = text.split('$');
  const bool alone =
      parts.size() == 3 && parts[0].trimmed().isEmpty() && parts[2].trimmed().remove('.').isEmpty();
  if (alone) {
    return "<p align=\"center\" style=\"margin: 8px 0 12px 0; font-size: 15px\">" +
           equationHtml(parts[1]) + "</p>";
  }
  QString html = "<p style=\"margin: 0 0 10px 0; line-height: 140%\">";
  for (qsizetype i = 0; i < parts.size(); ++i) {
    html += i % 2 == 1 ? equationHtml(parts[i]) : parts[i].toHtmlEscaped();
  }
  return html + "</p>";
}

}  // namespace assay
