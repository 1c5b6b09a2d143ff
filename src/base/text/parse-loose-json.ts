import { tryParseJson } from './parse-json.js'

/** Length up to which a text is repaired: a string of millions of characters overflows the stack of a pattern. Characters. */
const MAX_REPAIRED = 1_000_000

/**
 * Parses the JSON of a script that search engines read although browsers would not: with comments, commas before a closing bracket or at the
 * end, line breaks and wrong escapes in strings, wrappers (`<!-- -->`, CDATA), semicolons at the end, unusual white space. A text of more
 * than a million characters is read by the rules of JSON alone.
 *
 * @returns undefined if it is no JSON all the same
 */
export function parseLooseJson(text: string): unknown {
  // Most blocks are whole, and a repair takes several passes.
  return tryParseJson(text) ?? (text.length > MAX_REPAIRED ? undefined : tryParseJson(repair(text)))
}

/** A string, which may be cut off, or what JSON has not: comments, wrappers and white space of other kinds. */
const STRING_OR_NOISE =
  /("(?:[^"\\]|\\[^]?)*(?:"|$))|\/\*[^]*?(?:\*\/|$)|\/\/[^\n]*|<!--|-->|<!\[?CDATA\[|\]\]>|[^\S \t\r\n]+|\uFEFF/g
const STRING_OR_COMMA = /("(?:[^"\\]|\\[^]?)*(?:"|$))|,(?=\s*[}\]])/g
const ESCAPE_OR_CONTROL = /\\[^]?|\p{Cc}+/gu

function repair(text: string): string {
  const bare = text.replace(STRING_OR_NOISE, (_, string?: string) =>
    string === undefined ? ' ' : repairString(string),
  )
  return withoutEnd(bare.replace(STRING_OR_COMMA, (_, string: string | undefined = '') => string))
}

/** Replaces line breaks by spaces, and removes the backslash of an escape that there is none of, such as `\'`. */
const repairString = (string: string): string =>
  string.replace(ESCAPE_OR_CONTROL, (found) => {
    if (!found.startsWith('\\')) return ' '
    return /^\\["\\/bfnrtu]$/.test(found) ? found : found.slice(1).replace(/^\p{Cc}$/u, ' ')
  })

/** Removes semicolons and commas after the value. Step by step: a pattern that ends in `$` takes quadratic time. */
function withoutEnd(text: string): string {
  let end = text.length
  while (end > 0 && /[\s;,]/.test(text[end - 1] ?? '')) end -= 1
  return text.slice(0, end)
}
