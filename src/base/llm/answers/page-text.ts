import { createHash } from 'node:crypto'
import type { PageModel } from '../page-model.js'

/** A piece of the text of a page. */
interface Piece {
  readonly markdown: string
  readonly tokens: number
}

/** A part of a page that fits into one request to a model. */
export interface PagePart<Chunk extends Piece = Piece> {
  /** Its chunks, in page order. */
  readonly chunks: readonly Chunk[]
  readonly text: string
}

/** Packs the chunks of a page into as few parts as possible, each of at most `maxTokens`. */
export function packParts<Chunk extends Piece>(chunks: readonly Chunk[], maxTokens: number): PagePart<Chunk>[] {
  const parts: Chunk[][] = []
  let tokens = Infinity
  for (const chunk of chunks) {
    if (tokens + chunk.tokens > maxTokens) {
      parts.push([])
      tokens = 0
    }
    parts.at(-1)?.push(chunk)
    tokens += chunk.tokens
  }
  return parts.map((part) => ({ chunks: part, text: part.map(({ markdown }) => markdown).join('\n\n') }))
}

/**
 * Characters that a model sees and a reader does not: zero-width and bidirectional characters, fillers, tags, variation
 * selectors. U+FE0F, which turns a symbol into an emoji, is kept.
 */
const INVISIBLE =
  /[\ufe00-\ufe0e\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]/gu

/** Removes invisible characters. */
export const withoutInvisible = (text: string): string => text.replaceAll('\u00ad', '').replace(INVISIBLE, '')

/** Writes invisible characters as escapes, so that a page cannot hide instructions to the model from a reader. */
export const escapeInvisible = (text: string): string =>
  text.replaceAll('\u00ad', '').replace(INVISIBLE, (sign) => `\\u{${(sign.codePointAt(0) ?? 0).toString(16)}}`)

/**
 * Encloses a text of the page in marks. They contain its own hash, so the text cannot contain them.
 *
 * @returns the enclosed text, and the name of the mark
 */
export function fencePage(text: string, name = 'page'): { readonly fenced: string; readonly mark: string } {
  const shown = escapeInvisible(text)
  const mark = `${name}-${createHash('sha256').update(shown).digest('hex').slice(0, 12)}`
  return { fenced: `<${mark}>\n${shown}\n</${mark}>`, mark }
}

/** Returns the reason for which a model was not asked about a page, a clause. A job may be resumed by an engine without one. */
export const whyNotAsked = (model: PageModel | undefined): string =>
  model ? 'the page has no text' : 'this engine has no language model'
