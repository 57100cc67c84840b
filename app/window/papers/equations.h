// Equations of a manifest, marked by $...$, as HTML that Qt's rich text shows.
#pragma once

#include <QString>

namespace assay {

// A small part of TeX: Greek letters and common signs by name, ^ and _ with or without braces,
// \frac{a}{b}, \sqrt{a}, \mathrm{..}, \text{..}. What isn't known is shown as written.
QString equationHtml(const QString& tex);
// A paragraph with $...$ in it. One that is nothing but an equation is set apart and centred.
QString paragraphHtml(const QString& text);

}  // namespace assay
