// The one style sheet of the window, made from the tokens.
//
// What pages may ask for by the dynamic property "look" (set it before the widget is shown):
//   QLabel       title 20 px, heading 14 px, strong, soft, faint, small (12 px soft), tiny (11 px
//                faint), pill, mono
//   QFrame       card (panel, line, radius 8), picture (top of a card), notice, bar, panel
//   QPushButton  primary, quiet (no border), link, danger, segment (of a segmented row), pill
// and by "tone" on pills, labels and notices: good, caution, bad, accent.
#pragma once

#include <QString>

#include "app/viewers/theme.h"

namespace assay {

QString styleSheet(ThemeKind kind);
// `top` over `bottom` at the given opacity.
QColor mixed(const QColor& bottom, const QColor& top, double opacity);

}  // namespace assay
