import { isHtmlType } from '../../../base/http/header-values.js'
import { isSuccessStatus } from '../../../base/http/statuses.js'
import { fileType, isNamedLikeFile, refuse, type ScopePlan } from '../../frontier/scope/scope.js'
import type { LedgerRow, UrlCandidate, Refusal } from '../../ledger/ledger.js'
import type { AttemptResult } from '../../page/attempt-page.js'

/** Files of one kind after which a crawl takes the name of the others for their type. */
const MAX_FILES_OF_KIND = 2
/** Files after which a crawl tries no further kind. */
const MAX_FILES = 20
/** Kinds that are recorded, so that a site cannot fill the memory. */
const MAX_KINDS = 1000

/**
 * Tries the links of a crawl that are named like files which hold no page: `/wiki/File:Pier.jpg` and `/package/chart.js` are pages.
 * The type of the answer decides. Links with one extension below one folder of a host are of one kind; after two files of a kind,
 * and no page, the others are refused by their names.
 */
export class FileTrials {
  readonly #scope: Pick<ScopePlan, 'readsImages' | 'readsFiles'>
  readonly #kinds = new Map<string, { pages: number; files: number }>()
  #files = 0

  /** @param scope tells whether images, or files of any type, are pages */
  constructor(scope: Pick<ScopePlan, 'readsImages' | 'readsFiles'>) {
    this.#scope = scope
  }

  /** Admits candidates that nothing but their names refuses, and whose kind is not known to be files. */
  permit(candidates: readonly UrlCandidate[], scope: ScopePlan, from: URL): UrlCandidate[] {
    return candidates.map((candidate) => {
      if (candidate.refused?.reason !== 'FILE_TYPE') return candidate
      const url = new URL(candidate.url)
      if (this.#isOfFiles(url)) return candidate
      const { refused: _, ...found } = candidate
      const { via, depth } = candidate
      const refused = refuse({ url, via, depth, from }, { ...scope, readsFiles: true })
      return refused ? { ...found, refused } : found
    })
  }

  /** True for a row whose name does not tell whether it is a page. */
  isUncertain({ url, via }: LedgerRow): boolean {
    const { readsImages, readsFiles = false } = this.#scope
    return !readsFiles && via !== 'seed' && isNamedLikeFile(new URL(url), readsImages)
  }

  /** Refuses a row right before its request, when its kind has turned out to be files. */
  refuse(row: LedgerRow): Refusal | undefined {
    if (!this.isUncertain(row)) return undefined
    const url = new URL(row.url)
    return this.#isOfFiles(url) ? refuseFile(url) : undefined
  }

  /**
   * Records what was at a URL whose name does not tell whether it is a page.
   *
   * @returns the refusal of one that is a file; as long as no page has such a name, also of one that is not there, or fails
   */
  judge(row: LedgerRow, { page, error }: AttemptResult): Refusal | undefined {
    if (!this.isUncertain(row)) return undefined
    const url = new URL(row.url)
    const { contentType, statusCode = 0 } = page?.document.metadata ?? {}
    const isThere = isSuccessStatus(statusCode)
    const isFile = page ? isThere && !isHtmlType(contentType) : error?.code === 'SCRAPE_UNSUPPORTED_FILE_ERROR'
    this.#note(url, isThere && !isFile)
    if (isFile) return refuseFile(url)
    if (isThere || this.#pagesOf(url) > 0) return undefined
    return refuseFile(url, page ? `answered ${statusCode}` : `failed with ${error?.code ?? 'an error'}`)
  }

  #note(url: URL, isPage: boolean): void {
    const kind = kindOf(url)
    const known = this.#kinds.get(kind)
    if (!known && this.#kinds.size >= MAX_KINDS) return
    const { pages, files } = known ?? { pages: 0, files: 0 }
    this.#kinds.set(kind, isPage ? { pages: pages + 1, files } : { pages, files: files + 1 })
    if (!isPage) this.#files += 1
  }

  #pagesOf(url: URL): number {
    return this.#kinds.get(kindOf(url))?.pages ?? 0
  }

  #isOfFiles(url: URL): boolean {
    const { pages, files } = this.#kinds.get(kindOf(url)) ?? { pages: 0, files: 0 }
    return pages === 0 && (files >= MAX_FILES_OF_KIND || this.#files >= MAX_FILES)
  }
}

/** Refuses a URL that is named like a file which holds no page. @param instead what came in place of its type */
const refuseFile = (url: URL, instead?: string): Refusal => ({
  reason: 'FILE_TYPE',
  message: `a .${fileType(url) ?? ''} file holds no page to read${instead === undefined ? '' : `; the request for it ${instead}`}`,
})

const kindOf = (url: URL): string => `${url.host}/${url.pathname.split('/', 2)[1] ?? ''} ${fileType(url) ?? ''}`
