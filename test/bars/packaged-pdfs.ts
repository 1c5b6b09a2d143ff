/** Poppler's own order of reading, that in which the file draws its text, or that of lines over the whole page. */
export type Order = 'reading' | 'file' | 'page'

/** A PDF file that a package of Debian brings along. */
export interface PackagedPdf {
  readonly package: string
  /** From `/usr/share/`; packed where it ends in `.gz`. */
  readonly path: string
  /**
   * Where the text of a page begins and ends, in points from its top, for files whose heads change too often to be told by
   * their repeating: seen on the pages.
   */
  readonly body?: readonly [top: number, bottom: number]
  /** What the words of the reference are put in order by, where it is not the order that the file draws them in. */
  readonly order?: Order
  /** Lines of the reference that poppler itself has wrong, and how that was seen. */
  readonly wrong?: RegExp
}

/** The pages of dblatex. */
const DBLATEX = [55, 785] as const

const manual = (language: string): PackagedPdf => ({
  package: 'installation-guide-amd64',
  path: `doc/installation-guide-amd64/${language}/install.${language}.pdf.gz`,
  body: DBLATEX,
})

/**
 * Manuals, references with tables, papers in two columns, slides, letters; made by TeX, groff, FOP, Word and others; in Latin,
 * Greek, Cyrillic, Chinese, Japanese, Korean and Arabic letters.
 */
export const packagedPdfs: readonly PackagedPdf[] = [
  { package: 'r-doc-pdf', path: 'R/doc/manual/R-data.pdf' },
  { package: 'r-doc-pdf', path: 'R/doc/manual/R-FAQ.pdf' },
  { package: 'r-doc-pdf', path: 'R/doc/manual/R-intro.pdf' },
  { package: 'r-doc-pdf', path: 'R/doc/manual/R-lang.pdf' },
  { package: 'debian-reference-en', path: 'debian-reference/debian-reference.en.pdf', body: DBLATEX },
  { package: 'debian-reference-ja', path: 'debian-reference/debian-reference.ja.pdf', body: DBLATEX },
  { package: 'debian-reference-zh-cn', path: 'debian-reference/debian-reference.zh-cn.pdf', body: DBLATEX },
  { package: 'developers-reference', path: 'developers-reference/developers-reference.pdf' },
  { package: 'debian-policy', path: 'doc/debian-policy/policy.pdf.gz' },
  { package: 'debian-policy', path: 'doc/debian-policy/fhs/fhs-3.0.pdf.gz' },
  { package: 'debian-faq', path: 'doc/debian/FAQ/debian-faq.en.pdf.gz' },
  { package: 'debmake-doc', path: 'doc/debmake-doc/debmake-doc.de.pdf', body: DBLATEX },
  { package: 'debmake-doc', path: 'doc/debmake-doc/debmake-doc.ja.pdf', body: DBLATEX },
  { package: 'gnuplot-doc', path: 'doc/gnuplot/gnuplot.pdf' },
  { package: 'ghostscript-doc', path: 'doc/ghostscript/GS9_Color_Management.pdf' },
  { package: 'docbook-xsl-doc-pdf', path: 'doc/docbook-xsl-doc-pdf/doc/reference.pdf.gz' },
  { package: 'groff', path: 'doc/groff-base/examples/mom/mom-pdf.pdf.gz' },
  { package: 'groff', path: 'doc/groff-base/examples/mom/sample_docs.pdf.gz' },
  { package: 'groff', path: 'doc/groff-base/examples/mom/slide-demo.pdf.gz' },
  { package: 'groff', path: 'doc/groff-base/examples/mom/letter.pdf.gz' },
  { package: 'groff', path: 'doc/groff-base/pdf/automake.pdf.gz' },
  { package: 'groff', path: 'doc/groff-base/pdf/pdfmark.pdf.gz' },
  manual('de'),
  manual('ja'),
  manual('ko'),
  manual('ru'),
  manual('vi'),
  manual('zh_CN'),
  { package: 'texlive-publishers-doc', path: 'doc/texlive-doc/latex/acmart/samples/sample-sigconf.pdf' },
  { package: 'texlive-publishers-doc', path: 'doc/texlive-doc/latex/revtex4-1/sample/aps/apssamp.pdf' },
  { package: 'texlive-publishers-doc', path: 'doc/texlive-doc/latex/llncs/llncsdoc.pdf' },
  { package: 'texlive-lang-cjk', path: 'doc/texlive-doc/latex/cjkpunct/CJKpunct.pdf' },
  {
    package: 'texlive-lang-arabic',
    path: 'doc/texlive-doc/bibtex/alpha-persian/alpha-persian-p.userguide.pdf',
    // In the file's order poppler leaves the words of a line from left to right, as they are drawn.
    order: 'page',
  },
  // Of its Arabic fonts poppler reads half the letters as Latin ones: `ﻧA\\م` for نظام on the first page.
  { package: 'texlive-lang-arabic', path: 'doc/texlive-doc/latex/arabi/user_guide.pdf', wrong: /\p{Script=Arabic}/u },
  ...['en', 'ja', 'ru', 'zh_CN'].map((language) => ({
    package: 'debian-refcard',
    path: `doc/debian-refcard/refcard-${language}-a4.pdf.gz`,
  })),
]
