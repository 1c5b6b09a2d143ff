import { onceFor } from '../../../base/collections/once-for.js'
import { withoutBrackets } from './media-query.js'
import { type Keyframes, readKeyframes, type SheetRules, type StyleRule } from './style-sheet.js'

/** Rules by the names that what they select has. Those at the empty name may select what has any. */
type RulesByName = ReadonlyMap<string, readonly StyleRule[]>

/**
 * The rules of a sheet that pages link to. It has thousands, and a page has names for few of them: what they are like and which names they
 * need is found once for all pages.
 */
class LinkedRules {
  readonly #rules: readonly StyleRule[]
  readonly #kinds = new Map<string, RulesByName>()
  /** Its animations. */
  readonly keyframes: Keyframes

  constructor({ rules }: SheetRules) {
    const frames = rules.filter((rule) => rule.frames !== undefined)
    this.#rules = frames.length === 0 ? rules : rules.filter((rule) => rule.frames === undefined)
    this.keyframes = readKeyframes(frames)
  }

  /**
   * Finds the rules of a kind that may select something on a page, or something with one of its names in another state.
   *
   * @param kind names the test: it is made once
   * @param names classes and ids of the page, in lower case if these have no case on it
   */
  find(kind: string, test: (rule: StyleRule) => boolean, names: ReadonlySet<string>): readonly StyleRule[] {
    let byName = this.#kinds.get(kind)
    if (byName === undefined) this.#kinds.set(kind, (byName = indexRules(this.#rules.filter(test))))
    const found = new Set(byName.get(''))
    for (const name of names) for (const rule of byName.get(name) ?? []) found.add(rule)
    return [...found]
  }
}

/** Returns the rules of a sheet, by what they are asked for. */
export const linkedRules = onceFor((rules: SheetRules) => new LinkedRules(rules))

function indexRules(rules: readonly StyleRule[]): RulesByName {
  const byName = new Map<string, StyleRule[]>()
  for (const rule of rules)
    for (const name of new Set(rule.selectorTexts.flatMap(namesOf))) {
      const known = byName.get(name)
      if (known === undefined) byName.set(name, [rule])
      else known.push(rule)
    }
  return byName
}

const NAME = /[.#]((?:[\w-]|[^\0-\x7f]|\\[^\da-f\n])+)/gi

/**
 * Returns the names of which an element must have one for a selector to say something of it: those of its subject, else one of those
 * around it.
 */
function namesOf(selector: string): readonly string[] {
  if (/\\[\da-f]|[[&]/i.test(selector)) return ANY_NAME
  const outer = withoutBrackets(selector.trim())
  const subject = readNames(outer.slice(outer.search(/[^\s>+~]*$/)))
  if (subject.length > 0) return subject
  const [first] = selector.includes('(') ? [] : readNames(outer)
  return first === undefined ? ANY_NAME : [first]
}

const ANY_NAME: readonly string[] = ['']

const readNames = (text: string): string[] =>
  Array.from(text.matchAll(NAME), ([, name = '']) => name.replaceAll('\\', ''))
