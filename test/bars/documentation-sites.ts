/** Documentation that lies on this machine, and what its own mark-up says its parts are. Selectors are of CSS. */
export interface DocumentationSite {
  /** Debian's package, and the part of it where there are several. */
  readonly name: string
  /** What wrote the pages. */
  readonly generator: string
  readonly folder: string
  /** The parts that are what the page is about. */
  readonly main: string
  /** What lies in the main part and is neither content nor menu: signs, buttons, line numbers. */
  readonly apart?: string
  /** Ways to other places, which every page has. */
  readonly menus: string
  /** Code blocks. @default `pre` */
  readonly code?: string
}

const rust = '/usr/share/doc/rust-doc/html'
const mdBook = {
  generator: 'mdBook',
  main: 'main',
  apart: '.buttons, .fa',
  menus: '#sidebar, .menu-bar, .nav-wrapper, .nav-wide-wrapper',
} as const
const sphinx = {
  generator: 'Sphinx',
  main: 'div.body',
  apart: 'a.headerlink, a.viewcode-link, .copybutton, .linenos',
  menus: '.related, .sphinxsidebar, .mobile-nav, .footer',
} as const

/** In a part of the zsh site that another generator has written: the list over and under each chapter of its questions. */
const chapterList = 'body > ul:has(> li > a:contains("Previous Chapter"), > li > a:contains("Next Chapter"))'

/** On the two entry pages of the SQLite site: short ways into it, in a box at the side and, for small screens, once more at the end. */
const commonLinks = 'div:has(> h3:contains("Common Links"))'

/** Under the newest of its news: the way to the page on which they go on. */
const olderNews = 'body > a:contains("Old news...")'

/** Twelve generators, and a site made by hand. */
export const documentationSites: readonly DocumentationSite[] = [
  { name: 'python3-doc', folder: '/usr/share/doc/python3.11/html', ...sphinx },
  { name: 'python-werkzeug-doc', folder: '/usr/share/doc/python-werkzeug-doc/html', ...sphinx },
  {
    name: 'postgresql-doc-15',
    generator: 'DocBook',
    folder: '/usr/share/doc/postgresql-doc-15/html',
    main: 'body',
    apart: '.navheader, .navfooter, .id_link',
    menus: '.navheader, .navfooter',
  },
  {
    name: 'openjdk-17-doc',
    generator: 'javadoc',
    folder: '/usr/share/doc/openjdk-17-jre-headless/api',
    main: 'main',
    apart: '.table-tabs, .copy',
    menus: 'header[role=banner], footer, nav',
  },
  {
    name: 'rust-doc: std',
    generator: 'rustdoc',
    folder: `${rust}/std`,
    main: '#main-content',
    apart: '.test-arrow, .anchor, .srclink, #copy-path, #toggle-all-docs, .tooltip, .hideme, .notable-traits',
    menus: 'nav, .sub',
  },
  { name: 'rust-doc: book', folder: `${rust}/book`, ...mdBook },
  { name: 'rust-doc: reference', folder: `${rust}/reference`, ...mdBook },
  {
    name: 'libeigen3-doc',
    generator: 'Doxygen',
    folder: '/usr/share/doc/libeigen3-dev/html',
    main: '.headertitle > .title, .contents',
    apart: '.ingroups, .permalink, .lineno, .ttc, .dynheader, .dyncontent, .levels, .arrow, .icon',
    menus: '#top, #side-nav, .header > .summary, .ingroups, #nav-path',
    code: 'pre, .fragment',
  },
  {
    name: 'libglib2.0-doc',
    generator: 'gtk-doc',
    folder: '/usr/share/gtk-doc/html/gio',
    main: 'body',
    apart: 'table.navigation, .footer, .listing_lines',
    menus: 'table.navigation, .footer',
  },
  {
    name: 'git-doc',
    generator: 'AsciiDoc',
    folder: '/usr/share/doc/git-doc',
    main: 'body',
    apart: '#footer',
    menus: '#footer',
  },
  {
    name: 'zsh-doc',
    generator: 'Texinfo',
    folder: '/usr/share/doc/zsh-common/html',
    main: 'body',
    apart: `table.header, ${chapterList}, a.summary-letter, font[size="-1"]`,
    menus: `table.header, ${chapterList}`,
  },
  {
    name: 'mkdocs-doc',
    generator: 'MkDocs',
    folder: '/usr/share/doc/mkdocs/html',
    main: '[role=main]',
    apart: '.headerlink',
    menus: '.navbar, .bs-sidebar, .modal, footer',
  },
  {
    name: 'apache2-doc',
    generator: 'a style sheet of its own',
    folder: '/usr/share/doc/apache2-doc/manual/en',
    main: '#page-content, body#manual-page, body#index-page',
    apart:
      '#page-header, .up, #path, .toplang, .bottomlang, .top, .permalink, #quickview, #footer, .comments, #comments_section',
    menus: '#page-header, #path, .toplang, .bottomlang, #footer',
    // Older chapters set listings as lines of a paragraph.
    code: 'pre, p > code:has(> br)',
  },
  {
    name: 'sqlite3-doc',
    generator: 'hands',
    folder: '/usr/share/doc/sqlite3',
    main: 'body',
    // Under one page of four: when it was last changed, with a link that is a trap for robots until a script makes it another.
    apart: `.nosearch, p:has(> small #mtimelink), ${commonLinks}, ${olderNews}`,
    menus: `.menu, .searchmenu, .tagline, ${commonLinks}, ${olderNews}`,
  },
]
