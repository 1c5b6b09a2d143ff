import type { Element } from './tree.js'

const NEVER_SHOWN = new Set(['script', 'style', 'link', 'meta', 'base', 'title', 'head', 'param', 'track', 'datalist'])

/** True for elements that are never content: scripts, styles, elements of the head, inert templates. */
export function isNeverShown({ name, attribs, parent }: Element): boolean {
  if (name === 'template') return attribs['shadowrootmode'] === undefined
  if (name === 'title') return !(parent !== null && 'name' in parent && parent.name === 'svg')
  return NEVER_SHOWN.has(name) || (name === 'input' && attribs['type'] === 'hidden')
}
