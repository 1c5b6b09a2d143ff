import { isObject } from '../../base/collections/is-object.js'
import { printSeen } from '../../base/errors.js'
import { TEXT_FORMAT } from '../../content/convert/convert.js'
import { shortenText } from '../../base/text/cut-text.js'
import { parseJson } from '../../base/text/parse-json.js'
import { connectionHeaders } from '../../base/http/connection-headers.js'
import { HEADER_NAME, HEADER_VALUE } from '../../kernel/options/fields/headers.js'
import type { StepResult } from '../../kernel/page/feature-page.js'
import type { DocumentAddition } from '../../kernel/page/feature-steps.js'

/** Maximum length of a sentence of a caller's feature. Characters. */
const MAX_SENTENCE = 1_000
/** Maximum length of the headers that it adds. Characters. */
const MAX_HEADERS = 65_536
/** Maximum length, as JSON, of the fields that it adds to a document. Characters. */
const MAX_FIELDS = 10_000_000

/** Fields of a document that only trawl sets. */
const OWN_FIELDS: ReadonlySet<string> = new Set([
  'metadata',
  'warning',
  'fidelity',
  'trace',
  'actions',
  'pages',
  'blocks',
])

/** Reads a sentence, without a full stop. @param from follows the word "its" @throws TypeError for anything else */
export function readSentence(given: unknown, from: string): string | undefined {
  if (given === undefined) return undefined
  const text = typeof given === 'string' ? shortenText(given.trim(), MAX_SENTENCE).replace(/\.$/, '') : ''
  if (text === '') throw new TypeError(`its ${from} ${printSeen(given)}: a sentence, or undefined`)
  return text
}

/**
 * Reads the headers of a change, with names in lower case. No message shows a value: it may be a credential.
 *
 * @param from follows the word "its"
 * @throws TypeError
 */
export function readHeaders(change: unknown, from: string): Record<string, string | undefined> | undefined {
  const fail = (problem: string): never => {
    throw new TypeError(`its ${from} ${problem}`)
  }
  if (!isObject(change) || Object.keys(change).some((name) => name !== 'headers'))
    return fail(`${printSeen(change)}: an object with \`headers\`, or undefined`)
  const { headers } = change
  if (headers === undefined) return undefined
  if (!isObject(headers) || !isPlain(headers)) return fail('`headers` that are no object with a string for each name')
  const entries = Object.entries(headers)
  let length = 0
  for (const [name, value] of entries) {
    if (!HEADER_NAME.test(name) || connectionHeaders.has(name.toLowerCase()))
      return fail(`a header with the name ${printSeen(name)}, which cannot be given`)
    if (value !== undefined && (typeof value !== 'string' || !HEADER_VALUE.test(value)))
      return fail(`the header \`${name}\` with what is no string of one line`)
    length += name.length + (value?.length ?? 0)
  }
  if (length > MAX_HEADERS) return fail(`headers of ${length} characters: at most ${MAX_HEADERS}`)
  return Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), value as string | undefined]))
}

/** Tests for an object of fields: `Headers` has none. */
const isPlain = (value: object): boolean =>
  [Object.prototype, null].includes(Object.getPrototypeOf(value) as object | null)

/** Reads the result of a step. @throws TypeError */
export function readStep(given: unknown): StepResult<unknown> {
  if (given === undefined) return {}
  const names = isObject(given) ? Object.keys(given) : ['']
  if (!isObject(given) || names.some((name) => name !== 'found' && name !== 'refused'))
    throw new TypeError(
      `its \`afterDigest\` returned ${printSeen(given)}: an object with \`found\` or \`refused\`, or undefined`,
    )
  return { found: given['found'], refused: readSentence(given['refused'], '`afterDigest` refused a page with') }
}

/** Reads what a feature adds to a document. @throws TypeError */
export function readAddition(given: unknown): DocumentAddition {
  if (!isObject(given) || Object.keys(given).some((name) => name !== 'fields' && name !== 'hasContent'))
    throw new TypeError(`its \`document\` returned ${printSeen(given)}: an object with \`fields\``)
  const { fields, hasContent } = given
  return { fields: readFields(fields ?? {}, '`document`'), hasContent: hasContent === true }
}

/** Reads fields of a document: as JSON, so that nobody else has them. @throws TypeError */
export function readFields(given: unknown, from: string): Readonly<Record<string, unknown>> {
  const text = isObject(given) ? JSON.stringify(given) : undefined
  if (text === undefined) throw new TypeError(`its ${from} returned the \`fields\` ${printSeen(given)}: an object`)
  if (text.length > MAX_FIELDS)
    throw new TypeError(`its ${from} returned fields of ${text.length} characters as JSON: at most ${MAX_FIELDS}`)
  const fields = parseJson(text)
  if (!isObject(fields)) throw new TypeError(`its ${from} returned \`fields\` that become no object as JSON`)
  for (const [name, value] of Object.entries(fields)) {
    if (OWN_FIELDS.has(name)) throw new TypeError(`its ${from} returned the field \`${name}\`, which trawl sets`)
    if (name === TEXT_FORMAT && typeof value !== 'string')
      throw new TypeError(`its ${from} returned the field \`${name}\` as ${printSeen(value)}: a text`)
  }
  return fields
}

/** Merges what the steps of a feature add to a document. */
export const mergeAdditions = (first: DocumentAddition | undefined, second: DocumentAddition): DocumentAddition =>
  first
    ? {
        fields: { ...first.fields, ...second.fields },
        hasContent: first.hasContent === true || second.hasContent === true,
      }
    : second
