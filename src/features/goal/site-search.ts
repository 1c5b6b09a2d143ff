import type { IndexAnswer, SiteIndexFiles } from './site-search/site-index.js'

/** Maximum number of search indexes of a crawl: each book of a site may have its own. */
const MAX_INDEXES = 20

/** Knows what the search indexes and the search page of a crawl's site say about its pages. */
export class SiteSearch {
  readonly #files = new Set<string>()
  /** Folders that the indexes have the pages of. */
  readonly #folders: string[] = []
  /** Scores of pages, by their keys. */
  readonly #scores = new Map<string, number>()

  /** Notes an index that is to be read. @returns false for one that was noted before, and where there are too many */
  note({ files: [file] }: SiteIndexFiles): boolean {
    if (file === undefined || this.#files.has(file) || this.#files.size >= MAX_INDEXES) return false
    this.#files.add(file)
    return true
  }

  /** Adds what an index says. */
  add({ root }: SiteIndexFiles, { found, folders = [root] }: IndexAnswer, keyOf: (url: string) => string): void {
    this.#folders.push(...folders)
    this.addFound(found, keyOf)
  }

  /** Adds pages that a search page finds. It says nothing about the others, because it does not list all that it knows. */
  addFound(found: readonly { readonly url: string; readonly score: number }[], keyOf: (url: string) => string): void {
    for (const { url, score } of found) {
      const key = keyOf(url)
      this.#scores.set(key, Math.max(score, this.#scores.get(key) ?? 0))
    }
  }

  /**
   * Fitness of a page for the goal, from 0 to 1.
   *
   * @returns 0 for a page in a folder of an index that does not find it; undefined for one that no index has
   */
  scoreOf(key: string, url: string): number | undefined {
    return this.#scores.get(key) ?? (this.#folders.some((folder) => url.startsWith(folder)) ? 0 : undefined)
  }
}
