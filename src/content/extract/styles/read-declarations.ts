/** Properties that may hide text, by their names. */
export type Declarations = ReadonlyMap<string, Declaration>

/** The value of a property, in lower case and without comments. */
export interface Declaration {
  readonly value: string
  readonly isImportant: boolean
}

/** Properties by which text is hidden or shown, and those that say that a script shows it later. */
export const READ_PROPERTIES: ReadonlySet<string> = new Set(
  (
    'display visibility content-visibility opacity filter color -webkit-text-fill-color text-shadow font font-size text-indent ' +
    'background background-color background-image background-clip -webkit-background-clip position inset left right top bottom margin ' +
    'margin-left margin-top transform scale translate clip clip-path width height max-width max-height overflow overflow-x overflow-y ' +
    'transition transition-property animation animation-name will-change z-index'
  ).split(' '),
)

/**
 * Reads declarations, such as those of a `style` attribute. Custom properties are among them.
 *
 * @returns undefined if none of them has an effect on whether text is seen
 */
export function readDeclarations(text: string): Declarations | undefined {
  let found: Map<string, Declaration> | undefined
  for (const part of text.split(';')) {
    const colon = part.indexOf(':')
    if (colon === -1) continue
    const name = nameIn(part.slice(0, colon))
    if (!READ_PROPERTIES.has(name) && !name.startsWith('--')) continue
    const written = withoutComments(part.slice(colon + 1))
      .trim()
      .slice(0, MAX_VALUE)
      .toLowerCase()
    const value = written.replace(/\s*!\s*important$/, '')
    if (value === '') continue
    const isImportant = value.length < written.length
    found ??= new Map()
    if (found.get(name)?.isImportant === true && !isImportant) continue
    found.set(name, { value, isImportant })
  }
  return found
}

/** Maximum length of a value. Longer ones are shadows, pictures and the like. */
const MAX_VALUE = 300

const nameIn = (text: string): string => withoutComments(text).trim().toLowerCase()

/** Removes comments, and reads escapes: `opac\69 ty` is a name as well. */
const withoutComments = (text: string): string => readEscapes(stripComments(text))

/** Removes comments. One that is not closed goes to the end. */
export const stripComments = (text: string): string =>
  text.includes('/*')
    ? text
        .split('*/')
        .map((part) => (part.includes('/*') ? `${part.slice(0, part.indexOf('/*'))} ` : part))
        .join('')
    : text

/** Reads the escapes of a name or a value. */
export const readEscapes = (text: string): string => (text.includes('\\') ? text.replace(ESCAPE, readEscape) : text)

const ESCAPE = /\\(?:([\da-f]{1,6})\s?|([^\da-f]))/gi

function readEscape(_: string, code: string | undefined, sign: string): string {
  if (code === undefined) return sign
  const point = Number.parseInt(code, 16)
  return point > 0 && point < 0x11_0000 ? String.fromCodePoint(point) : ''
}
