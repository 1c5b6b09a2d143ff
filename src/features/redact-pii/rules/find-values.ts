import { findAddresses } from './address.js'
import { readContext } from './context.js'
import { findEmails } from './email.js'
import { findCard, findIbans } from './financial.js'
import type { Entity, FoundValue, TextRule, RuleText } from './found-value.js'
import { findLetteredNumbers, findNationalNumber } from './national.js'
import { findIpv4, findIpv6 } from './network.js'
import { findNumberRuns } from './number-run.js'
import { findPhone } from './phone.js'
import { hasTags, type PlainText, toPlainText } from './plain-text.js'
import { findSecrets } from './secret.js'

/** Selection of the values to find. */
interface Search {
  readonly entities: ReadonlySet<Entity>
  /** Takes values that only their form speaks for, as well. @default false */
  readonly isLoose?: boolean
  /** Name of the field whose value the text is. */
  readonly name?: string
}

/** Digits that may be a number. */
const DIGITS = /\d\D{0,3}\d\D{0,3}\d\D{0,3}\d/

/** Rules that read the whole text, with the entity that they find. */
const rules: readonly (readonly [Entity, TextRule])[] = [
  ['SECRET', findSecrets],
  ['EMAIL', findEmails],
]
const digitRules: readonly (readonly [Entity, TextRule])[] = [
  ['FINANCIAL', findIbans],
  ['LOCATION', findAddresses],
  ['LOCATION', findIpv6],
  ['PERSON', findLetteredNumbers],
]

/** Finds numbers: of cards, computers, persons, telephones. */
function findNumbers(text: RuleText, entities: ReadonlySet<Entity>): FoundValue[] {
  const found: FoundValue[] = []
  let afterPhone: number | undefined
  for (const run of findNumberRuns(text.plain)) {
    const value =
      (entities.has('FINANCIAL') ? findCard(text, run) : undefined) ??
      (entities.has('LOCATION') ? findIpv4(text, run) : undefined) ??
      (entities.has('PERSON') ? findNationalNumber(text, run) : undefined) ??
      (entities.has('PHONE') ? findPhone(text, run, afterPhone) : undefined)
    if (value) found.push(value)
    afterPhone = value?.entity === 'PHONE' ? value.end : undefined
  }
  return found
}

function search({ plain, toSource }: PlainText, { entities, isLoose = false, name }: Search): FoundValue[] {
  const text: RuleText = { plain, toSource, isLoose, ...readContext(plain, name) }
  const run = (some: typeof rules) => some.flatMap(([entity, rule]) => (entities.has(entity) ? rule(text) : []))
  const found = run(rules)
  if (/\d/.test(plain)) found.push(...run(digitRules))
  if (DIGITS.test(plain)) found.push(...findNumbers(text, entities))
  return found.map(({ start, end, entity }) => ({ ...toSource(start, end), entity }))
}

/** Shortest data of an inline file that is passed over. Characters. */
const INLINE_DATA = /;base64,[A-Za-z0-9+/=]{64,}/g

/** Blanks the data of inline files, in which values are chance. The length stays. */
const withoutData = (text: string): string =>
  text.includes(';base64,') ? text.replaceAll(INLINE_DATA, (data) => ' '.repeat(data.length)) : text

/**
 * Finds the values in a piece of Markdown, HTML or plain text, in their order. None overlaps another: of two that do, the one that
 * begins first stays, then the longer one.
 */
export function findValues(source: string, wanted: Search): FoundValue[] {
  const text = withoutData(source)
  const found = search(toPlainText(text), wanted)
  if (hasTags(text)) found.push(...search(toPlainText(text, true), wanted))
  if (found.length < 2) return found
  found.sort((one, other) => one.start - other.start || other.end - one.end)
  const kept: FoundValue[] = []
  for (const value of found) {
    const last = kept.at(-1)
    if (!last || value.start >= last.end) kept.push(value)
    else if (value.end > last.end) kept[kept.length - 1] = { ...last, end: value.end }
  }
  return kept
}
