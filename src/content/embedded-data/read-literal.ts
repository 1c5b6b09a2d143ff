import { ownValue } from '../../base/collections/own-value.js'

/** Maximum length and nesting of a literal. Characters; levels. */
const MAX_LENGTH = 200_000
const MAX_DEPTH = 20

/** One token of a literal: a string, a number, a word, or a sign. */
const TOKEN =
  /("(?:[^"\\\n]|\\[^])*"|'(?:[^'\\\n]|\\[^])*')|(-?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)|([A-Za-z_$][\w$]*)|([{}[\],:])/y

/** Returns the offset of the next token, after white space and comments. */
function skip(text: string, from: number): number {
  let at = from
  for (;;) {
    while (/\s/.test(text[at] ?? '')) at++
    const end = text.startsWith('//', at)
      ? text.indexOf('\n', at)
      : text.startsWith('/*', at)
        ? text.indexOf('*/', at + 2) + 2
        : at
    if (end <= at) return at
    at = end
  }
}

interface Token {
  readonly text?: string
  readonly number?: number
  readonly word?: string
  readonly sign?: string
}

/** Thrown and caught inside this module when the source is no literal. */
class NoLiteral extends Error {}

/**
 * Reads an object or array literal of JavaScript: names without quotes, strings in single quotes, trailing commas. The source
 * is never run: a literal with an expression in it (a variable, a call, a sum) has no value.
 *
 * @returns undefined if there is no literal at this offset
 */
export function readLiteral(source: string, from: number): unknown {
  const text = source.slice(from, from + MAX_LENGTH)
  let at = 0
  const next = (): Token => {
    TOKEN.lastIndex = skip(text, at)
    const found = TOKEN.exec(text)
    if (!found) throw new NoLiteral()
    at = TOKEN.lastIndex
    const [, quoted, number, word, sign] = found
    if (quoted !== undefined) return { text: unquote(quoted) }
    if (number !== undefined) return { number: Number(number) }
    return word === undefined ? { sign: sign ?? '' } : { word }
  }
  const value = (token: Token, depth: number): unknown => {
    if (depth > MAX_DEPTH) throw new NoLiteral()
    if (token.text !== undefined) return token.text
    if (token.number !== undefined) return token.number
    if (token.word !== undefined) return wordValue(token.word)
    if (token.sign === '[') return list(depth)
    if (token.sign === '{') return object(depth)
    throw new NoLiteral()
  }
  const list = (depth: number): unknown[] => {
    const items: unknown[] = []
    for (let token = next(); token.sign !== ']'; token = next()) {
      items.push(value(token, depth + 1))
      const after = next()
      if (after.sign === ']') return items
      if (after.sign !== ',') throw new NoLiteral()
    }
    return items
  }
  const object = (depth: number): Record<string, unknown> => {
    const entries: [string, unknown][] = []
    for (let token = next(); token.sign !== '}'; token = next()) {
      const name = token.text ?? token.word ?? token.number?.toString()
      if (name === undefined || next().sign !== ':') throw new NoLiteral()
      entries.push([name, value(next(), depth + 1)])
      const after = next()
      if (after.sign === '}') break
      if (after.sign !== ',') throw new NoLiteral()
    }
    return Object.fromEntries(entries)
  }
  try {
    const token = next()
    return token.sign === '{' || token.sign === '[' ? value(token, 0) : undefined
  } catch (error) {
    if (error instanceof NoLiteral) return undefined
    throw error
  }
}

function wordValue(word: string): unknown {
  if (word === 'true' || word === 'false') return word === 'true'
  if (word === 'null' || word === 'undefined') return null
  throw new NoLiteral()
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', '0': '', '\n': '' }

const unquote = (quoted: string): string =>
  quoted
    .slice(1, -1)
    .replace(/\\(?:u([\da-f]{4})|x([\da-f]{2})|([^]))/gi, (_, long?: string, short?: string, sign = '') =>
      (long ?? short) === undefined
        ? (ownValue(ESCAPES, sign) ?? sign)
        : String.fromCharCode(parseInt(long ?? short ?? '', 16)),
    )
