import { isObject, type JsonObject } from '../../base/collections/is-object.js'
import { escapeHtml } from '../html/decode-entities.js'
import { countWords, isProgram, kindOfText, type TextKind, withoutTags } from '../embedded-data/text-kind.js'
import { describeField, type Field } from './content-fields.js'
import {
  removeUnsafeHtml,
  countWordsAtStart,
  hasSpace,
  headingLevel,
  isLongText,
  isTitle,
  MIN_BODY_WORDS,
  readAddress,
  readPair,
} from './data-values.js'
import { elementToHtml, type ElementData, isElementData } from './element-data.js'
import { markdownToHtml } from '../html/markdown-html.js'
import { isRichText, richTextToHtml } from './rich-text.js'
import { WalkBudget } from './walk-budget.js'

/** The text for readers that was found in data. */
export interface DataText {
  readonly html: string
  readonly words: number
  /** Number of words in bodies, without titles and teasers. */
  readonly bodyWords: number
  /** Largest number of body words in a titled item, or of words in a list of titled items. */
  readonly mainWords: number
  /** True if a text ends in an ellipsis, a main list is empty, or the data exceeds a limit of the reader. */
  readonly isTruncated: boolean
  /** Items with a title or an address and at least 60 words; an inner item comes before the outer one. */
  readonly items: readonly DataItem[]
}

/** An object in the data that a page could be about. */
export interface DataItem {
  readonly addresses: readonly string[]
  readonly title: string | undefined
  readonly bodyWords: number
  readonly value: JsonObject
}

const MAX_LEVELS = 40
const MAX_VALUES = 20_000
const MAX_CHARACTERS = 300_000
/** Level from which on an empty list is a detail of the page, and no sign of missing text. */
const MAX_LIST_LEVEL = 8
/** Minimum number of body words of an item that a page could be about. */
const MIN_ITEM_WORDS = 60
/** Minimum length of a string with code that may render the page's text, such as compiled MDX. Characters. */
const MIN_PROGRAM = 1000
/** Minimum number of titled items of a list that a page could be about. */
const MIN_ITEMS = 3
/** Number of texts from which on an object is a dictionary of the user interface, and is skipped. */
const MAX_TEXTS = 40
/** Minimum number of words of a text whose ellipsis at the end means that it was truncated. */
const MIN_CUT_WORDS = 20
/** Minimum number of words of a list item that makes the list paragraphs instead of list items. */
const MIN_PROSE_WORDS = 15
/** Minimum number of words of a text that is written only once; a shorter one may be repeated. */
const MIN_UNIQUE_WORDS = 6
/** Number of words at the start of a text by which repetitions are detected. */
const UNIQUE_WORDS = 12

/** The position of a value in the data. */
interface Member {
  readonly name: string
  readonly level: number
  readonly isInList: boolean
}

/** Reads the text of data in document order, each object once. Omits properties that are not content of the page. */
export const readData = (data: unknown): DataText => new DataReader().readAll(data)

class DataReader {
  readonly #seenObjects = new Set<object>()
  readonly #seenTexts = new Set<string>()
  readonly #items: DataItem[] = []
  readonly #fields = new Map<string, Field>()
  readonly #longTexts = new Map<string, boolean>()
  readonly #budget = new WalkBudget()
  #values = 0
  #characters = 0
  #words = 0
  #bodyWords = 0
  #mainWords = 0
  #isTruncated = false

  readAll(data: unknown): DataText {
    const html = this.#read(data, { name: '', level: 0, isInList: false })
    return {
      html,
      words: this.#words,
      bodyWords: this.#bodyWords,
      mainWords: this.#mainWords,
      isTruncated: this.#isTruncated,
      items: this.#items,
    }
  }

