import type { ChangeField } from './change-field.js'
import { compare } from './compare.js'
import { type BlockJudgement, judgeBlock } from './judge-block.js'
import { type DataVersions, judgeData } from './judge-data.js'
import { findChanges, type ChangedBlock } from './match-passages.js'
import { addVisit, type BlockPlaces, isNoisy, namePlaces, NO_NOISE, type NoiseMemory } from './noise-memory.js'
import { type Passage, readPassages } from './read-passages.js'
import { toPlainText } from './changed-words.js'
import { toldBy } from './told-by-data.js'

/** Two versions of a page, with what is known of its noise. */
export interface PageVersions {
  readonly previous: string
  readonly current: string
  /** The data of both, which are judged entry by entry, with the texts of the page before them. */
  readonly data?: DataVersions & { readonly pages: readonly [previous: string, current: string] }
  /** Times at which they were seen. Milliseconds since the epoch. */
  readonly previousAtMs: number
  readonly atMs: number
  readonly noise?: NoiseMemory
  /** Kinds of changes that are meaningful. */
  readonly fields: readonly ChangeField[]
}

/** A judged change. */
interface JudgedChange {
  readonly field: ChangeField | 'page'
  readonly message: string
  /** Words that stood there and those that stand there now, as written: of prices, states, dates and numbers. */
  readonly previous?: string
  readonly current?: string
}

/** The judgement of two versions. */
export interface Judgement {
  readonly isChanged: boolean
  readonly diff?: { text: string; blocks: ChangedBlock[] }
  readonly isMeaningful: boolean
  /** True if it is meaningful, and nothing but numbers, links or words of no known kind have changed. */
  readonly isDoubtful: boolean
  /** Meaningful changes; if there are none, the others, with what they are. */
  readonly reasons: readonly JudgedChange[]
  /** Number of reasons that were left out. */
  readonly leftOut?: number
  readonly noise: NoiseMemory
  /** Reason why the change was not judged. */
  readonly warning?: string
}

/** Maximum number of blocks that are judged one by one. */
const MAX_BLOCKS = 2000

/** Maximum number of reasons. */
const MAX_REASONS = 500

/** Kinds of changes that may be noise of a page that is not known for long. */
const DOUBTFUL: readonly ChangeField[] = ['number', 'link', 'text', 'item']

/** Kinds of changes that stay meaningful although they are frequent. */
const TELLING: readonly ChangeField[] = ['price', 'availability']

