import type { Document } from '../../kernel/page/document.js'
import type { PageRewriter, RewrittenPage } from '../../kernel/page/page-rewriter.js'
import { untilAborted } from '../../base/concurrency/until-aborted.js'
import { messageOf } from '../../base/errors.js'
import { failFeature } from '../../kernel/fetch/feature-failure.js'
import { isObject } from '../../base/collections/is-object.js'
import { entities, type Entity } from './rules/found-value.js'
import { hasTags, toPlainText } from './rules/plain-text.js'
import type { RedactFunction } from './redact-function.js'
import { type RedactionNote, type RedactionSlice, Redactor } from './redactor.js'

/** Longest text that the function of the host gets at once. Characters. */
const MAX_TEXT = 60_000
/** Deepest data whose texts are searched; deeper ones are left out of documents. */
const MAX_DEPTH = 400

/** Redacts one page: by rules, and by a function of the host. */
export class PageRedactor implements PageRewriter {
  readonly #slice: RedactionSlice
  readonly #page: RewrittenPage
  readonly #find: RedactFunction | undefined
  readonly #seen = new Set<string>()
  #redactor: Redactor

  /** @param find undefined in mode `fast` */
  constructor(slice: RedactionSlice, page: RewrittenPage, find: RedactFunction | undefined) {
    this.#slice = slice
    this.#page = page
    this.#find = find
    this.#redactor = new Redactor(slice)
  }

  rewrite<Data>(data: Data): Data {
    return this.#redactor.rewrite(data)
  }

  leaveOut(links: number): void {
    this.#redactor.leaveOut(links)
  }

  note(): RedactionNote {
    return this.#redactor.note()
  }

  adopt(note: unknown): void {
    if (note !== undefined) this.#redactor = new Redactor(this.#slice, note as RedactionNote)
  }

  async read(data: unknown, signal: AbortSignal): Promise<boolean> {
    if (!this.#find) return false
    const lines: string[] = []
    collectLines(data, this.#seen, lines)
    let isMore = false
    for (const text of joinLines(lines)) {
      const found = await this.#ask(this.#find, this.#redactor.rewrite(text), signal)
      isMore ||= found.length > 0
      this.#redactor.addNamed(found)
    }
    return isMore
  }

  finish(document: Document): Document {
    return { ...this.#redactor.rewrite(document), redaction: this.#redactor.audit() }
  }

  async #ask(find: RedactFunction, text: string, signal: AbortSignal): Promise<(readonly [string, Entity])[]> {
    const { url } = this.#page
    const ask = async (): Promise<unknown> => find(text, this.#slice.entities, { url, signal })
    const found = await untilAborted(ask(), signal).catch((error: unknown) => {
      signal.throwIfAborted()
      throw failFeature('redact-pii', `\`redact\` failed: ${messageOf(error)}`, { url, cause: error })
    })
    if (!Array.isArray(found) || !found.every((span) => isSpan(span, text.length)))
      throw failFeature('redact-pii', '`redact` must return spans within the text: { start, end, entity }', { url })
    return found.map(({ start, end, entity }) => [text.slice(start, end), entity] as const)
  }
}

function isSpan(span: unknown, length: number): span is { start: number; end: number; entity: Entity } {
  if (!isObject(span)) return false
  const { start, end, entity } = span as { start?: unknown; end?: unknown; entity?: unknown }
  if (!Number.isInteger(start) || !Number.isInteger(end)) return false
  return (
    Number(start) >= 0 && Number(start) < Number(end) && Number(end) <= length && entities.some((one) => one === entity)
  )
}

/** Collects the lines of all texts that were not seen before, without mark-up. */
function collectLines(data: unknown, seen: Set<string>, lines: string[], depth = 0): void {
  if (typeof data === 'string') {
    if (!/\p{L}\p{L}/u.test(data) || data.startsWith('data:')) return
    const text = hasTags(data) ? toPlainText(data).plain : data
    for (const line of text.split('\n')) {
      const trimmed = line.trim()
      if (trimmed.length < 2 || seen.has(trimmed)) continue
      seen.add(trimmed)
      lines.push(trimmed)
    }
    return
  }
  if (typeof data !== 'object' || data === null || depth > MAX_DEPTH) return
  for (const value of Object.values(data)) collectLines(value, seen, lines, depth + 1)
}

/** Joins lines to texts of a limited length; a longer line is a text of its own, in parts. */
function* joinLines(lines: readonly string[]): Generator<string> {
  let text = ''
  for (const line of lines) {
    if (text !== '' && text.length + line.length >= MAX_TEXT) {
      yield text
      text = ''
    }
    for (let at = 0; at < line.length; at += MAX_TEXT) {
      const part = line.slice(at, at + MAX_TEXT)
      if (part.length === MAX_TEXT) yield part
      else text = text === '' ? part : `${text}\n${part}`
    }
  }
  if (text !== '') yield text
}
