// The look, from one set of tokens (light and dark): palette, style sheet, plot colours, report
// CSS.
#pragma once

#include <QColor>
#include <QFont>
#include <QIcon>
#include <QObject>
#include <QString>
#include <QVector>

class QApplication;
class QDBusVariant;

namespace assay {

enum class ThemeKind { light, dark };
enum class ThemeChoice { system, light, dark };

struct ThemeTokens {
  QColor background, panel, rail;
  QColor ink, soft, faint;
  QColor line;
  QColor accent, accentBackground, onAccent;
  QColor good, caution, bad;
  QVector<QColor> series;  // colour-blind safe, six
};

// One per program, made in main; pages and viewers take it from Theme::of().
class Theme : public QObject {
  Q_OBJECT
 public:
  explicit Theme(QApplication& application);
  ~Theme() override;
  static Theme& of();  // asserts that one exists

  ThemeKind kind() const { return kind_; }
  const ThemeTokens& tokens() const;
  static const ThemeTokens& tokens(ThemeKind kind);
  // system: the desktop portal's D-Bus setting when present, else light. Kept in the settings.
  void choose(ThemeChoice choice);
  ThemeChoice choice() const { return choice_; }
  // The same for this process only: nothing is kept (screenshots, tests).
  void showOnly(ThemeKind kind);
  // A line icon of resources/icons/<name>.svg in the given colour (ink when invalid), sharp at any
  // scale.
  QIcon icon(const QString& name, const QColor& color = {}) const;
  // 20/14/13/12/11 px steps, weight 400/500/600; figures are tabular where the font has them.
  static QFont font(int pixels, int weight = 400);
  // For columns of numbers: all digits equally wide. The interface font where it can be told so (Qt
  // 6.7), else the nearest font whose digits are.
  static QFont figures(int pixels, int weight = 400);
  static QFont monospace(int pixels = 12);
  // Colour and dash of the n-th run: sticky per run in the window (see RunColors).
  QColor seriesColor(int index) const;
  static Qt::PenStyle seriesDash(int index);  // solid, dashed, dotted: every six

 signals:
  void changed();

 private slots:
  void portalChanged(const QString& group, const QString& key, const QDBusVariant& value);

 private:
  void apply();
  void setKind(ThemeKind kind);
  void followSystem();
  void systemKindIs(ThemeKind kind);
  QApplication& application_;
  ThemeKind kind_ = ThemeKind::light;
  ThemeChoice choice_ = ThemeChoice::system;
};

}  // namespace assay
