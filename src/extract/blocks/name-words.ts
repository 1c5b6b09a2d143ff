import type { Element } from '../../html/tree.js'

/**
 * Splits an element's class names and id into words: `relatedPosts--small` gives `relatedposts`, `related`, `posts`,
 * `small`. Parts of three letters or fewer are left out, because generated names are full of them.
 */
export function wordsOf({ name: tag, attribs }: Pick<Element, 'name' | 'attribs'>): readonly string[] {
  const classes = attribs['class']
  // The id of a section is its subject, and an id with digits is generated or numbered: neither is read.
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

/** Cache for the process: elements of a page share their names, and so do the pages of a site. At most 2 MB. */
const known = new Map<string, readonly string[]>()
const MAX_KNOWN = 2000

/** Longer names add nothing that identifies an element. */
const MAX_CHARACTERS = 500
