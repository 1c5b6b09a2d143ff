import { describeField, type Field } from './content-fields.js'
import { escapeHtml } from '../../html/decode-entities.js'
import { elementToHtml, isElementData } from './element-data.js'
import { markdownToHtml } from './markdown-html.js'
import { isObject, type JsonObject } from '../../collections/is-object.js'
import { isRichText, richTextToHtml } from './rich-text.js'
import { countWords, isProgram, kindOfText, withoutTags } from '../embedded-data/text-kind.js'
import { WalkBudget } from './walk-budget.js'

/** What a reader could read of data. */
export interface DataText {
  readonly html: string
  readonly words: number
  /** Words in what is the body of something: not its title, not a taste of it. */
  readonly bodyWords: number
  /** The same in the one thing, or list of things, that says the most; each with a title. */
  readonly mainWords: number
  /** Whether a text ends in the middle, a list is still to be filled, or something was too much to be read. */
  readonly isCut: boolean
  /** Things with a title or an address, and a text of some length; what is in another one comes before it. */
  readonly things: readonly Thing[]
}

/** A part of the data that a page of its own could be about. */
export interface Thing {
  readonly addresses: readonly string[]
  readonly title: string | undefined
  readonly bodyWords: number
  readonly value: JsonObject
}

const MAX_LEVELS = 40
const MAX_VALUES = 20_000
const MAX_CHARACTERS = 300_000
/** Words from which on a thing could be a page. */
const MIN_THING = 60
/** Words from which on a text is a body, whatever its name. */
const LONG = 60
/** A program from which on it may be what shows the page. Characters. */
const PROGRAM_LENGTH = 1000
/** What a text is like shows by then. Characters. */
const MAX_START = 1000
/** Words are counted so far to tell a long text. Characters. */
const MAX_COUNTED = 10_000
/** Things from which on a list could be what a page is about. */
const MIN_ITEMS = 3
/** Texts in one object that are the words of the interface, not of the page. */
const DICTIONARY = 40

/** Reads data in its order, each object once, and leaves out what is beside the page. */
export function readData(data: unknown): DataText {
  const seenObjects = new Set<object>()
  const seenTexts = new Set<string>()
  const things: Thing[] = []
  const fields = new Map<string, Field>()
  const longTexts = new Map<string, boolean>()
  const count = { values: 0, characters: 0, words: 0, body: 0, main: 0 }
  const budget = new WalkBudget()
  let isCut = false

  /** Data have few names, and those thousands of times. */
  const fieldOf = (name: string): Field => {
    const known = fields.get(name) ?? describeField(name)
    fields.set(name, known)
    return known
  }
  /** One text may stand for a body in thousands of things. */
  const isBody = (value: unknown): boolean => {
    if (typeof value !== 'string') return typeof value === 'object' && value !== null
    const known = longTexts.get(value) ?? isLong(value)
    longTexts.set(value, known)
    return known
  }
  /** A text is shown once, though data may hold it in several forms. */
  const isNew = (plainText: string): boolean => {
    const words = plainText.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
    if (words.length < 6) return true
    const key = `${words.length > 40 ? 'long' : words.length} ${words.slice(0, 12).join(' ')}`
    if (seenTexts.has(key)) return false
    seenTexts.add(key)
    return true
  }

  function readText(text: string, name: string, inList: boolean): string {
    if (isTooMuch()) return ''
    count.values += 1
    count.characters += text.length
    const kind = kindOfText(text)
    if (kind === undefined) {
      // A text that was compiled, as MDX is.
      if (text.length >= PROGRAM_LENGTH && isProgram(text)) isCut = true
      return ''
    }
    const role = fieldOf(name).role
    const plainText = kind === 'html' ? withoutTags(text) : text
    if (kind === 'label' && role !== 'label' && role !== 'body' && !(inList && /[ A-Z\d]/.test(text))) return ''
    if (!isNew(plainText)) return ''
    const words = countWords(plainText)
    count.words += words
    const isOfBody = kind !== 'label' && role !== 'teaser' && (role === 'body' || words >= LONG || inList)
    if (isOfBody || (role === 'teaser' && words >= LONG)) count.body += words
    if (
      kind !== 'label' &&
      (role === 'body' || words >= 20) &&
      /(?:…|\.\.\.|\[\.\.\.\]|read more)\s*$/i.test(plainText)
    ) {
      isCut = true
    }
    if (kind === 'html') return `<div>${cleanHtml(text)}</div>`
    if (kind === 'label') return `<p>${escapeHtml(text)}</p>`
    return markdownToHtml(text)
  }

  function readList(list: readonly unknown[], name: string, level: number): string {
    if (list.length === 0 && fieldOf(name).isMainList && level < 8) isCut = true
    const texts = list.filter((one) => typeof one === 'string')
    if (texts.length === list.length) {
      const role = fieldOf(name).role
      const parts: string[] = []
      let isProse = role === 'body'
      for (const text of texts) {
        if (isTooMuch()) break
        const start = text.slice(0, MAX_START)
        isProse ||= countWords(start) >= 15
        parts.push(readText(text, name, role === 'body' || role === 'label' || /\s/.test(start)))
      }
      if (isProse) return parts.join('\n')
      const items = parts.filter((part) => part !== '')
      return items.length === 0 ? '' : `<ul>${items.map((item) => `<li>${item}</li>`).join('')}</ul>`
    }
    const before = count.words
    let titled = 0
    const parts = list.map((one) => {
      const part = read(one, name, level + 1, true)
      if (/^<h\d>[^]*<\/h\d>\s*\S/.test(part)) titled += 1
      return part
    })
    if (titled >= MIN_ITEMS) count.main = Math.max(count.main, count.words - before)
    return parts.join('\n')
  }

  function readObject(object: JsonObject, level: number, inList: boolean): string {
    const members = Object.entries(object)
      .slice(0, MAX_VALUES)
      .filter(([name]) => !fieldOf(name).isBeside)
    const texts = members.filter(([, value]) => typeof value === 'string' && /\s/.test(value.slice(0, MAX_START)))
    if (texts.length >= DICTIONARY) return ''
    const pair = readPair(members)
    if (pair !== undefined) {
      count.words += countWords(pair)
      return `<p>${escapeHtml(pair)}</p>`
    }
    const title = members.find(([name, value]) => fieldOf(name).role === 'title' && isTitle(value))
    const before = { ...count }
    const hasBody = members.some(([name, value]) => fieldOf(name).role === 'body' && isBody(value))
    const parts = members
      .filter((member) => member !== title && !(hasBody && fieldOf(member[0]).isTaste))
      .map(([name, value]) => read(value, name, level + 1, false))
    const inner = parts.filter((part) => part !== '').join('\n')
    const bodyWords = count.body - before.body
    if (bodyWords >= MIN_THING) {
      const own = members.flatMap(([name, value]) => (fieldOf(name).isAddress ? (addressOf(value) ?? []) : []))
      const called = typeof title?.[1] === 'string' ? title[1] : undefined
      if (own.length > 0 || called !== undefined) {
        things.push({ addresses: own, title: called, bodyWords, value: object })
        if (called !== undefined) count.main = Math.max(count.main, bodyWords)
      }
    }
    if (!title || typeof title[1] !== 'string' || (inner === '' && !inList)) return inner
    count.words += countWords(title[1])
    const tag = `h${Math.min(6, headingLevel(inList, level))}`
    return `<${tag}>${escapeHtml(title[1])}</${tag}>\n${inner}`
  }

  function isTooMuch(): boolean {
    const isOver = count.values >= MAX_VALUES || count.characters > MAX_CHARACTERS
    isCut ||= isOver
    return isOver
  }

  function read(value: unknown, name: string, level: number, inList: boolean): string {
    if (typeof value === 'string') return readText(value, name, false)
    if (isTooMuch()) return ''
    count.values += 1
    if (level > MAX_LEVELS) {
      isCut = true
      return ''
    }
    if (typeof value !== 'object' || value === null) return ''
    if (seenObjects.has(value)) return ''
    seenObjects.add(value)
    if (isElementData(value)) {
      const made = elementToHtml(value, (inner) => read(inner, 'children', level + 1, false), budget)
      isCut ||= budget.isSpent
      count.words += made.words
      count.body += made.words
      return made.html
    }
    const html = isRichText(value) ? richTextToHtml(value, budget) : ''
    isCut ||= budget.isSpent
    if (html !== '') {
      const plainText = withoutTags(html)
      if (!isNew(plainText)) return ''
      const words = countWords(plainText)
      count.words += words
      count.body += words
      return `<div>${html}</div>`
    }
    if (Array.isArray(value)) return readList(value, name, level)
    return isObject(value) ? readObject(value, level, inList) : ''
  }

  const shown = read(data, '', 0, false)
  return { html: shown, words: count.words, bodyWords: count.body, mainWords: count.main, isCut, things }
}

