import { type Span, spanOf } from './block.js'
import { findSeam, isApart } from './join-runs.js'
import type { Run } from './page-text.js'

/** The spans of a line. */
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

/** One line after another, with a broken word put together. */
export function joinSpans(before: readonly Span[], next: readonly Span[], words: ReadonlyMap<string, number>): Span[] {
  const joined = [...before]
  const seam = findSeam(textOf(joined.slice(-3)).trimEnd(), textOf(next.slice(0, 3)).trimStart(), words)
  const last = joined.pop()
  if (last === undefined) return [...next]
  const text = last.text.trimEnd()
  joined.push({ ...last, text: seam === 'hyphen' ? text.slice(0, -1) : text })
  next.forEach((span, index) => {
    const started = index === 0 ? span.text.trimStart() : span.text
    push(joined, { ...span, text: index === 0 && seam === 'space' ? ` ${started}` : started })
  })
  return joined
}

/** One line below another, with a break between them. */
export function breakSpans(before: readonly Span[], next: readonly Span[]): Span[] {
  const broken = [...before]
  push(broken, { text: '\n', isBold: false, isItalic: false, isMono: false, isRaised: false })
  for (const span of next) push(broken, span)
  return broken
}

/** The text of spans. */
export const textOf = (spans: readonly Span[]): string => spans.map(({ text }) => text).join('')

/** Adds a span, to the one before where they are alike. */
export function push(spans: Span[], span: Span): void {
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
  a.href === b.href
