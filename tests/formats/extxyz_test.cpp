// Extended XYZ: a real file, comment lines as people write them, round trips, refusals by line.
#include "core/formats/extxyz.h"

#include "core/formats/extxyz_comment.h"
#include "formats/support.h"

using namespace assay;

class ExtxyzTest : public QObject {
  Q_OBJECT
 private slots:
  void reads_water() {
    const auto frames = read_extxyz(test::data("molecules/water10.extxyz"));
    QCOMPARE(frames.size(), std::size_t{10});
    const MoleculeFrame& first = frames.front();
    QVERIFY(first.symbols == (std::vector<std::string>{"O", "H", "H"}));
    QCOMPARE(first.positions[0][1], -0.02261899);
    QCOMPARE(first.forces[0][2], 5.17704568);
    QCOMPARE(first.energy.value(), -2075.09870944);
    QVERIFY(!first.lattice);
    QCOMPARE(first.info.at("pbc"), std::string("F F F"));
    QCOMPARE(first.info.at("config_type"), std::string("rattle"));
    for (const auto& frame : frames) {  // no net force on an isolated molecule
      for (std::size_t axis = 0; axis < 3; ++axis)
        QVERIFY(std::abs(frame.forces[0][axis] + frame.forces[1][axis] + frame.forces[2][axis]) <
                1e-2);
    }
  }

  void reads_what_it_wrote() {
    MoleculeFrame frame;
    frame.symbols = {"C", "H"};
    frame.positions = {{0.1, -1e-17, 3}, {1.0 / 3, 2, 1e10}};
    frame.forces = {{1, 2, 3}, {-4, 5.5, 6}};
    frame.lattice = {{{10, 0, 0}, {0, 11, 0}, {0.5, 0, 12}}};
    frame.energy = -0.1;
    frame.info = {
        {"note", "two words, \"quoted\" = \\ here"}, {"empty", ""}, {"n", "3"}, {"lines", "a\nb"}};
    MoleculeFrame bare;
    bare.symbols = {"He"};
    bare.positions = {{1, 2, 3}};
    const auto again = parse_extxyz(to_extxyz({frame, bare}), "memory");
    QCOMPARE(again.size(), std::size_t{2});
    QVERIFY(again[0].symbols == frame.symbols);
    QVERIFY(again[0].positions == frame.positions);
    QVERIFY(again[0].forces == frame.forces);
    QVERIFY(again[0].lattice == frame.lattice);
    QCOMPARE(again[0].energy.value(), -0.1);
    QVERIFY(again[0].info == frame.info);
    QVERIFY(again[1].forces.empty() && !again[1].energy && again[1].info.empty());
    QTemporaryDir folder;
    for (const char* name : {"m.extxyz", "m.extxyz.gz"}) {
      const std::filesystem::path path = folder.filePath(name).toStdString();
      write_extxyz(path, {frame});
      QVERIFY(read_extxyz(path)[0].positions == frame.positions);
    }
  }

  void takes_plain_xyz_and_odd_layouts() {
    const auto plain = parse_extxyz("2\r\nit's a comment\r\nH 0 0 0 \r\nH 0 0 0.74\r\n\r\n\n", "t");
    QCOMPARE(plain[0].positions[1][2], 0.74);
    QVERIFY(plain[0].info.empty());
    const auto odd = parse_extxyz(
        "1\nProperties=pos:R:3:charge:R:1:species:S:1:force:R:3 tag={a b} flag energy=+2\n"
        "1 2 3 0.5 Na 7 8 9\n",
        "t");
    QVERIFY(odd[0].symbols == (std::vector<std::string>{"Na"}));
    QCOMPARE(odd[0].forces[0][0], 7.0);
    QCOMPARE(odd[0].energy.value(), 2.0);
    QCOMPARE(odd[0].info.at("tag"), std::string("a b"));
    QCOMPARE(odd[0].info.at("flag"), std::string("T"));
  }

  void refuses_with_the_line() {
    const auto kind = ErrorKind::unreadable;
    ASSAY_REFUSED(parse_extxyz("", "m.xyz"), kind, {"m.xyz", "no frame"});
    ASSAY_REFUSED(parse_extxyz("two\n\nH 0 0 0\n", "m.xyz"), kind, {"m.xyz: line 1", "\"two\""});
    ASSAY_REFUSED(parse_extxyz("0\n\n", "m.xyz"), kind, {"line 1", "\"0\""});
    ASSAY_REFUSED(parse_extxyz("-3\n\n", "m.xyz"), kind, {"line 1"});
    ASSAY_REFUSED(parse_extxyz("4000000000\n\nH 0 0 0\n", "m.xyz"), kind,
                  {"line 1", "4000000000 atoms do not fit"});
    ASSAY_REFUSED(parse_extxyz("1\n\nH 0 0 0\n1\n", "m.xyz"), kind, {"line 4", "do not fit"});
    ASSAY_REFUSED(parse_extxyz("1\n\nH 0 0 0\n\n2\nxxxxxxxx\nH 0.0000 0 0\n", "m.xyz"), kind,
                  {"line 8", "the text ends"});
    ASSAY_REFUSED(parse_extxyz("1\n\nH 0 zero 0\n", "m.xyz"), kind,
                  {"line 3", "\"zero\" is no number"});
    ASSAY_REFUSED(parse_extxyz("1\n\nH 0 nan 0\n", "m.xyz"), kind, {"line 3", "nan"});
    ASSAY_REFUSED(parse_extxyz("1\n\nHydrogen 0 0\n", "m.xyz"), kind,
                  {"line 3", "3 columns, 4 are needed"});
    ASSAY_REFUSED(parse_extxyz("1\nProperties=species:S\nH 0 0 0\n", "m.xyz"), kind,
                  {"line 2", "Properties"});
    ASSAY_REFUSED(parse_extxyz("1\nProperties=species:S:1\nH 0 0 0\n", "m.xyz"), kind, {"lacks"});
    ASSAY_REFUSED(parse_extxyz("1\nLattice=\"1 0 0\"\nH 0 0 0\n", "m.xyz"), kind, {"nine numbers"});
    ASSAY_REFUSED(parse_extxyz("1\nenergy=low\nH 0 0 0\n", "m.xyz"), kind, {"energy \"low\""});
    ASSAY_REFUSED(read_extxyz("/nowhere/m.xyz"), ErrorKind::not_found, {"/nowhere/m.xyz"});
    MoleculeFrame frame;
    frame.symbols = {"H"};
    ASSAY_REFUSED(to_extxyz({frame}), ErrorKind::bad_input, {"1 atoms", "0 positions"});
  }
};

QTEST_APPLESS_MAIN(ExtxyzTest)
#include "extxyz_test.moc"
