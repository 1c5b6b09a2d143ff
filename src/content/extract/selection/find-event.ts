import { listMonths } from '../../../base/text/date-names.js'
import { resolveUrl } from '../../../base/url.js'
import { type Element, isHeading, parentElement } from '../../html/tree.js'
import type { Block, Region } from '../blocks/block.js'
import { wordsOf } from '../blocks/name-words.js'
import type { TextBlocks } from '../blocks/read-blocks.js'
import { findSeries, type Series } from '../measures/series.js'
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
  if (title === -1 || !isOfEvent(blocks[title], address)) return []
  const { ofBlocks } = findSeries(read)
  // Many blocks near the title may be of one series, which is read once.
  const isDated = new Map<Series, boolean>()
  const isOwn = ({ at, region }: Block): boolean => {
    const series = ofBlocks[at]
    if (series && !isDated.has(series))
      isDated.set(series, series.blocks.filter(({ text }) => saysDate(text)).length >= MIN_DATED)
    return !(series && isDated.get(series)) && !isOutside(region) && !isBeside(region)
  }
  const near = blocks.slice(Math.max(0, title - MAX_BEFORE), title + MAX_AFTER)
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

/** A label right before the value. */
const FACT_LABEL =
  /^(?:when|where|date(?: and time)?|time|location|venue|address|place|wann|wo|ort|datum|uhrzeit|fecha|hora|lugar|quand|où|lieu|quando|dove|luogo|när|var|plats)\s?:?$/i

/** The agenda, minutes and papers of a meeting. */
const FILE = /\.(?:pdf|docx?|xlsx?|pptx?|odt)(?:$|[?#])/i

function isLinkToFile({ inner, link, text }: Block): boolean {
  if (link < text.length) return false
  let at: Element | undefined = inner
  while (at !== undefined && at.name !== 'a') at = parentElement(at)
  return FILE.test(at?.attribs['href']?.slice(-MAX_LENGTH) ?? '')
}

function isOfEvent(title: Block | undefined, address: string): boolean {
  if (EVENT_PATH.test(resolveUrl(address)?.pathname ?? '')) return true
  let at = title?.region
  for (let level = 0; level <= MAX_LEVELS && at?.parent !== undefined; level += 1, at = at.parent)
    if (wordsOf(at.element).some((word) => EVENT_NAME.test(word))) return true
  return false
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

function saysDate(text: string): boolean {
  if (text.length > MAX_LENGTH || !/\d/.test(text)) return false
  if (NUMERIC_DATE.test(text)) return true
  months ??= listMonths()
  return (text.toLowerCase().match(/\p{L}{3,}/gu) ?? []).some((word) => months?.has(word))
}

const isLabel = ({ text, region }: Block): boolean =>
  text.length <= MAX_LABEL && (text.endsWith(':') || region.element.name === 'dt' || isHeading(region.element))

const SIDEBAR = /(?:^|\s)(?:sidebar|side-?bar\w*|widget-area|related\S*)(?:\s|$)/i

/** True for what stands beside the content. */
function isBeside(region: Region): boolean {
  for (let at: Region | undefined = region; at !== undefined; at = at.parent) {
    const { name, attribs } = at.element
    if (name === 'aside' || SIDEBAR.test(attribs['id'] ?? '') || SIDEBAR.test(attribs['class'] ?? '')) return true
  }
  return false
}
