import type { ViewNode } from '../markdown-view.js'

// Parts of a URL that state an image's size, and not which image it is.
const SIZE_PARAMETER =
  /([?&;])(?:w|h|width|height|size|quality|dpr|fit|resize|crop|auto|fm|format|ssl|strip|rect|scale|sw|sh|max-[wh]|maxwidth)=[^&;#]*/gi
const SIZE_IN_NAME = /[-_.](?:\d{2,4}x\d{2,4}|\d{2,4}[wh]|scaled|small|medium|large|thumb(?:nail)?)(?=[-_.]|$)/gi

/** True if a second image shows the same as the first: the same URL but for its size, and no other alternative text. */
export function isSameImage(one: ViewNode, other: ViewNode): boolean {
  if (other.nodeValue !== one.nodeValue && other.nodeValue !== '') return false
  const first = one.details.href ?? ''
  const second = other.details.href ?? ''
  return (
    first === second ||
    (first.length < MAX_URL_LENGTH && second.length < MAX_URL_LENGTH && withoutSize(first) === withoutSize(second))
  )
}

const MAX_URL_LENGTH = 1000

const withoutSize = (href: string): string =>
  href.startsWith('data:')
    ? href
    : href
        .replace(SIZE_PARAMETER, '$1')
        .replace(SIZE_IN_NAME, '')
        .replace(/[?&;]+$/, '')
