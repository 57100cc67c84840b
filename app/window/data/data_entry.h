// One data set or weight file, and what a look at it says.
#pragma once

#include <QImage>
#include <QString>
#include <QStringList>

namespace assay {

struct DataEntry {
  QString title;
  QString path;  // empty: no place known
  QString licence;
  QString help;
  QString howToGet;    // when missing
  QStringList papers;  // titles of those that name it or used it
  QString checksum;    // as recorded by a run; empty: none
  bool added = false;  // by the user: can be taken out of the list
};

// From a look at the files; made off the window's thread.
struct DataFacts {
  bool exists = false;
  QString kind;  // "IDX images", "folder of images", "weights", ...
  std::uint64_t bytes = 0;
  QString count;    // "70,000 images of 28 x 28, 10 classes"
  QString problem;  // it is there but can't be read: why
  QImage preview;   // a sheet of images, or null
  QString details;  // weights: names and shapes
};

DataFacts lookAt(const QString& path);
// SHA-256 of a file; of a folder, over the names, sizes and contents of its files in order.
QString checksumOf(const QString& path);

}  // namespace assay
