import { followSignals } from '../../base/concurrency/deadline.js'
import { printSeen } from '../../base/errors.js'
import { parseUrl } from '../../base/url.js'
import type {
  FeatureAnswer,
  FeatureFile,
  FeaturePage,
  FeatureRequest,
  PageView,
} from '../../kernel/page/feature-page.js'
import { readHeaders, readSentence } from './read-own.js'

/** A page that is shown to a function of a feature, as long as that runs. */
export interface ShownPage extends Disposable {
  readonly view: PageView
}

/**
 * Shows a page to a feature of the caller. What is mutable is copied when it is first read: others have it too, and the cache.
 *
 * @param mayFetch false before the page is kept
 */
export function showPage(page: FeaturePage, mayFetch: boolean): ShownPage {
  const over = new AbortController()
  return {
    view: new OwnPage(page, mayFetch, over.signal),
    [Symbol.dispose]: () => over.abort(new Error('the function that was given this page has ended')),
  }
}

class OwnPage implements PageView {
  readonly url: string
  readonly finalUrl: string
  readonly statusCode: number
  readonly contentType: string | undefined
  readonly isGiven: boolean
  readonly markdown: string | undefined
  readonly signal: AbortSignal
  readonly #page: FeaturePage
  readonly #over: AbortSignal
  readonly #mayFetch: boolean
  readonly #copies = new Map<string, unknown>()

  constructor(page: FeaturePage, mayFetch: boolean, over: AbortSignal) {
    this.url = page.url
    this.finalUrl = page.finalUrl
    this.statusCode = page.statusCode
    this.contentType = page.contentType
    this.isGiven = page.isGiven
    this.markdown = page.markdown
    this.signal = page.signal
    this.#page = page
    this.#over = over
    this.#mayFetch = mayFetch
  }

  get headers(): PageView['headers'] {
    return this.#copy('headers', () => ({ ...this.#page.headers }))
  }

  get body(): Uint8Array {
    return this.#copy('body', () => new Uint8Array(this.#page.body))
  }

  get metadata(): PageView['metadata'] {
    return this.#copy('metadata', () => structuredClone(this.#page.metadata))
  }

  get links(): PageView['links'] {
    return this.#copy('links', () => this.#page.links.map((link) => ({ ...link })))
  }

  fetch(url: string, options?: FeatureRequest): Promise<FeatureAnswer> {
    const answer = this.#fetch(url, options)
    // A function that does not wait for the answer has no use for its error, which would end the process.
    answer.catch(() => undefined)
    return answer
  }

  async #fetch(url: string, options: FeatureRequest = {}): Promise<FeatureAnswer> {
    this.#over.throwIfAborted()
    if (!this.#mayFetch) throw new Error('`fetch` is for `enrich` and `produce`, of a page that was not supplied')
    if (typeof url !== 'string' || !/^https?:$/.test(parseUrl(url)?.protocol ?? ''))
      throw new TypeError(`it wants to fetch ${printSeen(url)}: an http or https URL`)
    const { headers, isWanted, maxBytes, signal } = options
    if (maxBytes !== undefined && !(Number.isInteger(maxBytes) && maxBytes > 0))
      throw new TypeError(`its \`fetch\` was given the \`maxBytes\` ${printSeen(maxBytes)}: a whole number from 1`)
    if (signal !== undefined && !(signal instanceof AbortSignal))
      throw new TypeError(`its \`fetch\` was given the \`signal\` ${printSeen(signal)}: an \`AbortSignal\``)
    using life = followSignals(this.#page.signal, this.#over, ...(signal ? [signal] : []))
    const answer = await this.#page.fetch(url, {
      signal: life.signal,
      maxBytes,
      headers: headers && (readHeaders({ headers }, '`fetch` was given') as Record<string, string>),
      isWanted: isWanted && ((file) => isWanted(copyFile(file))),
    })
    return 'file' in answer ? { file: copyFile(answer.file) } : answer
  }

  warn(message: string): void {
    this.#over.throwIfAborted()
    const text = readSentence(message, '`warn` was given')
    if (text !== undefined) this.#page.warn(text)
  }

  #copy<Value>(name: string, make: () => Value): Value {
    if (!this.#copies.has(name)) this.#copies.set(name, make())
    return this.#copies.get(name) as Value
  }
}

const copyFile = (file: FeatureFile): FeatureFile => ({
  ...file,
  headers: { ...file.headers },
  body: new Uint8Array(file.body),
})
