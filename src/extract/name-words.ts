import type { Element } from '../tree.js'

/**
 * The words that an element's class names and id are made of: `relatedPosts--small` is `relatedposts`, `related`, `posts`,
 * `small`. Short parts of words are left out: generated names are full of them.
 */
export function wordsOf({ name: tag, attribs }: Pick<Element, 'name' | 'attribs'>): string[] {
  const classes = attribs['class']
  // What a section is called by is its subject; a number is no word, whatever its letters spell.
  const id = tag === 'section' || /\d/.test(attribs['id'] ?? '') ? undefined : attribs['id']
  if (id === undefined && classes === undefined) return []
  const names = `${id ?? ''} ${classes ?? ''}`.slice(0, MOST_CHARACTERS).split(/[^A-Za-z]+/)
  return names.flatMap((name) => {
    const parts = name.split(/(?<=[a-z])(?=[A-Z])/)
    const longer = parts.length > 1 ? parts.filter((part) => part.length > 3) : []
    return [name, ...longer].map((word) => word.toLowerCase()).filter((word) => word !== '')
  })
}

/** No element needs more to be known by. */
const MOST_CHARACTERS = 500