/** The headings of level 1. */
const listTitles = (passages: readonly Passage[]): ReadonlySet<string> =>
  new Set(
    passages
      .filter(({ kind, text }) => kind === 'heading' && /^ {0,3}#[ \t]/.test(text))
      .map(({ text }) => text.replace(/^ {0,3}#[ \t]*/, '').trim()),
  )

/** Judges versions that differ too much to be compared block by block. A page of which that is usual is noise. */
export function judgeTooLarge(noise: NoiseMemory = NO_NOISE, message: string): Judgement {
  const { isKnown, noise: next } = addPlace(noise, 'large')
  const reason = isKnown ? ' (not meaningful: it is so in most checks)' : ''
  return {
    isChanged: true,
    isMeaningful: !isKnown,
    isDoubtful: false,
    reasons: [{ field: 'text', message: `${message}${reason}` }],
    noise: next,
    warning: `The change could not be judged: ${message}`,
  }
}

/** Adds a comparison in which nothing but one named place of a page has changed. */
export function addPlace(noise: NoiseMemory, name: string): { isKnown: boolean; noise: NoiseMemory } {
  const places = { before: name, after: name, skeleton: undefined }
  const isKnown = isNoisy({ change: 'edited', kind: 'text', headings: [] }, places, noise, false)
  return { isKnown, noise: addVisit(noise, [{ places, isNoisy: isKnown }]) }
}

/**
 * Compares two versions of a page and judges whether their difference matters. Rules know prices, states, dates, numbers,
 * rows, headings and texts, and what is none of the page's matters: its order, counters, dates of the visit, identifiers,
 * advertisements. A place that has changed in most comparisons before is noise of this page.
 */
export function judgeChanges({ previous, current, data, noise = NO_NOISE, fields, ...times }: PageVersions): Judgement {
  const { isChanged, diff } = compare(current, { previous, diff: true })
  if (!isChanged || !diff) {
    return { isChanged: false, isMeaningful: false, isDoubtful: false, reasons: [], noise: addVisit(noise) }
  }
  const shown = { text: diff.text, blocks: diff.blocks }
  const [before, now] = data?.pages ?? [previous, current]
  const versions = [readPassages(before), readPassages(now)] as const
  const page = { ...times, titles: listTitles(versions.flat()) }
  const entries = data ? judgeData(data, page) : []
  const changes = findChanges(...versions)
  if (changes.length + entries.length > MAX_BLOCKS) {
    return { ...judgeTooLarge(noise, `${changes.length + entries.length} blocks have changed`), diff: shown }
  }
  // What the data tell is not read from the lines of the page, which do not say of which entry they are.
  const isTold = data
    ? toldBy(
        data,
        entries.flatMap(({ change, judgement }) => (judgement.noise === undefined ? [change.block] : [])),
        versions.flat(),
      )
    : () => false
  const ofPage = changes
    .filter(({ block }) => !isTold(block))
    .map((change) => ({
      change,
      judgement: judgeBlock(change.block, page),
      context: quoteContext(change.block, page.titles),
    }))
  const byRules = [...ofPage, ...entries]
  // A block that rules know as noise has no need of the memory, and is none of the blocks of its place.
  const open = byRules.filter(({ judgement }) => judgement.noise === undefined)
  const places = namePlaces(open.map(({ change }) => change))
  const noisy: { places: BlockPlaces; isNoisy: boolean }[] = []
  const judged = byRules.flatMap(({ change: { block }, judgement: { also, ...rule }, context }) => {
    const own = places.get(block)
    const isKnown = own !== undefined && isNoisy(block, own, noise, TELLING.includes(rule.field))
    if (own) noisy.push({ places: own, isNoisy: isKnown })
    return [rule, ...(also ? [also] : [])].map((one) => {
      const judgement = { ...one, message: context === '' ? one.message : `${one.message} (${shorten(context)})` }
      if (!own) return judgement
      if (!fields.includes(one.field)) return { ...judgement, noise: 'not among `fields`' }
      return isKnown ? { ...judgement, noise: 'it has changed in most checks' } : judgement
    })
  })
  const meaningful = judged.filter((one) => one.noise === undefined)
  const told = meaningful.length > 0 ? meaningful : judged.length > 0 ? judged : [OTHER_PLACES]
  return {
    isChanged,
    diff: shown,
    isMeaningful: meaningful.length > 0,
    isDoubtful: meaningful.length > 0 && meaningful.every(({ field }) => DOUBTFUL.includes(field)),
    reasons: told.slice(0, MAX_REASONS).map(({ field, message, noise: reason, previous: was, current: is }) => ({
      field,
      message: `${field}: ${message}${reason === undefined ? '' : ` (not meaningful: ${reason})`}`,
      previous: was,
      current: is,
    })),
    leftOut: told.length > MAX_REASONS ? told.length - MAX_REASONS : undefined,
    noise: addVisit(noise, noisy),
  }
}

/** A change of the lines of a page whose data are the same. */
const OTHER_PLACES: BlockJudgement = {
  field: 'text',
  message: 'entries stand at other places',
  noise: 'the data of the page are the same',
}

/** Maximum length of a quoted context. Characters. */
const MAX_CONTEXT = 60
/** Characters of a block that are looked at. */
const MAX_READ = 500

/**
 * Quotes what an edited block is about: the words with which a row or an item begins, or else the heading above. Empty where
 * neither tells more than the page.
 *
 * @param titles the headings of the page itself
 */
function quoteContext(block: ChangedBlock, titles: ReadonlySet<string>): string {
  if (block.change !== 'edited') return ''
  const heading = block.headings.at(-1)?.trim() ?? ''
  const isEntry = block.kind === 'row' || block.kind === 'item'
  const start = isEntry ? findStart(block) : ''
  return start !== '' ? start : titles.has(heading) ? '' : readWords(heading).join(' ')
}

const shorten = (context: string): string =>
  context.length > MAX_CONTEXT ? `${context.slice(0, MAX_CONTEXT)}…` : context

/** Finds the whole words with which both versions of a block begin. */
function findStart({ text = '', previous = '' }: ChangedBlock): string {
  const [before, now] = [readWords(previous), readWords(text)]
  const end = now.findIndex((word, index) => word !== before[index])
  const words = now.slice(0, end === -1 ? now.length : end).filter((word) => /[\p{L}\p{N}]/u.test(word))
  return words.join(' ').replace(/[^\p{L}\p{N})\]]$/u, '')
}

const readWords = (markdown: string): string[] => toPlainText(markdown.slice(0, MAX_READ)).trim().split(/\s+/)
