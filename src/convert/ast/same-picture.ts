import type { ViewNode } from '../markdown-view.js'

// What addresses say of a picture's size and not of which it is.
const SIZE_PARAMETER =
  /([?&;])(?:w|h|width|height|size|quality|dpr|fit|resize|crop|auto|fm|format|ssl|strip|rect|scale|sw|sh|max-[wh]|maxwidth)=[^&;#]*/gi
const SIZE_IN_NAME = /[-_.](?:\d{2,4}x\d{2,4}|\d{2,4}[wh]|scaled|small|medium|large|thumb(?:nail)?)(?=[-_.]|$)/gi

/** Whether a second image shows what one does: the same address, if for another size, and no other name. */
export function isSamePicture(one: ViewNode, other: ViewNode): boolean {
  if (other.nodeValue !== one.nodeValue && other.nodeValue !== '') return false
  const first = one.details.href ?? ''
  const second = other.details.href ?? ''
  return (
    first === second || (first.length < LONGEST && second.length < LONGEST && pictureOf(first) === pictureOf(second))
  )
}

const LONGEST = 1000

const pictureOf = (href: string): string =>
  href.startsWith('data:')
    ? href
    : href
        .replace(SIZE_PARAMETER, '$1')
        .replace(SIZE_IN_NAME, '')
        .replace(/[?&;]+$/, '')
