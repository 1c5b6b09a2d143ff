import { splitAtCommas, splitAtSpaces } from '../../../content/extract/styles/split-value.js'
import { builtInsOf, pageDocument } from './built-ins-of.js'

/** A rule of a style sheet that may show an element in another state of the page. */
interface StateRule {
  readonly selector: string
  /** Classes and ids of what it selects. */
  readonly names: readonly string[]
}

const MAX_RULES = 10_000
const MAX_STATE_RULES = 3_000

/** Properties by which pages show what is hidden. */
const SHOWING =
  /(?:^|[;\s])(?:display|visibility|opacity|height|max-height|width|max-width|transform|translate|scale|clip|clip-path|left|right|top|bottom|inset|margin|overflow|grid-template-rows|position|font-size)\s*:/
const HIDING = /(?:^|[;\s])(?:display:\s*none|visibility:\s*hidden|opacity:\s*0(?:\.0\d*)?\s*(?:;|!))/

/** Knows which hidden elements may be shown by and by. */
export class LaterStates {
  readonly #known = new Map<Element, boolean>()
  #rules: readonly StateRule[] | undefined

  /** True for an element with a transition or an animation, or with a rule that shows it in another state of the page. */
  has(element: Element): boolean {
    const known = this.#known.get(element)
    if (known !== undefined) return known
    const isLater = moves(element) || this.#isInRule(element)
    this.#known.set(element, isLater)
    return isLater
  }

  #isInRule(element: Element): boolean {
    const { id, classList } = builtInsOf(element)
    if (!id && classList.length === 0) return false
    const names = new Set([...Array.from(classList, (name) => `.${name}`), `#${id}`])
    return this.#listRules().some(
      ({ selector, names: own }) => own.some((name) => names.has(name)) && !isMatching(element, selector),
    )
  }

  #listRules(): readonly StateRule[] {
    if (this.#rules !== undefined) return this.#rules
    const found: StateRule[] = []
    let left = MAX_RULES
    const read = (rules: CSSRuleList): void => {
      for (const rule of rules) {
        left -= 1
        if (left < 0 || found.length >= MAX_STATE_RULES) return
        if ('selectorText' in rule) add(rule as CSSStyleRule)
        else if ('cssRules' in rule && !('name' in rule && 'appendRule' in rule)) read(rule.cssRules as CSSRuleList)
      }
    }
    const add = ({ selectorText, style: { cssText } }: CSSStyleRule): void => {
      if (!SHOWING.test(cssText) || HIDING.test(cssText)) return
      const names = splitAtCommas(selectorText).flatMap((selector) => {
        const subject = splitAtSpaces(selector.replace(/[>+~]/g, ' ')).pop() ?? ''
        return subject.match(/[.#](?:[\w-]|[^\0-\x7f])+/g) ?? []
      })
      if (names.length > 0) found.push({ selector: selectorText, names })
    }
    for (const sheet of pageDocument.styleSheets) {
      try {
        read(sheet.cssRules)
      } catch {
        // The rules of another site's sheet cannot be read.
      }
    }
    this.#rules = found
    return found
  }
}

/** A rule for a state that holds in part of the windows matches, but has no effect. */
function isMatching(element: Element, selector: string): boolean {
  try {
    return builtInsOf(element).matches(selector)
  } catch {
    return false
  }
}

function moves(element: Element): boolean {
  const { transitionDuration, transitionProperty } = getComputedStyle(element)
  if (transitionProperty !== 'none' && transitionDuration.split(',').some((time) => Number.parseFloat(time) > 0))
    return true
  return builtInsOf(element)
    .getAnimations()
    .some(({ effect, playState }) => playState === 'running' && effect instanceof KeyframeEffect && changes(effect))
}

/** True for an animation whose frames differ. */
function changes(effect: KeyframeEffect): boolean {
  const frames = effect
    .getKeyframes()
    .map((frame) => JSON.stringify({ ...frame, offset: 0, computedOffset: 0, easing: '', composite: '' }))
  return new Set(frames).size > 1
}
