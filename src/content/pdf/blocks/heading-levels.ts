import type { Heading } from '../block.js'
import { extentOf } from '../layout/extent-of.js'
import { textOf } from './join-spans.js'
import { isClose } from '../layout/measure-text.js'

const MAX_LEVEL = 6

/** Ranks headings by appearance: by size, then upright before italic, then by numbering. */
export function levelsOf(headings: readonly Heading[]): Map<Heading, number> {
  const levels = new Map<Heading, number>()
  let above = 0
  for (const size of sizesOf(headings)) {
    const sameSize = headings.filter((heading) => isClose(heading.size, size))
    for (const isItalic of [false, true]) {
      const group = sameSize.filter((heading) => isItalicThroughout(heading) === isItalic && !levels.has(heading))
      if (group.length === 0) continue
      const depths = depthsOf(group.map(({ spans }) => numberingOf(textOf(spans))))
      group.forEach((heading, index) => levels.set(heading, Math.min(MAX_LEVEL, above + 1 + (depths[index] ?? 0))))
      above += 1 + extentOf(depths)[1]
    }
  }
  return levels
}

/** Tests if a heading is italic throughout. */
const isItalicThroughout = ({ spans }: Heading): boolean =>
  spans.every(({ text, isItalic }) => isItalic || !/\p{L}/u.test(text))

/** Lists the sizes of headings, largest first. */
function sizesOf(headings: readonly Heading[]): number[] {
  const sizes: number[] = []
  for (const { size } of [...headings].sort((a, b) => b.size - a.size)) {
    const last = sizes.at(-1)
    if (last === undefined || !isClose(last, size)) sizes.push(size)
  }
  return sizes
}

/** Returns the numbering scheme of a heading: `1.1` for two numbers, `I` or `A`; empty for none. */
function numberingOf(text: string): string {
  const numbers = /^\d+(?:\.\d+)*(?=\.?\s)/.exec(text)?.[0]
  if (numbers !== undefined) return numbers.replace(/\d+/g, '1')
  const letters = /^([IVXLC]+|[A-Z])\.\s/.exec(text)?.[1]
  if (letters === undefined) return ''
  return letters.length > 1 || /^[IVX]$/.test(letters) ? 'I' : 'A'
}

/**
 * Determines the depth of the numbering scheme of each heading. A scheme that is used between headings of an earlier
 * scheme is nested in it. One that begins after the last of them, as in appendices, is not.
 */
function depthsOf(schemes: readonly string[]): number[] {
  const order = [...new Set(schemes.filter((scheme) => scheme !== ''))]
  const depths = new Map<string, number>([['', 0]])
  for (const scheme of order) {
    const outer = order.slice(0, order.indexOf(scheme)).filter((other) => isNestedIn(scheme, other, schemes))
    depths.set(scheme, Math.max(-1, ...outer.map((other) => depths.get(other) ?? 0)) + 1)
  }
  return schemes.map((scheme) => depths.get(scheme) ?? 0)
}

const isNestedIn = (scheme: string, other: string, schemes: readonly string[]): boolean =>
  scheme.startsWith(`${other}.`) ||
  (!other.startsWith(`${scheme}.`) && schemes.lastIndexOf(other) > schemes.indexOf(scheme))
