import type { OfficeMetadata } from '../elements/create-element.js'

const DATES: ReadonlySet<string> = new Set(['creatim', 'revtim'])
const DATE_PARTS: ReadonlySet<string> = new Set(['yr', 'mo', 'dy', 'hr', 'min'])
const TEXTS: ReadonlySet<string> = new Set(['title', 'subject', 'author', 'keywords', 'doccomm'])

const MAX_TEXT_LENGTH = 10_000

/** Collects the metadata of an RTF file. */
export class RtfProperties {
  readonly #texts = new Map<string, string>()
  readonly #dates = new Map<string, Map<string, number>>()

  /** @returns the property that the following text belongs to */
  readWord(word: string, number: number | undefined, property: string): string {
    if (TEXTS.has(word) || DATES.has(word)) return word
    if (!DATE_PARTS.has(word) || number === undefined || !DATES.has(property)) return property
    const parts = this.#dates.get(property) ?? new Map<string, number>()
    this.#dates.set(property, parts.set(word, number))
    return property
  }

  addText(property: string, text: string): void {
    const known = this.#texts.get(property) ?? ''
    if (TEXTS.has(property) && known.length < MAX_TEXT_LENGTH) this.#texts.set(property, known + text)
  }

  read(): OfficeMetadata {
    const text = (name: string): string | undefined => this.#texts.get(name)?.trim() || undefined
    return {
      title: text('title'),
      author: text('author'),
      description: text('subject') ?? text('doccomm'),
      keywords: text('keywords'),
      publishedTime: joinDate(this.#dates.get('creatim')),
      modifiedTime: joinDate(this.#dates.get('revtim')),
    }
  }
}

/** Joins the parts of a date in ISO 8601; undefined if there are none. */
function joinDate(parts: ReadonlyMap<string, number> | undefined): string | undefined {
  const two = (name: string): string => String(parts?.get(name) ?? 0).padStart(2, '0')
  const year = parts?.get('yr')
  if (year === undefined || year < 1900 || year > 9999) return undefined
  const day = `${year}-${two('mo')}-${two('dy')}`
  return parts?.has('hr') === true ? `${day}T${two('hr')}:${two('min')}:00` : day
}
