/** The characters of the bytes 0x80 to 0x9F in windows-1252. */
const C1 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ'
/** A byte of UTF-8 after the first one. Serialization escapes 0xA0, but for the text of scripts and styles. */
const next = `(?:[${C1}\xa0-\xbf]|&nbsp;)`
const sequences = new RegExp(`[\xc2-\xdf]${next}|[\xe0-\xef]${next}{2}|[\xf0-\xf4]${next}{3}`, 'g')
const highCharacters = new RegExp(`[${C1}\xa1-\xff]`, 'g')

/**
 * Decodes HTML again whose UTF-8 bytes were decoded as windows-1252. Text that scripts inserted is not changed: next to
 * nothing of it looks like such bytes. HTML in which more characters are not from UTF-8 bytes than are is returned as it
 * is: the document is windows-1252.
 */
export function repairMojibake(html: string): string {
  if (html.search(sequences) < 0) return html
  let found = 0
  let used = 0
  const repaired = html.replace(sequences, (sequence) => {
    const text = decode(sequence)
    if (text === undefined) return sequence
    found += 1
    used += sequence.match(highCharacters)?.length ?? 0
    return text === '\xa0' && sequence.includes('&') ? '&nbsp;' : text
  })
  const others = (html.match(highCharacters)?.length ?? 0) - used
  return found > others ? repaired : html
}

/** Decodes one character; undefined where its bytes are not valid. */
function decode(sequence: string): string | undefined {
  const bytes = Uint8Array.from(sequence.replaceAll('&nbsp;', '\xa0'), (character) => {
    const at = C1.indexOf(character)
    return at < 0 ? character.charCodeAt(0) : at + 0x80
  })
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}
