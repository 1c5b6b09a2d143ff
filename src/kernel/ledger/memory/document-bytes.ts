import { deserialize, serialize } from 'node:v8'
import { parseJson } from '../../../base/text/parse-json.js'

/** Minimum length of a text that is worth a look at its letters. Characters. */
const LONG = 1000
/** A character for which V8 keeps the text, and writes it, with two bytes for each character. */
const WIDE = /[^\0-\xff]/

/** A document without its long wide texts, and these in UTF-8, by the names of their fields. */
type Written = readonly [document: unknown, texts?: Readonly<Record<string, Uint8Array>>]

/**
 * Turns a document into bytes, for as long as the process lasts. It takes a third of the time of JSON, and leaves no copy
 * of the document in V8's heap.
 */
export function toBytes(document: unknown): Uint8Array {
  const written = withoutWideTexts(document)
  try {
    return serialize(written)
  } catch {
    // An extractor of the caller may return functions, which JSON leaves out.
    return serialize([parseJson(JSON.stringify(document))] satisfies Written)
  }
}

/** Reads the document that {@link toBytes} has written. */
export function fromBytes(bytes: Uint8Array): unknown {
  const [document, texts] = deserialize(bytes) as Written
  if (typeof document !== 'object' || document === null || texts === undefined) return document
  for (const [name, text] of Object.entries(texts)) Object.assign(document, { [name]: Buffer.from(text).toString() })
  return document
}

/** Most pages have a dash or a quotation mark that makes their Markdown wide: in UTF-8, it is half as long. */
function withoutWideTexts(document: unknown): Written {
  if (typeof document !== 'object' || document === null) return [document]
  const wide = Object.entries(document).filter(
    (field): field is [string, string] => typeof field[1] === 'string' && isWide(field[1]),
  )
  if (wide.length === 0) return [document]
  // The fields stay in their places.
  const rest = { ...document, ...Object.fromEntries(wide.map(([name]) => [name, ''])) }
  return [rest, Object.fromEntries(wide.map(([name, text]) => [name, Buffer.from(text)]))]
}

/** True for a long text that UTF-8 can hold: half of a pair of surrogates would change. */
const isWide = (text: string): boolean => text.length >= LONG && WIDE.test(text) && text.isWellFormed()