/** `{ label: 'Visitors', value: 1204 }`, and the like: both are shown, side by side. */
function readPair(members: readonly (readonly [string, unknown])[]): string | undefined {
  const find = (names: RegExp): unknown => members.find(([name]) => names.test(name))?.[1]
  const label = find(/^(?:label|term|metric|key|title|name)$/i)
  const value = find(/^(?:value|amount|count|quantity|total|definition)$/i)
  // With more to it than the two, it is a thing of its own.
  const isMore = members.some(([, one]) =>
    typeof one === 'string' ? one.length > 100 : isObject(one) || Array.isArray(one),
  )
  if (isMore || typeof label !== 'string' || kindOfText(label) === undefined) return undefined
  if (typeof value !== 'number' && typeof value !== 'string') return undefined
  return `${label}: ${value}`
}

const isTitle = (value: unknown): boolean =>
  typeof value === 'string' && value.length <= 300 && /^(?:label|prose)$/.test(kindOfText(value) ?? '')

const isLong = (text: string): boolean => countWords(withoutTags(text.slice(0, MAX_COUNTED))) >= LONG

const headingLevel = (inList: boolean, level: number): number =>
  inList ? Math.max(2, Math.min(4, level - 1)) : level < 5 ? 1 : 2

/** Sanity keeps a slug as `{ current: 'about-us' }`. */
function addressOf(value: unknown): string | undefined {
  const text = isObject(value) ? value['current'] : value
  return typeof text === 'string' && text.length > 0 && text.length < 500 && !/\s/.test(text) ? text : undefined
}

/** HTML within data may not end what it stands in, nor swallow what follows. */
const cleanHtml = (html: string): string =>
  html
    .replace(/<(script|style|textarea|title|xmp|iframe|noembed|noframes|template)\b[^]*?(?:<\/\1\s*>|$)/gi, ' ')
    .replace(/<!--[^]*?(?:-->|$)/g, ' ')
    .replace(/<\/?(?:html|head|body|main|plaintext|base|frameset)\b[^<>]*>?/gi, ' ')
    .replace(/<[^<>]*$/, ' ')
