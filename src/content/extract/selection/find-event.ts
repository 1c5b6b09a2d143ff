import { listMonths } from '../../../base/text/date-names.js'
import { wordsIn } from '../../../base/text/words-in.js'
import { resolveUrl } from '../../../base/url.js'
import { type Element, isHeading, parentElement } from '../../html/tree.js'
import type { Block, Region } from '../blocks/block.js'
import { wordsOf } from '../blocks/name-words.js'
import type { TextBlocks } from '../blocks/read-blocks.js'
import { findSeries, type Series, type Slot } from '../measures/series.js'
import { isInMain } from '../rules/frame.js'
import { findTitle } from './find-title.js'
import { isOutside } from './stated-parts.js'

/** An address of a page about one event, and the names of the elements that programs for events write. */
const EVENT_PATH =
  /\/(?:events?|event-details?|meetings?|calendar|veranstaltung(?:en)?|termine?|eventos?|evenements?|agenda|kalender|evenement(?:en)?)(?:[/_-]|\.[a-z]+$)/i
const EVENT_NAME = /^(?:events?|vevent|tribe|mec|eventon|evcal)$/

/** Maximum blocks before and after the title that say when and where. */
const MAX_BEFORE = 8
const MAX_AFTER = 40
const MAX_LENGTH = 200
const MAX_LABEL = 30
/** Maximum facts of an event, with their labels. */
const MAX_FACTS = 16
/** Maximum levels from a text out to the element that is named after what it says. */
const MAX_LEVELS = 5
/** Minimum dated members of a series for it to be a list of events. */
const MIN_DATED = 3

const CLOCK = /\b\d{1,2}(?:[:.h]\d{2})? ?(?:[ap]\.?m\b|uhr\b|h\b|часов)|\b\d{1,2}[:h.]\d{2}\b/i
const NUMERIC_DATE = /\b(?:\d{4}-\d{1,2}-\d{1,2}|\d{1,2}[./-]\d{1,2}[./-]\d{2,4})\b|\d{1,4}年|\d{1,2}月\d{1,2}日/
const WHEN_NAME = /^(?:date|dates|time|times|when|schedule|datetime|dtstart|dtend|wann|fecha|quand)$|^date-|date$/
const WHERE_NAME = /^(?:address|location|locations|venue|place|adr|where|addressfield|ort|lieu|lugar)$/

/**
 * Finds when and where the event of a page is: short lines near its title, in elements that are named after what they say, or that
 * have a date with a time of the day, with their labels, and its papers. The members of a list of events are none of them.
 *
 * @param address of the page
 * @param pageTitle the page's `title`
 */
export function findEvent(read: TextBlocks, address: string, pageTitle?: string): Block[] {
  const { blocks } = read
  const title = findTitle(blocks, pageTitle)
  if (title === -1) return []
  const near = blocks.slice(Math.max(0, title - MAX_BEFORE), title + MAX_AFTER)
  const about = findAbout(blocks[title], near, address)
  if (about === 'other') return []
  const { ofBlocks } = findSeries(read)
  // Many blocks near the title may be of one series, which is read once.
  const isDated = new Map<Series, boolean>()
  const isOwn = ({ at, region }: Block): boolean => {
    const series = ofBlocks[at]
    if (series && !isDated.has(series)) isDated.set(series, series.slots.some(isOfDates))
    const isBy = about === 'stated event' && isInMain(region) && FACT_LABEL.test(blocks[at - 1]?.text ?? '')
    return !(series && isDated.get(series) && !isBy) && !isOutside(region) && (isBy || !isBeside(region))
  }
  const isSaid = (block: Block): boolean =>
    isFact(block) || FACT_LABEL.test(blocks[block.at - 1]?.text ?? '') || isLinkToFile(block)
  const facts = near.filter((block) => block.text.length <= MAX_LENGTH && isSaid(block) && isOwn(block))
  const found: Block[] = []
  for (const fact of facts.slice(0, MAX_FACTS)) {
    const label = blocks[fact.at - 1]
    if (label !== undefined && isLabel(label) && found.at(-1) !== label) found.push(label)
    found.push(fact)
  }
  return found
}

/** True for dates at one place of several members. The parts of a page may be of one form, and each have a date somewhere. */
const isOfDates = (slot: Slot): boolean => slot.filter(({ text }) => saysDate(text)).length >= MIN_DATED

/** A label right before the value. */
const FACT_LABEL =
  /^(?:when|where|dates?(?: (?:and|&) time)?|times?|location|venue|address|place|agenda|minutes|costs?|prices?|tickets?|admission|entry|fee|organi[sz]er|wann|eintritt|kosten|preis|wo|ort|datum|uhrzeit|tagesordnung|fecha|hora|lugar|orden del día|quand|où|lieu|ordre du jour|quando|dove|luogo|ordine del giorno|när|var|plats)\s?:?$/i

