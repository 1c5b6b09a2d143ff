import { type ParentNode, isElement, isText, walk } from '../../html/tree.js'
import { BREAKS, separateLines, tagName } from './strip-tags.js'

/** Elements whose text is written to HTML without escapes, so that `stripTags` could read tags in it. */
const RAW_TEXT = new Set('script style xmp iframe noembed noframes plaintext noscript'.split(' '))

/**
 * Returns the readable text of a tree: the same as `stripTags` of its HTML, without writing and reading that HTML, which
 * takes three to five times as long.
 *
 * @returns undefined for a tree with elements whose HTML `stripTags` would not read as elements
 */
export function treeToText(root: ParentNode): string | undefined {
  const kinds = new Map<string, TagKind>()
  let text = ''
  let isReadable = true
  const kindOf = (name: string): TagKind => {
    const known = kinds.get(name)
    if (known !== undefined) return known
    const kind = classifyTag(name)
    kinds.set(name, kind)
    return kind
  }
  walk(
    root,
    (node) => {
      if (isText(node)) text += toOneLine(node.data)
      else if (isElement(node)) {
        const kind = kindOf(node.name)
        if (kind === 'break') text += '\n'
        isReadable = kind !== 'unreadable' && (kind !== 'raw' || node.children.length === 0)
      } else isReadable = false
      return isReadable ? true : 'stop'
    },
    (element) => {
      if (kindOf(element.name) === 'break') text += '\n'
    },
  )
  return isReadable ? separateLines(text) : undefined
}

type TagKind = 'break' | 'inline' | 'raw' | 'unreadable'

function classifyTag(name: string): TagKind {
  const start = tagName(`<${name}`, 0)
  if (start === '') return 'unreadable'
  if (RAW_TEXT.has(start)) return 'raw'
  return BREAKS.has(start) ? 'break' : 'inline'
}

/** Replaces runs of ASCII white space with one space; HTML would have any other white space as an escape. */
const toOneLine = (text: string): string => (/[\t-\r]/.test(text) ? text.replace(/[\t-\r ]+/g, ' ') : text)
