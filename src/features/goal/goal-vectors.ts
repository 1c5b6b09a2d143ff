import { RecentMap } from '../../base/collections/recent-map.js'
import { messageOf } from '../../base/errors.js'
import type { FoundLink } from '../../content/extract/extracted-page.js'
import type { Embedder } from '../../base/llm/embedder.js'
import { wordsAt } from './goal-reader.js'
import type { PageWords } from './relevance/goal-matcher.js'

/** Maximum number of links of a page whose texts are embedded: the first ones that were not embedded before. */
const MAX_LINKS = 256
/** Texts whose nearness is cached, because the pages of a site share their menus. */
const MAX_CACHED_TEXTS = 20_000
/** Maximum length of the words of a URL. Characters. */
const MAX_URL_WORDS = 100
/** Standard deviations above the mean up to which a cosine is no sign of an answer. */
const UNRELATED = 2
/** Standard deviations above the mean from which a cosine is a full sign of an answer. */
const ANSWERING = 6
/** Standard deviation below which cosines are taken for equal: they are sums of 32-bit numbers. */
const MIN_DEVIATION = 1e-6
/** Pages in a row whose texts could not be embedded, after which no more texts are. */
const MAX_FAILURES = 5

/** Parts of a job that the vectors are computed with. */
export interface VectorParts {
  readonly embedder: Embedder
  readonly signal: AbortSignal
  /** Warnings of the job. */
  warn(message: string): void
}

/**
 * Compares the meaning of pages and links with that of a goal, by vectors. Models differ in which cosines they give to
 * unrelated texts, and in how far these scatter. Cosines are therefore measured in standard deviations above the mean of the texts
 * so far. A text that merely belongs to the better half of a site says nothing about an answer, and is worth 0.
 *
 * The values depend on nothing but the texts, and the order of the pages.
 */
export class GoalVectors {
  readonly #goal: string
  readonly #parts: VectorParts
  readonly #cosines = new RecentMap<string, number>(MAX_CACHED_TEXTS)
  readonly #ofLinks = new CosineScale()
  readonly #ofPages = new CosineScale()
  #goalVector: Float32Array | undefined
  /** Pages since the last vector whose texts could not be embedded. */
  #failures = 0
  #hasWarned = false

  /** @param goal as the caller wrote it */
  constructor(goal: string, parts: VectorParts) {
    this.#goal = goal
    this.#parts = parts
  }

  /**
   * Embeds the texts of a page and its links. When that fails, the page is compared by words, with a warning; when it fails for
   * several pages in a row, the rest of the crawl is.
   *
   * @returns the nearness of the page to the goal, from 0 to 1; undefined without a vector
   */
  async read({ text = '' }: PageWords, links: readonly FoundLink[]): Promise<number | undefined> {
    if (this.#hasEnded) return undefined
    const linkTexts = [...new Set(links.map(describeLink))].filter(
      (one) => one !== '' && this.#cosines.get(one) === undefined,
    )
    const texts = linkTexts.slice(0, MAX_LINKS)
    try {
      const [page, ...others] = await this.#compare([text, ...texts])
      for (const [at, one] of texts.entries()) {
        const cosine = others[at] ?? 0
        this.#cosines.set(one, cosine)
        this.#ofLinks.add(cosine)
      }
      if (text === '' || page === undefined) return undefined
      this.#ofPages.add(page)
      return this.#ofPages.scale(page)
    } catch (error) {
      if (this.#parts.signal.aborted) return undefined
      this.#noteFailure(messageOf(error))
      return undefined
    }
  }

  /** Nearness of a link of the last page to the goal, from 0 to 1; undefined if its text has no vector. */
  nearnessOf(link: DescribedLink): number | undefined {
    const cosine = this.#hasEnded ? undefined : this.#cosines.get(describeLink(link))
    return cosine === undefined ? undefined : this.#ofLinks.scale(cosine)
  }

  get #hasEnded(): boolean {
    return this.#failures >= MAX_FAILURES
  }

  /** Warns of the first failure, and of the one that ends the vectors: messages may differ each time. */
  #noteFailure(message: string): void {
    this.#failures += 1
    const { warn } = this.#parts
    if (!this.#hasWarned) warn(`Some pages are compared by the words of the \`goal\` alone: ${message}.`)
    this.#hasWarned = true
    if (this.#hasEnded) warn(`The crawl goes on by the words of the \`goal\` alone: ${message}.`)
  }

  /** Compares texts with the goal. @returns their cosines; of an empty text, 0 */
  async #compare(texts: readonly string[]): Promise<number[]> {
    const { embedder, signal } = this.#parts
    this.#goalVector ??= (await embedder.embed([this.#goal], { purpose: 'query', signal }))[0]
    const asked = texts.filter((text) => text !== '')
    const vectors = await embedder.embed(asked, { purpose: 'passage', signal })
    if (asked.length > 0) this.#failures = 0
    const cosines = vectors.map((vector) => multiply(vector, this.#goalVector ?? vector))
    let at = 0
    return texts.map((text) => (text === '' ? 0 : (cosines[at++] ?? 0)))
  }
}

type DescribedLink = { readonly url: string; readonly text: string; readonly found?: unknown }

/** Mean and standard deviation of the cosines so far. */
class CosineScale {
  #count = 0
  #sum = 0
  #sumOfSquares = 0

  add(cosine: number): void {
    this.#count += 1
    this.#sum += cosine
    this.#sumOfSquares += cosine * cosine
  }

  /** @returns 0 up to {@link UNRELATED} standard deviations above the mean, 1 from {@link ANSWERING} on, in between in proportion */
  scale(cosine: number): number {
    const mean = this.#sum / this.#count
    const deviation = Math.sqrt(Math.max(0, this.#sumOfSquares / this.#count - mean * mean))
    if (!(deviation > MIN_DEVIATION)) return 0
    return Math.min(1, Math.max(0, ((cosine - mean) / deviation - UNRELATED) / (ANSWERING - UNRELATED)))
  }
}

/** Product of two vectors; of unit vectors, their cosine. */
function multiply(one: Float32Array, other: Float32Array): number {
  let sum = 0
  for (let at = 0; at < one.length; at += 1) sum += (one[at] ?? 0) * (other[at] ?? 0)
  return sum
}

/** Text that is embedded for a link: its own, that of the heading over it, and the end of its path. */
function describeLink({ url, text, found }: DescribedLink): string {
  const path = url.slice(url.indexOf('/', url.indexOf('//') + 2) + 1)
  const words = path.slice(-MAX_URL_WORDS).replaceAll(/[/._\-?=&%#]/g, ' ')
  return [text, wordsAt({ found })?.over ?? '', words].filter((part) => part.trim() !== '').join(' | ')
}
