/** Namespaces whose elements are known by their names without a prefix. */
const NAMESPACES: ReadonlySet<string> = new Set([
  'http://www.w3.org/1999/xhtml',
  'http://www.w3.org/2000/svg',
  'http://www.w3.org/1998/Math/MathML',
])

/**
 * Removes the prefixes of names in XHTML: `<h:p>` becomes `<p>` where `xmlns:h` is the namespace of HTML.
 *
 * A prefix counts from its first declaration to the end of the page.
 *
 * @see https://www.w3.org/TR/xml-names/
 */
export class PrefixedNames {
  readonly #prefixes = new Set<string>()

  /** Reads the declarations of a start tag. @returns the name without its prefix */
  readStart(name: string, attributes: Readonly<Record<string, string>>): string {
    for (const key of Object.keys(attributes))
      if (key.startsWith('xmlns:') && NAMESPACES.has(attributes[key] ?? '')) this.#prefixes.add(key.slice(6))
    return this.withoutPrefix(name)
  }

  withoutPrefix(name: string): string {
    const colon = this.#prefixes.size === 0 ? -1 : name.indexOf(':')
    return colon !== -1 && this.#prefixes.has(name.slice(0, colon)) ? name.slice(colon + 1) : name
  }
}
