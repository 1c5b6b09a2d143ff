import type { TermCounts } from '../relevance/relevance-model.js'

/** A search index that a site ships for its own search box, as a page names it. Plain data. */
export interface SiteIndexFiles extends IndexFiles {
  /** Name of its format: a file of `src/features/goal/site-search/indexes/`. */
  readonly format: string
}

/** Files of a search index. */
export interface IndexFiles {
  /** URL that the paths in the index are relative to. It ends with a slash. */
  readonly root: string
  /** URLs of its files. */
  readonly files: readonly string[]
  /** End of the URLs of pages that the index names without it. @default none */
  readonly suffix?: string
}

/** Parts of a page that name a search index. */
export interface IndexMarkup {
  /** URLs of the scripts, without query. */
  readonly scripts: readonly string[]
  /** Beginnings of the scripts that are written in the page. */
  readonly inline: readonly string[]
  /** URLs of search pages and lists of keywords that the page names. */
  readonly searchPages: readonly string[]
  /** Attributes of the elements that hold the settings of the site's scripts, by their ids or names: `rustdoc-vars`. */
  readonly settings: ReadonlyMap<string, Readonly<Record<string, string>>>
  /** Resolves a reference of the page; undefined if it is not a URL. */
  readonly resolve: (reference: string) => string | undefined
}

/** A file of an index. */
export interface IndexFile {
  readonly url: string
  readonly text: string
}

/** Fields of a page that an index has words of. */
export type IndexField = 'title' | 'section' | 'text'

/** Receiver of what an index says about its pages. Values are checked here, because an index may hold anything. */
export interface IndexSink {
  /** Adds a page, or finds it. @param path relative to the root @returns its number; undefined where there are too many pages */
  page(path: unknown): number | undefined
  /** Adds a text of a page. A section, or its title, is a text of its own. */
  add(page: number | undefined, field: IndexField, text: unknown): void
  /**
   * Adds a stem that pages have.
   *
   * @param field `section` for a stem in any title of the page
   * @param listPages lists the numbers of the pages; called for a stem of a word of the goal only
   */
  addStem(stem: string, field: 'section' | 'text', listPages: () => Iterable<number | undefined>): void
  /** States that the index has the pages of a folder, where it does not have all pages below its root. @param path relative to the root */
  addFolder(path: string): void
}

/** Format of search indexes. A plug-in of `src/features/goal/site-search/indexes/`. */
export interface SiteIndexFormat {
  /** Finds the index that a page names. */
  find(markup: IndexMarkup): IndexFiles | undefined
  /** Reads an index. @throws SyntaxError for a file that cannot be read */
  read(files: readonly IndexFile[], index: SiteIndexFiles, sink: IndexSink): void
}

/** A page that an index finds for a goal. */
export interface IndexedPage {
  readonly url: string
  /** Fitness of the page for the goal, from 0 to 1. */
  readonly score: number
  /** Its title in the index; empty if there is none. */
  readonly title: string
}

/** Answer of an index to a goal. Plain data. */
export interface IndexAnswer {
  /** Pages with words of the goal, best first. */
  readonly found: readonly IndexedPage[]
  /** URLs of the folders that the index has the pages of. @default its root */
  readonly folders?: readonly string[]
  /** Pages with each term of the goal. Absent where the index has names and titles only. */
  readonly counts?: TermCounts
}

/** Limits of reading indexes. */
export const indexLimits = {
  /** Maximum size of all files of an index. Bytes. The index of the Linux kernel's manual has 15 MB. */
  bytes: 32 * 1024 * 1024,
  /** Maximum number of files of an index. */
  files: 6,
  /** Maximum number of pages in an index. */
  pages: 200_000,
  /** Maximum number of pages that an answer has. */
  found: 5000,
  /** Maximum number of folders that an index names. Each link of the crawl is compared with them. */
  folders: 100,
  /** Maximum length of a path, a name or a title. Characters. */
  name: 500,
  /** Maximum depth of a value that is no JSON. */
  depth: 40,
} as const
