/** Surroundings of a text, which decide how its characters are parsed. */
interface TextPlace {
  /** The character before the text; a space at the start of a line. */
  readonly before: string
  readonly after: string
  readonly inLink: boolean
  /** Signs that are parsed only in pairs, and of which the line has a pair. */
  readonly pairs: ReadonlySet<string>
}

const WORD = /[\p{L}\p{N}]/u
const SPACE = /\s/
const SPECIAL = /[\\`*_[\]<&~]/g
/** A URL in a text, up to a sign that never stands in one: typographic quotation marks, punctuation of East Asia. */
const BARE_URL = /(?<![a-z])(?:https?:\/\/|www\.)[^\s<>|“”‘’„«»‹›、。《》「」『』【】！（），：；？]+/gi

/** The start of a tag, a comment or an address in angle brackets, whose name may be cut off. */
const TAG = /^<(?:[/!?]|[a-z][a-z0-9+.-]*(?:[^\w+.-]|$))/i
const MAX_TAG_NAME = 40
/** A character before `www.` after which GFM makes a link of it. */
const BEFORE_LINK = /[\s*_~([\]]/

/** Escapes characters that would be parsed as inline markup. Bare URLs stay unchanged. */
export function escapeText(text: string, place: TextPlace): string {
  if (place.inLink || !/:\/\/|www\./i.test(text)) return escapeSigns(text, place)
  let escaped = ''
  let end = 0
  for (const { 0: found, index } of text.matchAll(BARE_URL)) {
    const before = index > 0 ? text.charAt(index - 1) : place.before
    const after = text.charAt(index + found.length) || place.after
    const { written, length } = writeUrl(found, { ...place, before, after })
    escaped += escapeSigns(text.slice(end, index), {
      ...place,
      before: text.charAt(end - 1) || place.before,
      after: 'h',
    })
    escaped += written
    end = index + length
  }
  return escaped + escapeSigns(text.slice(end), { ...place, before: text.charAt(end - 1) || place.before })
}

/**
 * Writes a URL in a text, and returns the length of the text that it replaces. GFM makes a link of a bare URL, in which
 * nothing is escaped. A URL that needs escaping stands in angle brackets.
 *
 * @see https://github.github.com/gfm/#autolinks-extension-
 * @see https://spec.commonmark.org/0.31.2/#autolinks
 */
function writeUrl(found: string, place: TextPlace): { readonly written: string; readonly length: number } {
  const escaped = escapeSigns(found, place)
  // A character directly after it would be parsed as a part of it.
  if (escaped === found && SPACE.test(place.after)) return { written: found, length: found.length }
  const address = trimPunctuation(found)
  if (/^https?:\/\/./i.test(address)) return { written: `<${address}>`, length: address.length }
  // Autolinks in angle brackets need a scheme. Without one, an escaped dot prevents the link.
  const isLink = (at: number): boolean => BEFORE_LINK.test(at === 0 ? place.before : escaped.charAt(at - 1))
  const written = escaped
    .replace(/(www)\./gi, (begin, www: string, at: number) => (isLink(at) ? `${www}\\.` : begin))
    .replaceAll('://', '\\://')
  return { written, length: found.length }
}

/**
 * Removes the punctuation at the end of a URL that belongs to the sentence, and a parenthesis that is not opened in the
 * URL. A regular expression for it would take quadratic time.
 */
function trimPunctuation(address: string): string {
  let end = address.length
  let open = 0
  for (const sign of address) open += sign === '(' ? 1 : sign === ')' ? -1 : 0
  while (end > 0) {
    const sign = address.charAt(end - 1)
    if (!`?!.,:;*_~'")]`.includes(sign) || (sign === ')' && open >= 0)) break
    if (sign === ')') open += 1
    end -= 1
  }
  return address.slice(0, end)
}

function escapeSigns(text: string, place: TextPlace): string {
  const source = {
    text,
    first: text.length - text.trimStart().length,
    last: text.trimEnd().length - 1,
    lastAt: text.lastIndexOf('@'),
  }
  return text.replace(SPECIAL, (sign, at: number) => (isMarkup(sign, at, source, place) ? `\\${sign}` : sign))
}

/** A text with the indexes of its first and last character that is not white space, and of its last `@`. */
interface SourceText {
  readonly text: string
  readonly first: number
  readonly last: number
  readonly lastAt: number
}

/** True if the character would be parsed as markup. */
function isMarkup(
  sign: string,
  at: number,
  { text, first, last, lastAt }: SourceText,
  { before, after, inLink, pairs }: TextPlace,
): boolean {
  // True for a sign between white space inside the text. White space at the ends does not count: it may be moved out of
  // a mark.
  const isApart = (): boolean => at > first && at < last && SPACE.test(previous) && SPACE.test(next)
  const previous = at === 0 ? before : text.charAt(at - 1)
  const next = at + 1 < text.length ? text.charAt(at + 1) : after
  switch (sign) {
    case '\\':
      return /[!-/:-@[-`{-~]/.test(next) || at >= last
    case '*':
      // One alone between letters, as in `Leser*innen`, is escaped for tools that simply remove stars and would join
      // the words.
      return (pairs.has(sign) && !isApart()) || (WORD.test(previous) && WORD.test(next))
    case '_':
      return pairs.has(sign) && !(WORD.test(previous) && WORD.test(next)) && !isApart()
    case '[':
      return inLink || next === '^'
    case ']':
      return inLink || next === '(' || next === '[' || next === ':'
    case '<':
      return TAG.test(text.slice(at, at + MAX_TAG_NAME)) || (!SPACE.test(next) && at < lastAt)
    case '&':
      return /^&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z][a-z0-9]{1,31});/i.test(text.slice(at, at + 40))
    default:
      return pairs.has(sign)
  }
}
