/** A compound selector, which describes one element: `li.price[data-id]:nth-child(2)`. */
export interface Compound {
  /** Undefined for any name. */
  readonly name?: string
  readonly attributes: readonly AttributeTest[]
  /** Positions among its siblings, or among those of its name, counted from 1, or from the end if negative. */
  readonly places: readonly { readonly at: number; readonly ofType: boolean }[]
}

/** A condition on an attribute. */
export interface AttributeTest {
  readonly name: string
  /** @default the attribute must be present */
  readonly sign?: '=' | '~=' | '^=' | '$=' | '*='
  readonly value: string
}

/** A compound and its combinator: descendant, child or next sibling of the previous one. */
export type Step = { readonly combinator: ' ' | '>' | '+'; readonly compound: Compound }

/** A selector: the steps of each alternative. */
export type Selector = readonly (readonly Step[])[]

const MAX_CHARACTERS = 400
const MAX_STEPS = 10
const MAX_ALTERNATIVES = 5

/** Matches one part of a compound. */
const PART =
  /([a-z][\w-]*|\*)|#([\w-]+)|\.((?:[\w-]|\\.|[^\0-\x7f])+)|\[\s*([\w:-]+)\s*(?:([~^$*]?=)\s*(?:"([^"]*)"|'([^']*)'|([\w-]+))\s*)?\]|:([a-z-]+)(?:\((\d{1,4})\))?/iy

/**
 * Parses a CSS selector. Supported is the part of CSS that runs in time linear in the page: names, ids, classes,
 * attributes, `:first-child`, `:last-child`, `:nth-child(2)`, the same with `-of-type`, and the combinators ` `, `>`
 * and `+`. A selector may begin with a combinator, relative to the context element.
 *
 * @throws Error that says what is wrong
 * @see https://www.w3.org/TR/selectors-4/
 */
export function readSelector(text: string): Selector {
  if (text.length > MAX_CHARACTERS) throw new Error(`a selector of more than ${MAX_CHARACTERS} characters`)
  const alternatives: Step[][] = []
  let at = 0
  const skipSpace = (): boolean => {
    const from = at
    while (/\s/.test(text[at] ?? '')) at++
    return at > from
  }
  const fail = (): Error => new Error(`the selector ${JSON.stringify(text)} cannot be read from character ${at + 1} on`)

  function readStep(steps: Step[]): void {
    const isSpaced = skipSpace()
    const sign = text[at]
    const combinator = sign === '>' || sign === '+' ? sign : ' '
    if (combinator !== ' ') at++
    else if (steps.length > 0 && !isSpaced) throw fail()
    skipSpace()
    steps.push({ combinator, compound: readCompound() })
  }

  function readCompound(): Compound {
    const from = at
    let name: string | undefined
    const attributes: AttributeTest[] = []
    const places: { at: number; ofType: boolean }[] = []
    for (;;) {
      PART.lastIndex = at
      const found = PART.exec(text)
      if (!found) break
      const [whole, tag, id, className, attribute, sign, double, single, bare, pseudo, place] = found
      if (tag !== undefined && at > from) throw fail()
      if (tag !== undefined) name = tag === '*' ? undefined : tag.toLowerCase()
      if (id !== undefined) attributes.push({ name: 'id', sign: '=', value: id })
      if (className !== undefined) attributes.push({ name: 'class', sign: '~=', value: unescape(className) })
      if (attribute !== undefined) {
        const value = double ?? single ?? bare ?? ''
        const test = { name: attribute.toLowerCase(), value }
        attributes.push(sign === undefined ? test : { ...test, sign: sign as NonNullable<AttributeTest['sign']> })
      }
      if (pseudo !== undefined) places.push(readPlace(pseudo.toLowerCase(), place))
      at += whole.length
    }
    if (at === from) throw fail()
    return { name, attributes, places }
  }

  function readPlace(pseudo: string, place: string | undefined): { at: number; ofType: boolean } {
    const ofType = pseudo.endsWith('-of-type')
    const kind = pseudo.replace(/-(?:child|of-type)$/, '')
    if (kind === 'first' && place === undefined) return { at: 1, ofType }
    if (kind === 'last' && place === undefined) return { at: -1, ofType }
    if (kind === 'nth' && place !== undefined && Number(place) > 0) return { at: Number(place), ofType }
    throw new Error(`the selector ${JSON.stringify(text)} has \`:${pseudo}\`, which is not known here`)
  }

  for (;;) {
    const steps: Step[] = []
    do readStep(steps)
    while (skipAhead())
    if (steps.length > MAX_STEPS) throw new Error(`the selector ${JSON.stringify(text)} has too many steps`)
    alternatives.push(steps)
    if (at === text.length) return alternatives
    at++
    if (alternatives.length === MAX_ALTERNATIVES) throw new Error(`the selector ${JSON.stringify(text)} is too long`)
  }

  /** Returns true if another step follows; otherwise advances to the comma or the end. */
  function skipAhead(): boolean {
    const rest = text.slice(at)
    const end = /^\s*(?:,|$)/.exec(rest)
    if (!end) return true
    at += end[0].endsWith(',') ? end[0].length - 1 : end[0].length
    return false
  }
}

const unescape = (name: string): string => name.replace(/\\(.)/g, '$1')
