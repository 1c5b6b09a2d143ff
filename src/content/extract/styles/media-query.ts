/** Media that are no screens. */
const NO_SCREEN =
  /^(?:only\s+)?(?:print|speech|tty|tv|projection|handheld|braille|embossed|aural)\b|^not\s+(?:all|screen)\b/

/** Matches what holds for every screen: no query, or one for a window that is wider or higher than nearly nothing. */
const SCREEN = /^(?:(?:only\s+)?(?:all|screen)|not\s+print)?$/
const LEAST =
  /^\(\s*(?:min-(?:device-)?(?:width|height)\s*:\s*([\d.]+)([a-z]*)|(?:width|height)\s*>=?\s*([\d.]+)([a-z]*)|color|min-color\s*:\s*1)\s*\)$/

/** Maximum width and height that every window has. Pixels. */
const MAX_LEAST = 300

/** Tells for whom a media query holds: all readers at a screen, some of them, or none. */
export function kindOfMedia(query: string): 'all' | 'some' | 'none' {
  const kinds = query.split(',').map((one) => {
    const text = one.trim().toLowerCase()
    if (SCREEN.test(text)) return 'all'
    if (NO_SCREEN.test(text)) return 'none'
    return text.split(/\s+and\s+/).every((part) => SCREEN.test(part) || isLeast(part)) ? 'all' : 'some'
  })
  return kinds.includes('all') ? 'all' : kinds.includes('some') ? 'some' : 'none'
}

function isLeast(part: string): boolean {
  const found = LEAST.exec(part)
  if (found === null) return false
  const [, one, oneUnit, other, otherUnit] = found
  return Number(one ?? other ?? 0) * ((oneUnit ?? otherUnit ?? '').includes('em') ? 16 : 1) <= MAX_LEAST
}
