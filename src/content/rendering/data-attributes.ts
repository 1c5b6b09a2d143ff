/** An attribute whose value may be JSON. */
interface DataAttribute {
  readonly name: string
  /** As written, with its entities. */
  readonly value: string
}

/** Minimum length of JSON that may hold a text. Characters. */
const MIN_LENGTH = 150
const MAX_NAME = 60

/** Lists the attributes of a page whose value looks like JSON that is long enough for a text. Takes time linear in the page's size. */
export function* listDataAttributes(html: string): Generator<DataAttribute> {
  const starts = /=["'][[{]/g
  for (let start = starts.exec(html); start; start = starts.exec(html)) {
    const from = start.index + 2
    const to = html.indexOf(html[from - 1] ?? '"', from)
    if (to === -1) continue
    starts.lastIndex = to
    const name = /\s([:\w.-]+)$/.exec(html.slice(Math.max(0, start.index - MAX_NAME), start.index))?.[1]
    if (name !== undefined && to - from >= MIN_LENGTH) yield { name, value: html.slice(from, to) }
  }
}
