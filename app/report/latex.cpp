// A report as LaTeX: booktabs tables, figures as PDF files; any engine (pdfLaTeX, XeLaTeX,
// LuaLaTeX).
#include <QHash>

#include "app/report/document.h"

namespace assay {
namespace {

const QHash<char32_t, QString>& replacements() {
  static const QHash<char32_t, QString> table{{U'\\', "\\textbackslash{}"},
                                              {U'{', "\\{"},
                                              {U'}', "\\}"},
                                              {U'$', "\\$"},
                                              {U'&', "\\&"},
                                              {U'#', "\\#"},
                                              {U'%', "\\%"},
                                              {U'_', "\\_"},
                                              {U'^', "\\textasciicircum{}"},
                                              {U'~', "\\textasciitilde{}"},
                                              {U'<', "\\textless{}"},
                                              {U'>', "\\textgreater{}"},
                                              {U'|', "\\textbar{}"},
                                              {U'"', "\\textquotedbl{}"},
                                              {U'\n', " \\newline "},
                                              {U'\t', " "},
                                              {U'\u2212', "$-$"},
                                              {U'\u00b1', "$\\pm$"},
                                              {U'\u00d7', "$\\times$"},
                                              {U'\u00b7', "$\\cdot$"},
                                              {U'\u2264', "$\\leq$"},
                                              {U'\u2265', "$\\geq$"},
                                              {U'\u2260', "$\\neq$"},
                                              {U'\u221e', "$\\infty$"},
                                              {U'\u2026', "\\ldots{}"},
                                              {U'\u2013', "--"},
                                              {U'\u2014', "---"},
                                              {U'\u2018', "`"},
                                              {U'\u2019', "'"},
                                              {U'\u201c', "``"},
                                              {U'\u201d', "''"},
                                              {U'\u2192', "$\\rightarrow$"},
                                              {U'\u00b0', "$^\\circ$"},
                                              {U'\u00b2', "$^2$"},
                                              {U'\u00b3', "$^3$"},
                                              {U'\u00b5', "$\\mu$"},
                                              {U'\u03b1', "$\\alpha$"},
                                              {U'\u03b2', "$\\beta$"},
                                              {U'\u03b3', "$\\gamma$"},
                                              {U'\u03b4', "$\\delta$"},
                                              {U'\u03b5', "$\\varepsilon$"},
                                              {U'\u03b8', "$\\theta$"},
                                              {U'\u03bb', "$\\lambda$"},
                                              {U'\u03bc', "$\\mu$"},
                                              {U'\u03c0', "$\\pi$"},
                                              {U'\u03c1', "$\\rho$"},
                                              {U'\u03c3', "$\\sigma$"},
                                              {U'\u03c4', "$\\tau$"},
                                              {U'\u03c6', "$\\varphi$"},
                                              {U'\u03c8', "$\\psi$"},
                                              {U'\u03c9', "$\\omega$"},
                                              {U'\u0394', "$\\Delta$"},
                                              {U'\u03a3', "$\\Sigma$"},
                                              {U'\u2016', "$\\Vert$"},
                                              {U'\u221a', "$\\surd$"},
                                              {U'\u2248', "$\\approx$"},
                                              {U'\u2208', "$\\in$"},
                                              {U'\u00a0', "~"},
                                              {U'\u2009', "\\,"}};
  return table;
}

struct Writer {
  QString out;
  QString folder;
  void operator()(const HeadingBlock& block) {
    out += QString(block.level <= 2 ? "\\section{%1}\n\n" : "\\subsection{%1}\n\n")
               .arg(latexText(block.text));
  }
  void operator()(const TextBlock& block) { out += latexText(block.text) + "\n\n"; }
  void operator()(const CodeBlock& block) {
    // Not verbatim: a long command line must break, and \end{verbatim} in a name must not end it.
    out += "\\begin{quote}\\ttfamily\\small\\raggedright\\sloppy " +
           latexText(block.text).replace("-{}-", "--") + "\\end{quote}\n\n";
  }
  void operator()(const TableBlock& block) {
    const bool wide = block.columns.size() == 2 && !block.numeric[1];  // facts: words that wrap
    QString form;
    for (std::size_t c = 0; c < block.columns.size(); ++c) form += block.numeric[c] ? 'r' : 'l';
    if (wide) form = "lp{0.7\\linewidth}";
    out += "\\begin{table}[htbp]\n\\centering\\small\n";
    if (!block.caption.isEmpty()) out += "\\caption{" + latexText(block.caption) + "}\n";
    if (!wide) out += "\\begin{adjustbox}{max width=\\linewidth}\n";
    out += "\\begin{tabular}{" + form + "}\n\\toprule\n";
    QStringList titles;
    for (const QString& title : block.columns) titles << latexText(title);
    out += titles.join(" & ") + " \\\\\n\\midrule\n";
    for (std::size_t r = 0; r < block.rows.size(); ++r) {
      QStringList cells;
      for (std::size_t c = 0; c < block.rows[r].size(); ++c) {
        const QString text = latexText(block.rows[r][c]);
        const bool strong = !block.strong.empty() && block.strong[r][c] && !text.isEmpty();
        cells << (strong ? "\\textbf{" + text + "}" : text);
      }
      out += cells.join(" & ") + " \\\\\n";
    }
    out += "\\bottomrule\n\\end{tabular}\n";
    if (!wide) out += "\\end{adjustbox}\n";
    if (!block.note.isEmpty()) {
      out += "\n\\smallskip\\parbox{\\linewidth}{\\footnotesize " + latexText(block.note) + "}\n";
    }
    out += "\\end{table}\n\n";
  }
  void operator()(const FigureBlock& block) {
    out += "\\begin{figure}[htbp]\n\\centering\n\\includegraphics[width=\\linewidth]{" + folder +
           "/" + block.id + ".pdf}\n\\caption{" + latexText(block.caption) + "}\n\\end{figure}\n\n";
  }
};

}  // namespace

QString latexText(const QString& text) {
  QString escaped;
  const QList<uint> points = text.toUcs4();
  for (qsizetype i = 0; i < points.size(); ++i) {
    const char32_t c = points[i];
    const auto found = replacements().constFind(c);
    if (found != replacements().cend()) {
      escaped += *found;
    } else if (c == U'-' && i + 1 < points.size() && points[i + 1] == U'-') {
      escaped += "-{}";  // "--option" must not become a dash
    } else if (c < 0x20) {
      continue;
    } else if (c <= 0x24f) {
      escaped += QChar(static_cast<char16_t>(c));
    } else {  // pdfLaTeX stops at a character it has no font for
      escaped += QString("[U+%1]").arg(static_cast<uint>(c), 4, 16, QChar('0')).toUpper();
    }
  }
  return escaped;
}

QString toLatex(const Document& document, const QString& figureFolder) {
  Writer writer{{}, figureFolder};
  for (const Block& block : document.blocks) std::visit(writer, block);
  return QString(R"(\documentclass[a4paper,11pt]{article}
\usepackage{iftex}
\ifPDFTeX
  \usepackage[T1]{fontenc}
  \usepackage[utf8]{inputenc}
  \usepackage{lmodern}
\else
  \usepackage{fontspec}
\fi
\usepackage{textcomp}
\usepackage[margin=25mm]{geometry}
\usepackage{graphicx}
\usepackage{booktabs}
\usepackage{adjustbox}
\title{%1}
\author{%2}
\date{%3}
\begin{document}
\maketitle

)")
             .arg(latexText(document.title), latexText(document.author), latexText(document.date)) +
         writer.out + "\\end{document}\n";
}

}  // namespace assay
