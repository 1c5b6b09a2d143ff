import type { Cell } from './read-cells.js'

const LABELLED = /^(\p{L}[\p{L}\p{N} ./&'-]{1,29}?)\s?[:：]\s+(\S[^]*)$/u
const ONLY_LABEL = /^(\p{L}[^:：]*?)\s?[:：]$/u
const LABEL_CLASS = /label|term|(?:^|[\s_-])key|caption|(?:^|[\s_-])head(?:ing)?|(?:^|[\s_-])title|(?:^|[\s_-])name/iu

/** Maximum length of a label. Characters. */
const MAX_LABEL = 40

/**
 * Names values by the labels in an entry: each of several texts at one place that begins with a label, `Size: 4`, and each
 * of several values beside their labels, as the rows of a table have them.
 */
export function labelCells(cells: readonly Cell[]): readonly Cell[] {
  const places = new Map<string, Cell[]>()
  for (const cell of cells) {
    if (cell.kind !== 'text' || cell.named !== undefined) continue
    const own = places.get(cell.place)
    if (own === undefined) places.set(cell.place, [cell])
    else own.push(cell)
  }
  const renamed = new Map<Cell, Cell | undefined>()
  for (const own of places.values()) if (own.length > 1) splitLabels(own, renamed)
  pairLabels(cells, renamed)
  dropLabels(cells, renamed)
  return renamed.size === 0 ? cells : cells.flatMap((cell) => (renamed.has(cell) ? (renamed.get(cell) ?? []) : cell))
}

function splitLabels(cells: readonly Cell[], renamed: Map<Cell, Cell | undefined>): void {
  const found = cells.map((cell) => ({ cell, match: LABELLED.exec(cell.value.slice(0, 500)) }))
  const labels = new Set(found.flatMap(({ match }) => match?.[1] ?? []))
  if (labels.size < cells.length * 0.6 || labels.size < 2) return
  for (const { cell, match } of found) {
    const [, label = ''] = match ?? []
    if (label !== '')
      renamed.set(cell, withLabel(cell, label, cell.value.slice(cell.value.search(/[:：]/u) + 1).trim()))
  }
}

/** Drops the labels that are elements of their own inside of a text whose label they are: `<b>Size:</b> 4`. */
function dropLabels(cells: readonly Cell[], renamed: Map<Cell, Cell | undefined>): void {
  const labels = new Set([...renamed.values()].flatMap((cell) => cell?.named?.name ?? []))
  if (labels.size === 0) return
  for (const cell of cells) {
    const [, label] = ONLY_LABEL.exec(cell.value.slice(0, MAX_LABEL)) ?? []
    if (cell.kind === 'text' && !renamed.has(cell) && label !== undefined && labels.has(label))
      renamed.set(cell, undefined)
  }
}

const withLabel = (cell: Cell, label: string, value: string): Cell => ({
  ...cell,
  place: `${cell.place}[${label}]`,
  value,
  named: { name: label, source: 'label' },
})

/** Finds labels beside their values: two places that take turns at least twice. */
function pairLabels(cells: readonly Cell[], renamed: Map<Cell, Cell | undefined>): void {
  const texts = cells.filter((cell) => cell.kind === 'text' && cell.named === undefined && !renamed.has(cell))
  for (let at = 0; at + 3 < texts.length; at += 1) {
    const [label, value] = texts.slice(at, at + 2)
    if (label === undefined || value === undefined || !isLabel(label, value)) continue
    const pairs: [Cell, Cell][] = []
    for (let next = at; next + 1 < texts.length; next += 2) {
      const [one, other] = texts.slice(next, next + 2)
      if (one?.place !== label.place || other?.place !== value.place) break
      pairs.push([one, other])
    }
    if (pairs.length < 2 || new Set(pairs.map(([one]) => one.value)).size < pairs.length) continue
    for (const [one, other] of pairs) {
      renamed.set(one, undefined)
      renamed.set(other, withLabel(other, one.value.replace(/\s*[:：]$/u, ''), other.value))
    }
    at += pairs.length * 2 - 1
  }
}

function isLabel(label: Cell, value: Cell): boolean {
  if (label.place === value.place || label.value.length > MAX_LABEL || !/\p{L}/u.test(label.value)) return false
  if (label.element.parent === null || label.element.name === 'a') return false
  return (
    /[:：]$/u.test(label.value) || label.element.name === 'th' || LABEL_CLASS.test(label.element.attribs['class'] ?? '')
  )
}
