/**
 * Splits an element's class names and id into words: `relatedPosts--small` gives `relatedposts`, `related`, `posts`,
 * `small`. Parts of camel-case names with three letters or fewer are left out, because generated names are full of
 * them. Equal names have the same list.
 */
export function wordsOf({
  name: tag,
  attribs,
}: {
  readonly name: string
  readonly attribs: Readonly<Record<string, string>>
}): readonly string[] {
  const { class: classes, id } = attribs
  // The id of a section is its subject, and an id with digits is generated or numbered: neither is read.
  if (id === undefined || tag === 'section' || /\d/.test(id))
    return classes === undefined ? NO_WORDS : recallWords(classes.slice(0, MAX_CHARACTERS - 1))
  return recallWords(`${id} ${classes ?? ''}`.slice(0, MAX_CHARACTERS))
}

const NO_WORDS: readonly string[] = []

function recallWords(names: string): readonly string[] {
  let words = wordCache.get(names)
  if (words === undefined) {
    // A copy, because a part of a page's text would keep all of it in memory.
    const copy = ` ${names}`.slice(1)
    words = readWords(copy)
    if (wordCache.size >= MAX_CACHED_NAMES) wordCache.clear()
    wordCache.set(copy, words)
  }
  return words
}

function readWords(names: string): string[] {
  const words: string[] = []
  let start = 0
  let isLower = true
  let isCamelCase = false
  for (let at = 0; at <= names.length; at += 1) {
    const code = names.charCodeAt(at)
    if (code >= 97 && code <= 122) continue
    if (code >= 65 && code <= 90) {
      const before = at > start ? names.charCodeAt(at - 1) : 0
      isLower = false
      isCamelCase ||= before >= 97
      continue
    }
    if (at > start) {
      const name = names.slice(start, at)
      words.push(isLower ? name : name.toLowerCase())
      // Hardly any name is in camel case, so that hardly any is split.
      if (isCamelCase)
        for (const part of name.split(/(?<=[a-z])(?=[A-Z])/)) if (part.length > 3) words.push(part.toLowerCase())
    }
    start = at + 1
    isLower = true
    isCamelCase = false
  }
  return words
}

/** Cache of words by names, for the whole process, because the pages of a site use the same names. At most 2 MB. */
const wordCache = new Map<string, readonly string[]>()
const MAX_CACHED_NAMES = 2000

/** Maximum length of the id and class names that are read. The rest of longer ones adds nothing. */
const MAX_CHARACTERS = 500