const WHEN_LABEL = /^(?:when|dates?(?: (?:and|&) time)?|wann|datum|fecha|quand|quando|när|data)\s?:?$/i
const WHERE_LABEL = /^(?:where|location|venue|wo|veranstaltungsort|lugar|où|lieu|dove|luogo|var|plats)\s?:?$/i

/** The agenda, minutes and papers of a meeting. */
const FILE = /\.(?:pdf|docx?|xlsx?|pptx?|odt)(?:$|[?#])/i

function isLinkToFile({ inner, link, text }: Block): boolean {
  if (link < text.length) return false
  let at: Element | undefined = inner
  while (at !== undefined && at.name !== 'a') at = parentElement(at)
  return isFileAddress(at?.attribs['href'])
}

/** True for the address of a document to read or print. */
export const isFileAddress = (address = ''): boolean => FILE.test(address.slice(-MAX_LENGTH))

/** Returns what a page is about. One that says both when and where, each right below its label, states an event, whatever its address. */
function findAbout(
  title: Block | undefined,
  near: readonly Block[],
  address: string,
): 'stated event' | 'event' | 'other' {
  let [saysWhen, saysWhere] = [false, false]
  for (let at = 1; at < near.length; at += 1) {
    const label = near[at - 1]?.text ?? ''
    const value = near[at]?.text ?? ''
    if (label.length > MAX_LABEL || value.length > MAX_LENGTH) continue
    saysWhen ||= WHEN_LABEL.test(label) && (CLOCK.test(value) || saysDate(value))
    saysWhere ||= WHERE_LABEL.test(label)
  }
  if (saysWhen && saysWhere) return 'stated event'
  if (EVENT_PATH.test(resolveUrl(address)?.pathname ?? '')) return 'event'
  let at = title?.region
  for (let level = 0; level <= MAX_LEVELS && at?.parent !== undefined; level += 1, at = at.parent)
    if (wordsOf(at.element).some((word) => EVENT_NAME.test(word))) return 'event'
  return 'other'
}

function isFact({ text, region, inner, words }: Block): boolean {
  const isDated = saysDate(text)
  if (isDated && CLOCK.test(text) && words <= 16) return true
  if (inner.name === 'time' || inner.name === 'address') return true
  let at: Region | undefined = region
  for (let level = 0; level <= MAX_LEVELS && at !== undefined; level += 1, at = at.parent) {
    const { element } = at
    if (element.name === 'address') return true
    const names = wordsOf(element)
    if (names.some((word) => WHERE_NAME.test(word))) return true
    if ((isDated || CLOCK.test(text)) && names.some((word) => WHEN_NAME.test(word))) return true
  }
  return false
}

/** The months by their names, read on first use. */
let months: ReadonlyMap<string, number> | undefined

/** True for a short text with a date, or the name of a month beside a number somewhere. */
function saysDate(text: string): boolean {
  if (text.length > MAX_LENGTH || !/\d/.test(text)) return false
  return NUMERIC_DATE.test(text) || wordsIn(text).some(isMonth)
}

/** True for a short text with a date: numbers, or a month with the day or the year right beside it. */
export function saysDay(text: string): boolean {
  if (text.length > MAX_LENGTH || !/\d/.test(text)) return false
  if (NUMERIC_DATE.test(text)) return true
  // A calendar may set the day apart from the month by its style alone: `01Feb`.
  const words = wordsIn(text.replaceAll(/(\d)(?=\p{Lu})/gu, '$1 '))
  return words.some(
    (word, at) =>
      isMonth(word) &&
      !OTHER_WORD.test(word) &&
      [words[at - 1], words[at + 1]].some((beside) => DAY_OR_YEAR.test(beside ?? '')),
  )
}

/** Short months of other languages that are words of English: `5 out of 5`, `2 days ago`. */
const OTHER_WORD = /^(?:ago|out|set)$/
const DAY_OR_YEAR = /^(?:\d{1,2}(?:st|nd|rd|th)?|(?:19|20)\d\d)$/

function isMonth(word: string): boolean {
  months ??= listMonths()
  return word.length >= 3 && months.has(word)
}

const isLabel = ({ text, region }: Block): boolean =>
  text.length <= MAX_LABEL && (text.endsWith(':') || region.element.name === 'dt' || isHeading(region.element))

const SIDEBAR = /(?:^|\s)(?:sidebar|side-?bar\w*|widget-area|related\S*)(?:\s|$)/i

/** True for what stands beside the content. */
function isBeside(region: Region): boolean {
  for (let at: Region | undefined = region; at !== undefined; at = at.parent) {
    const { name, attribs } = at.element
    // What a program for events names so is about the event, wherever it stands.
    if (wordsOf(at.element).some((word) => EVENT_NAME.test(word))) return false
    if (name === 'aside' || SIDEBAR.test(attribs['id'] ?? '') || SIDEBAR.test(attribs['class'] ?? '')) return true
  }
  return false
}
