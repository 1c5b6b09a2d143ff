/** What stands around a text, and how it is read. */
export interface TextPlace {
  /** The character before it; a space at the start of a line. */
  readonly before: string
  readonly after: string
  readonly inLink: boolean
  /** The signs that are read only in pairs, and have one. */
  readonly pairs: ReadonlySet<string>
}

const WORD = /[\p{L}\p{N}]/u
const SPACE = /\s/
const SPECIAL = /[\\`*_[\]<&~]/g
const ADDRESS = /(?<![a-z])(?:https?:\/\/|www\.)[^\s<>|]+/gi

/** Escapes what a reader of Markdown would take for mark-up inside of a line. Bare addresses stay whole. */
export function escapeText(text: string, place: TextPlace): string {
  if (place.inLink || !/:\/\/|www\./i.test(text)) return escapeSigns(text, place)
  let escaped = ''
  let end = 0
  for (const { 0: found, index } of text.matchAll(ADDRESS)) {
    const before = index > 0 ? text.charAt(index - 1) : place.before
    const after = text.charAt(index + found.length) || place.after
    const { written, length } = writeAddress(found, { ...place, before, after })
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
 * An address in a text, and how much of the text it is. Readers of GFM make a link of a bare one, and nothing in it is escaped
 * then: one that would need it stands in angle brackets.
 *
 * @see GFM 6.9, CommonMark 6.5
 */
function writeAddress(found: string, place: TextPlace): { readonly written: string; readonly length: number } {
  const escaped = escapeSigns(found, place)
  // What follows directly would be taken for a part of it.
  if (escaped === found && SPACE.test(place.after)) return { written: found, length: found.length }
  const address = withoutEnd(found)
  if (/^https?:\/\/./i.test(address)) return { written: `<${address}>`, length: address.length }
  // There are no angle brackets without a scheme; a dot that is escaped keeps it from being a link.
  const written = escaped.replace(/(www)\./gi, '$1\\.').replaceAll('://', '\\://')
  return { written, length: found.length }
}

/** An address without the signs at its end that belong to the sentence. A pattern for them would be quadratic on many. */
function withoutEnd(address: string): string {
  let end = address.length
  while (`?!.,:;*_~'")]`.includes(address.charAt(end - 1)) && end > 0) end -= 1
  return address.slice(0, end)
}

function escapeSigns(text: string, place: TextPlace): string {
  const edges = {
    first: text.length - text.trimStart().length,
    last: text.trimEnd().length - 1,
    lastAt: text.lastIndexOf('@'),
  }
  return text.replace(SPECIAL, (sign, at: number) => (isRead(sign, text, at, place, edges) ? `\\${sign}` : sign))
}

/** Whether a reader of Markdown would take this character for mark-up. */
function isRead(
  sign: string,
  text: string,
  at: number,
  { before, after, inLink, pairs }: TextPlace,
  edges: { readonly first: number; readonly last: number; readonly lastAt: number },
): boolean {
  // White space at the ends may be written outside of a mark.
  const isApart = (): boolean => at > edges.first && at < edges.last && SPACE.test(previous) && SPACE.test(next)
  const previous = at === 0 ? before : text.charAt(at - 1)
  const next = at + 1 < text.length ? text.charAt(at + 1) : after
  switch (sign) {
    case '\\':
      return /[!-/:-@[-`{-~]/.test(next) || at >= edges.last
    case '*':
      // Between letters, as in `Leser*innen`, one alone is only kept whole: what merely strips stars would join the words.
      return (pairs.has(sign) && !isApart()) || (WORD.test(previous) && WORD.test(next))
    case '_':
      return pairs.has(sign) && !(WORD.test(previous) && WORD.test(next)) && !isApart()
    case '[':
      return inLink || next === '^'
    case ']':
      return inLink || next === '(' || next === '[' || next === ':'
    case '<':
      return /[a-z/!?]/i.test(next) || (!SPACE.test(next) && at < edges.lastAt)
    case '&':
      return /^&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z][a-z0-9]{1,31});/i.test(text.slice(at, at + 40))
    default:
      return pairs.has(sign)
  }
}
