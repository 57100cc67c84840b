// The colours of the look, light and dark; everything else is made from them.
#include "app/viewers/theme.h"

namespace assay {
namespace {

ThemeTokens lightTokens() {
  ThemeTokens t;
  t.background = QColor("#f6f7f9");
  t.panel = QColor("#ffffff");
  t.rail = QColor("#eef1f5");
  t.ink = QColor("#1b1f24");
  t.soft = QColor("#5b6570");
  t.faint = QColor("#8b95a1");
  t.line = QColor("#e3e7ec");
  t.accent = QColor("#2f6fde");
  t.accentBackground = QColor("#e8f0fd");
  t.onAccent = QColor("#ffffff");
  t.good = QColor("#1f8a5b");
  t.caution = QColor("#b7791f");
  t.bad = QColor("#c2413a");
  // Okabe and Ito's palette, in the order that keeps neighbours apart for every kind of sight.
  t.series = {QColor("#0072b2"), QColor("#d55e00"), QColor("#009e73"),
              QColor("#cc79a7"), QColor("#e69f00"), QColor("#56b4e9")};
  return t;
}

ThemeTokens darkTokens() {
  ThemeTokens t;
  t.background = QColor("#15181c");
  t.panel = QColor("#1d2127");
  t.rail = QColor("#181c21");
  t.ink = QColor("#e6e9ed");
  t.soft = QColor("#a3adb8");
  t.faint = QColor("#6f7a86");
  t.line = QColor("#2d333b");
  t.accent = QColor("#6ea2ff");
  t.accentBackground = QColor("#22304a");
  t.onAccent = QColor("#10141a");
  t.good = QColor("#4cc38a");
  t.caution = QColor("#e2b04a");
  t.bad = QColor("#f2776e");
  t.series = {QColor("#56b4e9"), QColor("#e69f00"), QColor("#2bc79b"),
              QColor("#e39bc6"), QColor("#ff8a65"), QColor("#8ab4f8")};
  return t;
}

}  // namespace

const ThemeTokens& Theme::tokens(ThemeKind kind) {
  static const ThemeTokens light = lightTokens();
  static const ThemeTokens dark = darkTokens();
  return kind == ThemeKind::dark ? dark : light;
}

}  // namespace assay
