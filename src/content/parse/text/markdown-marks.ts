/** Parts of a Markdown text that decide where links are. */
export interface MarkdownMarks {
  /** Ranges of fences, indented code and code spans, in order. */
  readonly code: readonly (readonly [from: number, to: number])[]
  /** Link targets by label key: `[label]: address`. */
  readonly labels: ReadonlyMap<string, string>
}

export const NO_MARKS: MarkdownMarks = { code: [], labels: new Map() }

/** Normalizes case and white space of a link label. @see https://spec.commonmark.org/0.31.2/#matches */
export const labelKey = (label: string): string => label.trim().replace(/\s+/g, ' ').toLowerCase()

const FENCE = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/
const DEFINITION = /^ {0,3}\[([^[\]]{1,300})\]:[ \t]*(?:<([^<>\n]{1,2000})>|<?([^\s<>]{1,2000}))/
/** The rest of the line of a definition: the end of a long address, and a title. Other text makes it a paragraph. */
const DEFINITION_END = /^\S*(?:[ \t]+(?:"(?:\\.|[^\\"])*"|'(?:\\.|[^\\'])*'|\((?:\\.|[^\\()])*\)))?[ \t]*$/

function matchDefinition(line: string): RegExpExecArray | null {
  const match = DEFINITION.exec(line)
  return match !== null && DEFINITION_END.test(line.slice(match[0].length)) ? match : null
}

/** True for a line that is a link reference definition, unless it continues a paragraph. */
export const isDefinition = (line: string): boolean => matchDefinition(line) !== null

const INDENTED = /^(?: {4}|\t)/
const LIST_ITEM = /^ {0,3}(?:[-+*]|\d{1,9}[.)])(?:\s|$)/

/** Maximum number of labels of a text. */
const MAX_LABELS = 20_000

/** Finds code and link labels, line by line. @see https://spec.commonmark.org/0.31.2/ (4.4, 4.5, 4.7, 6.1) */
export function readMarkdownMarks(text: string): MarkdownMarks {
  const code: (readonly [number, number])[] = []
  const labels = new Map<string, string>()
  let fence: { readonly sign: string; readonly from: number } | undefined
  let paragraph: { readonly from: number } | undefined
  let inList = false
  let at = 0
  const endParagraph = (to: number): void => {
    if (paragraph !== undefined) for (const span of codeSpans(text, paragraph.from, to)) code.push(span)
    paragraph = undefined
  }
  while (at < text.length) {
    const feed = text.indexOf('\n', at)
    const end = feed === -1 ? text.length : feed + 1
    const line = text.slice(at, end).trimEnd()
    if (fence !== undefined) {
      const closing = line.trim()
      if (closing.startsWith(fence.sign) && closing.replaceAll(fence.sign.charAt(0), '') === '') {
        code.push([fence.from, end])
        fence = undefined
      }
    } else {
      const sign = FENCE.exec(line)?.[1]
      const definition = paragraph === undefined ? matchDefinition(line) : null
      if (sign !== undefined || line === '' || definition !== null) endParagraph(at)
      if (sign !== undefined) fence = { sign, from: at }
      else if (definition !== null) {
        const [, label = '', quoted, bare = ''] = definition
        const key = labelKey(label)
        if (labels.size < MAX_LABELS && !labels.has(key)) labels.set(key, quoted ?? bare)
      } else if (line !== '') {
        // Indented text below a list item belongs to the item.
        if (paragraph === undefined && !inList && INDENTED.test(line)) code.push([at, end])
        else paragraph ??= { from: at }
        if (!INDENTED.test(line)) inList = LIST_ITEM.test(line) || (inList && /^\s/.test(line))
      }
    }
    at = end
  }
  endParagraph(text.length)
  if (fence !== undefined) code.push([fence.from, text.length])
  return { code, labels }
}

/** Pairs runs of backticks of equal length. Each is examined once per length, of which there are few. */
function codeSpans(text: string, from: number, to: number): (readonly [number, number])[] {
  const runs = [...text.slice(from, to).matchAll(/`+/g)]
  const byLength = new Map<number, number[]>()
  for (const [at, [run]] of runs.entries()) {
    const known = byLength.get(run.length)
    if (known === undefined) byLength.set(run.length, [at])
    else known.push(at)
  }
  const spans: (readonly [number, number])[] = []
  for (const places of byLength.values()) places.reverse()
  let next = 0
  for (const [at, run] of runs.entries()) {
    const places = byLength.get(run[0].length) ?? []
    while ((places.at(-1) ?? Infinity) <= at) places.pop()
    const closing = places.at(-1)
    const last = closing === undefined ? undefined : runs[closing]
    if (at < next || closing === undefined || last === undefined) continue
    spans.push([from + run.index, from + last.index + last[0].length])
    next = closing + 1
  }
  return spans
}
