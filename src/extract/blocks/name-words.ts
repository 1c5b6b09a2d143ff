import type { Element } from '../../html/tree.js'

/**
 * The words that an element's class names and id are made of: `relatedPosts--small` is `relatedposts`, `related`, `posts`,
 * `small`. Short parts of words are left out: generated names are full of them.
 */
export function wordsOf({ name: tag, attribs }: Pick<Element, 'name' | 'attribs'>): readonly string[] {
  const classes = attribs['class']
  // What a section is called by is its subject; a number is no word, whatever its letters spell.
  const id = tag === 'section' || /\d/.test(attribs['id'] ?? '') ? undefined : attribs['id']
  if (id === undefined && classes === undefined) return []
  const names = `${id ?? ''} ${classes ?? ''}`.slice(0, MAX_CHARACTERS)
  let words = known.get(names)
  if (words === undefined) {
    words = readWords(names)
    if (known.size >= MAX_KNOWN) known.clear()
    known.set(names, words)
  }
  return words
}

function readWords(names: string): string[] {
  return names.split(/[^A-Za-z]+/).flatMap((name) => {
    const parts = name.split(/(?<=[a-z])(?=[A-Z])/)
    const longer = parts.length > 1 ? parts.filter((part) => part.length > 3) : []
    return [name, ...longer].map((word) => word.toLowerCase()).filter((word) => word !== '')
  })
}

/** Elements of a page share their names, and so do the pages of a site. At most 2 MB. */
const known = new Map<string, readonly string[]>()
const MAX_KNOWN = 2000

/** No element needs more to be known by. */
const MAX_CHARACTERS = 500
