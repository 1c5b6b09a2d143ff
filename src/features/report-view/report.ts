import type { Outcome, Via } from '../../kernel/ledger/ledger.js'
import {
  outcomes,
  type PackedBoilerplate,
  type PackedDocument,
  type PackedPage,
  type PackedReferrers,
  type PageStory,
  type ReportFacts,
  type ReportIndex,
  ROWS_PER_BLOCK,
  type RowStory,
  vias,
} from '../report/report-data.js'
import { parseJson } from '../../base/text/parse-json.js'
import { byId } from './dom.js'
import { foldText, printUrl } from './format.js'

/** Page of the job: a row of its ledger. */
export interface Page {
  readonly number: number
  readonly url: string
  readonly outcome: Outcome
  /** Skip reason or error code; empty for neither. */
  readonly reason: string
  readonly message: string
  readonly via: Via
  readonly depth: number
  readonly foundOn: number | string
  /** Milliseconds after the start of the job; -1 if it has not ended. */
  readonly endedMs: number
  /** Milliseconds; -1 without an attempt. */
  readonly attemptMs: number
  readonly fetcher: string
  /** -1 without an answer. */
  readonly statusCode: number
  readonly attempts: number
  readonly credits: number
  readonly finalUrl: string
  readonly duplicateOf: number | string
  readonly template: string
  /** Kinds of the warnings of its document. */
  readonly warnings: readonly string[]
  readonly title: string
  /** -1 without a document. */
  readonly words: number
  /** Place of its content; undefined without a document. */
  readonly content: readonly [part: number, block: number, place: number] | undefined
  /** URL as it is and as it is shown, and title, folded for the search. */
  readonly searched: string
}

/** All data of the report. */
export class Report {
  /** Hosts of which the job tried a page. All others are only linked to. */
  readonly ownHosts: ReadonlySet<string>
  readonly facts: ReportFacts
  readonly pages: readonly Page[]
  readonly referrers: ReadonlyMap<number, PackedReferrers>
  readonly orphans: readonly number[]
  readonly boilerplate: readonly PackedBoilerplate[]
  readonly #stories = new StoryReader()

  constructor() {
    this.facts = readData('facts') as ReportFacts
    const { texts, documents, referrers, orphans, boilerplate } = readData('index') as Omit<ReportIndex, 'pages'>
    const byPage = new Map(documents.map((document) => [document[0], document]))
    const packed = readData('pages') as readonly PackedPage[]
    this.pages = packed.map((page, number) => unpack(page, number, texts, byPage.get(number)))
    this.ownHosts = new Set(this.pages.flatMap((page) => (page.outcome === 'skipped' ? [] : hostOf(page))))
    this.referrers = new Map(referrers.map((entry) => [entry[0], entry]))
    this.orphans = orphans
    this.boilerplate = boilerplate
  }

  /** The page with a number; undefined for an URL, and for -1. */
  page(number: number | string): Page | undefined {
    return typeof number === 'number' ? this.pages[number] : undefined
  }

  /** Tests whether a page is of a host that the job was about. In a report without any, all are. */
  isOwn(page: Page): boolean {
    return this.ownHosts.size === 0 || this.ownHosts.has(hostOf(page))
  }

  /** Reads how a page was found, and what was decided; undefined in a file that has contents only. */
  async readRow({ number }: Page): Promise<RowStory | undefined> {
    if (this.facts.part) return undefined
    return (await this.#stories.read('row', Math.floor(number / ROWS_PER_BLOCK), number % ROWS_PER_BLOCK)) as RowStory
  }

  /** Reads the content of a page; undefined if it has none, or it is in another file. */
  async readContent({ content }: Page): Promise<PageStory | undefined> {
    if (!content || content[0] !== 0) return undefined
    return (await this.#stories.read('page', content[1], content[2])) as PageStory
  }
}

/** Reads the host of a page, with its port. */
const hostOf = ({ url }: Page): string => /^[a-z]+:\/\/(?:[^/@]*@)?([^/?#]*)/i.exec(url)?.[1]?.toLowerCase() ?? ''

const readData = (id: string): unknown => parseJson(byId(id).textContent)

function unpack(page: PackedPage, number: number, texts: readonly string[], document?: PackedDocument): Page {
  const [url, outcome, reason, message, via, depth, foundOn, endedMs, attemptMs, fetcher, ...more] = page
  const [statusCode, attempts, credits, finalUrl, duplicateOf, template, warnings] = more
  const [, title = '', words = -1, ...content] = document ?? []
  return {
    number,
    url,
    outcome: outcomes[outcome] ?? 'done',
    reason: texts[reason] ?? '',
    message: texts[message] ?? '',
    via: vias[via] ?? 'link',
    depth,
    foundOn,
    endedMs,
    attemptMs,
    fetcher: texts[fetcher] ?? '',
    statusCode,
    attempts,
    credits,
    finalUrl,
    duplicateOf,
    template: texts[template] ?? '',
    warnings: warnings.map((warning) => texts[warning] ?? ''),
    title,
    words,
    content: document && (content as [number, number, number]),
    searched: foldText(`${url} ${url.includes('%') ? printUrl(url) : ''} ${title}`),
  }
}

/** Blocks that are kept decompressed. */
const MAX_BLOCKS = 8

/** Reads values out of the compressed blocks of the report. */
class StoryReader {
  readonly #blocks = new Map<string, Promise<readonly unknown[]>>()

  /** Reads a value. @throws Error for one that the file does not have */
  async read(kind: 'row' | 'page', block: number, place: number): Promise<unknown> {
    const id = `${kind}-${block}`
    const known = this.#blocks.get(id) ?? readBlock(id)
    // The newest one is last.
    this.#blocks.delete(id)
    this.#blocks.set(id, known)
    const [oldest] = this.#blocks.keys()
    if (this.#blocks.size > MAX_BLOCKS && oldest !== undefined) this.#blocks.delete(oldest)
    return (await known)[place]
  }
}

async function readBlock(id: string): Promise<readonly unknown[]> {
  const element = await findElement(id)
  const bytes = Uint8Array.from(atob(element.textContent), (character) => character.charCodeAt(0))
  const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'))
  return parseJson(await new Response(plain).text()) as readonly unknown[]
}

/** Finds the element of a block. While the file is read, its last element may lack a part of its text. */
async function findElement(id: string): Promise<Element> {
  if (document.readyState === 'loading' && !document.getElementById(id)?.nextElementSibling) {
    await new Promise((resolve) => document.addEventListener('DOMContentLoaded', resolve, { once: true }))
  }
  const found = document.getElementById(id)
  if (!found) throw new Error(`this file is not complete: it has no block ${id}`)
  return found
}
