import { type Span, spanOf } from '../block.js'
import { findLineSeparator, isApart } from '../layout/join-runs.js'
import type { Run } from '../page-text.js'

/** Converts runs of a line to spans. */
export function spansOf(runs: readonly Run[]): Span[] {
  const spans: Span[] = []
  let before: Run | undefined
  for (const run of runs) {
    const text = before !== undefined && isApart(before, run) ? ` ${run.text}` : run.text
    push(spans, spanOf(run, text))
    before = run
  }
  return spans
}

/**
 * Appends a line to a text, and joins a word that is hyphenated at the line's end. Spans of equal style are not merged
 * here, as a long text would be copied for each line.
 */
export function joinSpans(joined: Span[], next: readonly Span[], words: ReadonlyMap<string, number>): void {
  if (joined.length === 0) {
    for (const span of next) joined.push(span)
    return
  }
  const separator = findLineSeparator(endOf(joined), textOf(next.slice(0, 3)).trimStart(), words)
  while (joined.length > 1 && joined.at(-1)?.text.trim() === '') joined.pop()
  const last = joined.pop()
  if (last !== undefined) {
    const text = last.text.trimEnd()
    joined.push({ ...last, text: separator === 'hyphen' ? text.slice(0, -1) : text })
  }
  next.forEach((span, index) => {
    const started = index === 0 ? span.text.trimStart() : span.text
    joined.push({ ...span, text: index === 0 && separator === 'space' ? ` ${started}` : started })
  })
}

/** Joins lines to one text, and the parts of hyphenated words. */
export function joinLines(lines: readonly (readonly Span[])[], words: ReadonlyMap<string, number>): Span[] {
  const joined: Span[] = []
  for (const line of lines) joinSpans(joined, line, words)
  return joined
}

/** Appends a line break and a line to `broken`. */
export function breakSpans(broken: Span[], next: readonly Span[]): void {
  broken.push({ text: '\n', isBold: false, isItalic: false, isMono: false, isRaised: false })
  for (const span of next) broken.push(span)
}

/** Merges neighbouring spans of equal style. */
export function uniteSpans(spans: readonly Span[]): Span[] {
  const united: Span[] = []
  for (const span of spans) push(united, span)
  return united
}

/** Length of the text's end that is inspected: longer than any word or URL. */
const MAX_END_LENGTH = 500

/** Returns the end of a text, without trailing white space. */
export function endOf(spans: readonly Span[]): string {
  let text = ''
  for (let at = spans.length - 1; at >= 0 && text.length < MAX_END_LENGTH; at--)
    text = ((spans[at]?.text ?? '') + text).trimEnd()
  return text
}

/** Joins the text of spans. */
export const textOf = (spans: readonly Span[]): string => spans.map(({ text }) => text).join('')

/** Appends a span. It is merged with the one before if their style is equal, or if it is blank. */
function push(spans: Span[], span: Span): void {
  const last = spans.at(-1)
  const isBlank = span.text.trim() === ''
  if (last !== undefined && (isBlank || isAlike(last, span)))
    spans.splice(-1, 1, { ...last, text: last.text + span.text })
  else spans.push(span)
}

const isAlike = (a: Span, b: Span): boolean =>
  a.isBold === b.isBold &&
  a.isItalic === b.isItalic &&
  a.isMono === b.isMono &&
  a.isRaised === b.isRaised &&
  a.isStruck === b.isStruck &&
  a.href === b.href