  #read(value: unknown, member: Member): string {
    const { name, level } = member
    if (typeof value === 'string') return this.#readText(value, name, false)
    if (this.#isOver()) return ''
    this.#values += 1
    if (level > MAX_LEVELS) {
      this.#isTruncated = true
      return ''
    }
    if (typeof value !== 'object' || value === null || this.#seenObjects.has(value)) return ''
    this.#seenObjects.add(value)
    if (isElementData(value)) return this.#readElement(value, level)
    const richText = this.#readRichText(value)
    if (richText !== undefined) return richText
    if (Array.isArray(value)) return this.#readList(value, name, level)
    return isObject(value) ? this.#readObject(value, member) : ''
  }

  #isOver(): boolean {
    const isOver = this.#values >= MAX_VALUES || this.#characters > MAX_CHARACTERS
    this.#isTruncated ||= isOver
    return isOver
  }

  #readElement(element: ElementData, level: number): string {
    const readOther = (inner: unknown): string =>
      this.#read(inner, { name: 'children', level: level + 1, isInList: false })
    const { html, words } = elementToHtml(element, readOther, this.#budget)
    this.#isTruncated ||= this.#budget.isSpent
    this.#words += words
    this.#bodyWords += words
    return html
  }

  /** Reads an editor's rich text; undefined for any other value. */
  #readRichText(value: object): string | undefined {
    const html = isRichText(value) ? richTextToHtml(value, this.#budget) : ''
    this.#isTruncated ||= this.#budget.isSpent
    if (html === '') return undefined
    const plainText = withoutTags(html)
    if (!this.#isNew(plainText)) return ''
    const words = countWords(plainText)
    this.#words += words
    this.#bodyWords += words
    return `<div>${html}</div>`
  }

  #readText(text: string, name: string, isInList: boolean): string {
    if (this.#isOver()) return ''
    this.#values += 1
    this.#characters += text.length
    const kind = kindOfText(text)
    if (kind === undefined) {
      // The program may be compiled content, such as MDX, whose text cannot be read.
      if (text.length >= MIN_PROGRAM && isProgram(text)) this.#isTruncated = true
      return ''
    }
    const { role } = this.#fieldOf(name)
    const isNamed = role === 'label' || role === 'body'
    if (kind === 'label' && !isNamed && !(isInList && /[ A-Z\d]/.test(text))) return ''
    const plainText = kind === 'html' ? withoutTags(text) : text
    if (!this.#isNew(plainText)) return ''
    this.#countText(plainText, kind, role, isInList)
    if (kind === 'html') return `<div>${removeUnsafeHtml(text)}</div>`
    if (kind === 'label') return `<p>${escapeHtml(text)}</p>`
    return markdownToHtml(text)
  }

  #countText(text: string, kind: TextKind, role: Field['role'], isInList: boolean): void {
    const words = countWords(text)
    this.#words += words
    const isLong = words >= MIN_BODY_WORDS
    const isBody = kind !== 'label' && role !== 'teaser' && (role === 'body' || isLong || isInList)
    if (isBody || (role === 'teaser' && isLong)) this.#bodyWords += words
    const mayBeCut = kind !== 'label' && (role === 'body' || words >= MIN_CUT_WORDS)
    if (mayBeCut && /(?:…|\.\.\.|\[\.\.\.\]|read more)\s*$/i.test(text)) this.#isTruncated = true
  }

  #readList(list: readonly unknown[], name: string, level: number): string {
    if (list.length === 0 && this.#fieldOf(name).isMainList && level < MAX_LIST_LEVEL) this.#isTruncated = true
    const texts = list.filter((one) => typeof one === 'string')
    if (texts.length === list.length) return this.#readTexts(texts, name)
    const before = this.#words
    let titled = 0
    const parts = list.map((one) => {
      const part = this.#read(one, { name, level: level + 1, isInList: true })
      if (/^<h\d>[^]*<\/h\d>\s*\S/.test(part)) titled += 1
      return part
    })
    if (titled >= MIN_ITEMS) this.#mainWords = Math.max(this.#mainWords, this.#words - before)
    return parts.join('\n')
  }

  /** Reads a list of texts, as paragraphs if one of them is prose, otherwise as list items. */
  #readTexts(texts: readonly string[], name: string): string {
    const { role } = this.#fieldOf(name)
    const parts: string[] = []
    let isProse = role === 'body'
    for (const text of texts) {
      if (this.#isOver()) break
      isProse ||= countWordsAtStart(text) >= MIN_PROSE_WORDS
      parts.push(this.#readText(text, name, role === 'body' || role === 'label' || hasSpace(text)))
    }
    if (isProse) return parts.join('\n')
    const items = parts.filter((part) => part !== '')
    return items.length === 0 ? '' : `<ul>${items.map((item) => `<li>${item}</li>`).join('')}</ul>`
  }

  #readObject(object: JsonObject, { level, isInList }: Member): string {
    const members = Object.entries(object)
      .slice(0, MAX_VALUES)
      .filter(([name]) => !this.#fieldOf(name).isIrrelevant)
    const texts = members.filter(([, value]) => typeof value === 'string' && hasSpace(value))
    if (texts.length >= MAX_TEXTS) return ''
    const pair = readPair(members)
    if (pair !== undefined) {
      this.#words += countWords(pair)
      return `<p>${escapeHtml(pair)}</p>`
    }
    const titled = members.find(([name, value]) => this.#fieldOf(name).role === 'title' && isTitle(value))
    const title = typeof titled?.[1] === 'string' ? titled[1] : undefined
    const bodyBefore = this.#bodyWords
    const hasBody = members.some(([name, value]) => this.#fieldOf(name).role === 'body' && this.#isBody(value))
    const inner = members
      .filter((member) => member !== titled && !(hasBody && this.#fieldOf(member[0]).isExcerpt))
      .map(([name, value]) => this.#read(value, { name, level: level + 1, isInList: false }))
      .filter((part) => part !== '')
      .join('\n')
    this.#addItem(object, members, title, this.#bodyWords - bodyBefore)
    if (title === undefined || (inner === '' && !isInList)) return inner
    this.#words += countWords(title)
    const tag = `h${Math.min(6, headingLevel(isInList, level))}`
    return `<${tag}>${escapeHtml(title)}</${tag}>\n${inner}`
  }

  #addItem(
    value: JsonObject,
    members: readonly (readonly [string, unknown])[],
    title: string | undefined,
    bodyWords: number,
  ): void {
    if (bodyWords < MIN_ITEM_WORDS) return
    const addresses = members.flatMap(([name, one]) => (this.#fieldOf(name).isAddress ? (readAddress(one) ?? []) : []))
    if (addresses.length === 0 && title === undefined) return
    this.#items.push({ addresses, title, bodyWords, value })
    if (title !== undefined) this.#mainWords = Math.max(this.#mainWords, bodyWords)
  }

  /** Describes a property by its name. Cached, because data has few names, each of them thousands of times. */
  #fieldOf(name: string): Field {
    const field = this.#fields.get(name) ?? describeField(name)
    this.#fields.set(name, field)
    return field
  }

  /** Tests whether a value may be a body. Cached, because thousands of items may have the same text as their body. */
  #isBody(value: unknown): boolean {
    if (typeof value !== 'string') return typeof value === 'object' && value !== null
    const isLong = this.#longTexts.get(value) ?? isLongText(value)
    this.#longTexts.set(value, isLong)
    return isLong
  }

  /** Tests whether a text is read for the first time, because data may repeat it in several forms. */
  #isNew(plainText: string): boolean {
    const words = plainText.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
    if (words.length < MIN_UNIQUE_WORDS) return true
    const key = `${words.length > 40 ? 'long' : words.length} ${words.slice(0, UNIQUE_WORDS).join(' ')}`
    if (this.#seenTexts.has(key)) return false
    this.#seenTexts.add(key)
    return true
  }
}
