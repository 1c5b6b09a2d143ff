import { replaceLookalikes } from './fold-text.js'

/** Ways to write a text so that a model reads it and a search for words does not. */
export const encodings = [
  'base64',
  'hex',
  'rot13',
  'percent',
  'tags',
  'variation-selectors',
  'lookalikes',
  'spaced',
] as const

/** Way in which an instruction is encoded. */
export type InjectionEncoding = (typeof encodings)[number]

/** A text that was encoded. */
interface DecodedText {
  readonly encoding: InjectionEncoding
  readonly text: string
}

/** Maximum encoded runs of a text that are decoded, and their length. Longer ones are pictures and programs. */
const MAX_RUNS = 20
const MIN_RUN = 16
const MAX_RUN = 8000

const BASE64 = /[A-Za-z0-9+/_-]{24,}={0,2}/g
const HEX = /[0-9a-f]{40,}/gi
const SPACED_HEX = /(?:[0-9a-f]{2} )+/gi
const PERCENT = /[\w%.,!'()+-]{40,}/g
const TAGS = /[\u{e0020}-\u{e007e}]{8,}/gu
const SELECTORS = /[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]{8,}/gu
/** `instructions`, `prompt`, `ignore`, `previous`, `assistant`, `disregard` in ROT13. */
const ROT13 = /vafgehpgvba|cebzcg|vtaber|cerivbhf|nffvfgnag|qvfertneq/i
/** Letters with a space, a point or a dash after each. */
const SPACED = /(?:\p{L}[ .\-_*·•|]{1,4}){10}/u
const BETWEEN_LETTERS = /(?<![\p{L}\p{M}]{2})(?<=\p{L})[ .\-_*·•|](?=\p{L}(?![\p{L}\p{M}]))/gu

/** Decodes what is encoded in a text. @returns none for most texts */
export function decodeTexts(text: string): readonly DecodedText[] {
  const found: DecodedText[] = []
  const add = (encoding: InjectionEncoding, decoded: string | undefined): void => {
    if (decoded !== undefined && isProse(decoded)) found.push({ encoding, text: decoded })
  }
  for (const run of runsOf(text, BASE64))
    if (/[A-Z]/.test(run) || run.endsWith('=')) add('base64', decodeBytes(run, 'base64'))
  const unmarked = text.replaceAll('\\x', '')
  for (const run of [...runsOf(unmarked, HEX), ...runsOf(text, SPACED_HEX)])
    add('hex', decodeBytes(run.replaceAll(' ', ''), 'hex'))
  if (text.includes('%20')) for (const run of runsOf(text, PERCENT)) add('percent', decodePercent(run))
  for (const run of runsOf(text, TAGS)) add('tags', Array.from(run, fromTag).join(''))
  for (const run of runsOf(text, SELECTORS)) add('variation-selectors', fromSelectors(run))
  if (ROT13.test(text)) add('rot13', text.replace(/[a-z]/gi, rotate))
  const plain = replaceLookalikes(text)
  if (plain !== undefined) add('lookalikes', plain)
  // Between words stand more than one separator.
  if (SPACED.test(text)) add('spaced', text.replace(BETWEEN_LETTERS, ''))
  return found
}

function runsOf(text: string, pattern: RegExp): readonly string[] {
  const runs: string[] = []
  for (const [run] of text.matchAll(pattern)) {
    if (runs.length === MAX_RUNS) break
    if (run.length >= MIN_RUN && run.length <= MAX_RUN) runs.push(run)
  }
  return runs
}

/** True for a text that a reader could read: letters and spaces, and no other bytes. */
function isProse(text: string): boolean {
  if (text.length < 10 || text.includes('\ufffd')) return false
  return !/[^\P{Cc}\s]/u.test(text) && (/\p{L}[\s,]+\p{L}/u.test(text) || /[^\p{ASCII}]{5}/u.test(text))
}

const decodeBytes = (run: string, encoding: 'base64' | 'hex'): string =>
  Buffer.from(encoding === 'base64' ? run.replace(/-/g, '+').replace(/_/g, '/') : run, encoding).toString('utf8')

function decodePercent(run: string): string | undefined {
  try {
    return decodeURIComponent(run)
  } catch {
    // A percent sign that is none of an encoding.
    return undefined
  }
}

const fromTag = (sign: string): string => String.fromCodePoint((sign.codePointAt(0) ?? 0) - 0xe0000)

function fromSelectors(run: string): string {
  const bytes = Array.from(run, (sign) => {
    const code = sign.codePointAt(0) ?? 0
    return code >= 0xe0100 ? code - 0xe0100 + 16 : code - 0xfe00
  })
  return Buffer.from(bytes).toString('utf8')
}

function rotate(letter: string): string {
  const code = letter.charCodeAt(0)
  const base = code >= 97 ? 97 : 65
  return String.fromCharCode(((code - base + 13) % 26) + base)
}
