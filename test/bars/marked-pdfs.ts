/** A page of a packaged file, with what is on it by eye: marked from its picture, not from what the reader says. */
export interface MarkedPage {
  /** From `/usr/share/`. */
  readonly path: string
  /** From 1. */
  readonly page: number
  /** Its headings from the top, and how deep each is: 1 for the highest on the page. */
  readonly headings: readonly (readonly [depth: number, text: string])[]
  /** Lines that may be taken for headings and are none of the text's own: names of boxes, captions. */
  readonly others?: readonly string[]
  /** Its tables: rows with the head, and columns. */
  readonly tables: readonly (readonly [rows: number, columns: number])[]
}

const manual = (language: string): string => `doc/installation-guide-amd64/${language}/install.${language}.pdf.gz`
const REVTEX = 'doc/texlive-doc/latex/revtex4-1/sample/aps/apssamp.pdf'
const SIGCONF = 'doc/texlive-doc/latex/acmart/samples/sample-sigconf.pdf'
const REFERENCE = 'debian-reference/debian-reference.en.pdf'

export const markedPages: readonly MarkedPage[] = [
  {
    path: REFERENCE,
    page: 33,
    headings: [
      [1, '1.1.11 An extra user account'],
      [1, '1.1.12 sudo configuration'],
    ],
    others: ['Warning', 'Caution'],
    tables: [[7, 4]],
  },
  {
    path: REFERENCE,
    page: 45,
    headings: [
      [1, '1.3.1 Customization of MC'],
      [1, '1.3.2 Starting MC'],
      [1, '1.3.3 File manager in MC'],
      [1, '1.3.4 Command-line tricks in MC'],
    ],
    others: ['Note'],
    tables: [[10, 2]],
  },
  {
    path: 'debian-reference/debian-reference.ja.pdf',
    page: 39,
    headings: [[1, '1.2.5 ユーザーのグループ (group) のパーミッション']],
    others: ['ティップ', '注意'],
    tables: [
      [3, 4],
      [9, 2],
    ],
  },
  {
    path: REVTEX,
    page: 1,
    headings: [
      [1, 'Manuscript Title: with Forced Linebreak'],
      [2, 'I. FIRST-LEVEL HEADING: THE LINE BREAK WAS FORCED via \\\\'],
      [3, 'A. Second-level heading: Formatting'],
      [4, '1. Wide text (A level-3 head)'],
      [3, 'B. Citations and References'],
      [4, '1. Citations'],
    ],
    tables: [],
  },
  {
    path: REVTEX,
    page: 5,
    headings: [],
    tables: [
      [7, 5],
      [4, 5],
      [12, 8],
    ],
  },
  {
    path: SIGCONF,
    page: 3,
    headings: [
      [1, '8 CCS CONCEPTS AND USER-DEFINED KEYWORDS'],
      [1, '9 SECTIONING COMMANDS'],
      [1, '10 TABLES'],
      [1, '11 MATH EQUATIONS'],
      [2, '11.1 Inline (In-text) Equations'],
      [2, '11.2 Display Equations'],
    ],
    others: ['Table 1: Frequency of Special Characters'],
    tables: [[5, 3]],
  },
  {
    path: SIGCONF,
    page: 4,
    headings: [
      [1, '12 FIGURES'],
      [2, '12.1 The “Teaser Figure”'],
      [1, '13 CITATIONS AND BIBLIOGRAPHIES'],
    ],
    others: ['Table 2: Some Typical Commands'],
    tables: [[4, 3]],
  },
  {
    path: manual('de'),
    page: 24,
    headings: [
      [1, '3.3.2 Quellen für Hardware-Informationen finden'],
      [1, '3.3.3 Hardware-Kompatibilität'],
    ],
    tables: [[10, 2]],
  },
  {
    path: manual('ru'),
    page: 23,
    headings: [
      [2, '3.3.1.2 Техническая документация'],
      [1, '3.3.2 Поиск источников технической информации'],
      [1, '3.3.3 Совместимость аппаратного обеспечения'],
    ],
    tables: [[10, 2]],
  },
  {
    path: manual('ko'),
    page: 24,
    headings: [
      [1, '2.4.2 USB 메모리'],
      [1, '2.4.3 네트워크'],
      [1, '2.4.4 하드디스크'],
      [1, '2.4.5 유닉스 계열 혹은 GNU 시스템'],
      [1, '2.4.6 지원하는 저장 장치'],
    ],
    tables: [],
  },
  { path: 'doc/debian-policy/policy.pdf.gz', page: 20, headings: [[1, '2.4 Sections']], tables: [] },
  {
    path: 'doc/debian-policy/fhs/fhs-3.0.pdf.gz',
    page: 12,
    headings: [
      [1, '3.4. /bin : Essential user command binaries (for use by all users)'],
      [2, '3.4.1. Purpose'],
      [2, '3.4.2. Requirements'],
    ],
    tables: [[25, 2]],
  },
  {
    path: 'doc/gnuplot/gnuplot.pdf',
    page: 100,
    headings: [
      [1, 'For'],
      [1, 'Import'],
    ],
    tables: [],
  },
  {
    path: 'R/doc/manual/R-intro.pdf',
    page: 20,
    headings: [
      [1, '3 Objects, their modes and attributes'],
      [2, '3.1 Intrinsic attributes: mode and length'],
    ],
    tables: [],
  },
  {
    path: 'doc/texlive-doc/latex/llncs/llncsdoc.pdf',
    page: 3,
    headings: [[1, '3.3 Affiliations']],
    tables: [],
  },
  { path: 'doc/ghostscript/GS9_Color_Management.pdf', page: 9, headings: [], tables: [] },
  {
    path: 'doc/debian-refcard/refcard-en-a4.pdf.gz',
    page: 1,
    headings: [
      [2, 'Dpkg'],
      [2, 'The Network'],
      [2, 'Legal Notice'],
      [1, 'Debian Reference Card'],
      [2, 'Getting Help'],
      [2, 'Installation'],
      [2, 'Bugs'],
    ],
    tables: [
      [3, 2],
      [5, 2],
      [6, 2],
      [4, 2],
      [2, 2],
    ],
  },
  {
    path: 'debian-reference/debian-reference.zh-cn.pdf',
    page: 60,
    headings: [[1, '1.6.5 从文本文件的表格中提取数据']],
    others: ['提示', '注意'],
    tables: [],
  },
  {
    path: manual('vi'),
    page: 30,
    headings: [
      [2, '4.5.1.1 Bật khả năng khởi động PXE trong cấu hình DHCP'],
      [1, '4.5.2 Thiết lập trình phục vụ BOOTP'],
    ],
    tables: [],
  },
  {
    path: 'developers-reference/developers-reference.pdf',
    page: 40,
    headings: [[1, '5.5.1 Special case: uploads to the stable and oldstable distributions']],
    tables: [],
  },
  {
    path: 'R/doc/manual/R-data.pdf',
    page: 12,
    headings: [
      [1, '2 Spreadsheet-like data'],
      [2, '2.1 Variations on read.table'],
    ],
    others: ['1. Encoding', '2. Header line', '3. Separator', '4. Quoting'],
    tables: [],
  },
  {
    path: 'doc/groff-base/examples/mom/mom-pdf.pdf.gz',
    page: 6,
    headings: [
      [2, '4.2. Suspending/disabling collection of outline entries'],
      [2, '4.3. The PDF window title'],
      [1, '5. Tables of Contents'],
      [2, '5.1. Generating a Table of Contents'],
      [2, '5.2. Positioning the Table of Contents'],
    ],
    tables: [],
  },
  {
    path: 'doc/debmake-doc/debmake-doc.de.pdf',
    page: 30,
    headings: [],
    others: ['Warning', 'Note'],
    tables: [],
  },
]
