// Small builders, so that pages read as layout and the style sheet does the rest.
#pragma once

#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QString>
#include <QToolButton>
#include <QVBoxLayout>

#include "core/log/records.h"
#include "core/study/claims.h"

namespace assay {

// The looks are those of app/viewers/style_sheet.h.
QLabel* makeLabel(const QString& text, const QString& look = {}, QWidget* parent = nullptr);
QLabel* makeWrapped(const QString& text, const QString& look = {}, QWidget* parent = nullptr);
// Wrapped text to be read, with the leading that a paragraph needs. Changing it: setProse().
QLabel* makeProse(const QString& text, const QString& look = {}, QWidget* parent = nullptr);
void setProse(QLabel* label, const QString& text);
QLabel* makePill(const QString& text, const QString& tone = {}, QWidget* parent = nullptr);
// A push button; `name` is its objectName and, with the text, what tests and screen readers find.
QPushButton* makeButton(const QString& text, const QString& name, const QString& look = {},
                        QWidget* parent = nullptr);
// A flat square button with an icon and a tip that is its accessible name too.
QToolButton* makeIconButton(const QString& icon, const QString& tip, const QString& name,
                            QWidget* parent = nullptr);
QFrame* makeCard(QWidget* parent = nullptr);  // panel, 1 px line, radius 8
QFrame* makeRule(QWidget* parent = nullptr);  // 1 px line
// Sets a dynamic property and lets the style sheet see it.
void setLook(QWidget* widget, const char* property, const QVariant& value);
void clearLayout(QLayout* layout);

// The words, shapes and colours of states and verdicts: never a colour alone.
QString stateWord(RunState state);
QString stateIcon(RunState state);      // name of a line icon
QString stateTone(RunState state);      // "good", "caution", "bad", "accent" or ""
QColor toneColor(const QString& tone);  // soft when empty
QString verdictIcon(Verdict verdict);
QString verdictTone(Verdict verdict);

// "41 s", "3 min 20 s", "2 h 05 min"
QString durationText(double seconds);
// "14:02" today, "12 Mar 14:02" this year, else "12 Mar 2025"
QString momentText(double secondsSince1970);
QString bytesText(std::uint64_t bytes);  // "4.1 MiB"
QString countText(std::int64_t count);   // "1,240"
QString valueText(double value);         // about four significant digits: "0.873", "1.2e-05"
QString plural(std::int64_t count, const QString& one, const QString& many);  // "1 run", "3 runs"

}  // namespace assay
