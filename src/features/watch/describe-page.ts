import { type CheckedFacts, readFacts, type WatchedFacts } from './watch-state.js'
import { type ErrorCode, messageOf } from '../../base/errors.js'
import { addPlace, type Judgement, judgeTooLarge } from '../../content/compare/judge-changes.js'
import { addVisit, NO_NOISE, type NoiseMemory } from '../../content/compare/noise-memory.js'
import { isSuccessStatus } from '../../base/http/statuses.js'
import type { WatchedPage } from './watch-store.js'
import type { Document } from '../../kernel/page/document.js'
import type { WatchPlan } from './plan-watch.js'
import type { ChangeReason, NewResult } from './watch.js'
import type { WatchTools } from './watch-tools.js'
import { readWatched, toHeadingText, type WatchedText, writeWatched } from './write-data.js'

/**
 * Describes a page that its crawl found before and no longer finds. One that still answers is compared as any other, with a reason that
 * says so; it is not asked for again until the crawl finds it.
 */
export async function describeMissing(document: Document, context: WatchedContext): Promise<DescribedPage> {
  const described = await describePage(document, context)
  const { statusCode } = document.metadata
  if (!context.known || !isSuccessStatus(statusCode)) return described
  const { finding, facts } = described
  // A page to which the links come and go does so without a meaning.
  const { isKnown, noise } = addPlace(facts.noise ?? NO_NOISE, 'unlisted')
  const note = isKnown ? ' (not meaningful: it has been so in most checks)' : ''
  const reason = ofPage(`the crawl no longer finds the page, which still answers (${statusCode})${note}`)
  return {
    ...described,
    finding: {
      ...finding,
      status: finding.status === 'same' ? 'changed' : finding.status,
      meaningful: finding.meaningful || !isKnown,
      reasons: finding.meaningful || isKnown ? [...finding.reasons, reason] : [reason],
      statusCode,
    },
    facts: { ...facts, isUnlisted: true, noise: { ...noise, visits: facts.noise?.visits ?? noise.visits } },
  }
}

/** Finding of a check about a page, without its place among the results. */
type PageFinding = Omit<NewResult, 'watch' | 'check' | 'url'>

/** Circumstances of a page: its watch, its history, and the services of the engine. */
interface WatchedContext {
  readonly plan: WatchPlan
  /** The history of the page; undefined for a page that the watch does not know. */
  readonly known: WatchedPage | undefined
  /** True for a page whose target is checked for the first time. */
  readonly isFirst: boolean
  readonly tools: WatchTools
}

/** The finding, with what is stored of the page. */
export interface DescribedPage {
  readonly finding: PageFinding
  readonly facts: CheckedFacts
  readonly markdown: string
}

const isGone = (statusCode: number): boolean => statusCode === 404 || statusCode === 410

/** Maximum length of the unified diff of a result. Characters. */
const MAX_DIFF = 65_536

/** Compares a document with the history of its page. */
export async function describePage(document: Document, context: WatchedContext): Promise<DescribedPage> {
  const { known, tools } = context
  const { statusCode, error } = document.metadata
  const facts = known && readFacts(known.facts)
  if (!isSuccessStatus(statusCode)) {
    if (facts?.atMs === undefined || !isGone(statusCode)) {
      return describeFailure({ statusCode, error: error ?? `status ${statusCode}` }, context)
    }
    const base = beginFinding(facts, tools.now())
    const finding: PageFinding = facts.isGone
      ? { ...base, status: 'same' }
      : { ...base, status: 'removed', meaningful: true, reasons: [ofPage(`the page is gone (${statusCode})`)] }
    return {
      finding: { ...finding, statusCode },
      facts: { ...keptFacts(facts), isGone: true },
      markdown: known?.markdown ?? '',
    }
  }
  if (!known || facts?.atMs === undefined || facts.isGone) return describeNew(document, facts, context)
  return await describeKnown(document, { markdown: known.markdown, facts, atMs: facts.atMs }, context)
}

/** Describes a page that gave no document. Its history stays. */
export function describeFailure(
  failure: { statusCode?: number; code?: ErrorCode; error: string },
  { known, tools }: { readonly known: WatchedContext['known']; readonly tools: WatchedContext['tools'] },
): DescribedPage {
  const facts = known && readFacts(known.facts)
  return {
    finding: { ...beginFinding(facts, tools.now()), status: 'error', ...failure },
    facts: facts ? keptFacts(facts) : {},
    markdown: known?.markdown ?? '',
  }
}

const ofPage = (message: string): ChangeReason => ({ field: 'page', message })

const beginFinding = (facts: WatchedFacts | undefined, nowMs: number): PageFinding => ({
  status: 'same',
  meaningful: false,
  reasons: [],
  judgedBy: 'rules',
  confidence: 'high',
  checkedAt: new Date(nowMs).toISOString(),
  previousAt: facts?.atMs === undefined ? null : new Date(facts.atMs).toISOString(),
})

const keptFacts = ({
  atMs,
  finalUrl,
  isGone: gone,
  isUnlisted,
  partial,
  unread,
  noise,
}: WatchedFacts): DescribedPage['facts'] => ({
  atMs,
  finalUrl,
  isGone: gone,
  isUnlisted,
  partial,
  unread,
  noise,
})

function describeNew(
  document: Document,
  facts: WatchedFacts | undefined,
  { isFirst, plan, tools }: WatchedContext,
): DescribedPage {
  const { metadata } = document
  const isBack = facts?.isGone === true
  const told = isBack || !isFirst
  const { text, partial } = writeWatched(document, plan.data)
  const warning = joinWarnings(partial.map(warnOfPart))
  const finding: PageFinding = { ...beginFinding(facts, tools.now()), status: 'new', document, warning }
  return {
    finding: told
      ? { ...finding, meaningful: true, reasons: [ofPage(isBack ? 'the page is back' : 'the page was found')] }
      : finding,
    facts: {
      atMs: tools.now(),
      finalUrl: metadata.url,
      noise: facts?.noise,
      // What comes to a page that had no list is new.
      partial: listOrNone(partial.filter(({ why }) => !NO_LIST.test(why)).map(({ name }) => name)),
      unread: countUnread(partial),
    },
    markdown: text,
  }
}

const NO_LIST = /^The page has no list/

const listOrNone = (names: readonly string[]): readonly string[] | undefined => (names.length === 0 ? undefined : names)

const countUnread = (partial: WatchedText['partial']): CheckedFacts['unread'] =>
  partial.length === 0 ? undefined : Object.fromEntries(partial.map(({ name, visits, why }) => [name, { visits, why }]))

async function describeKnown(
  document: Document,
  { markdown: previous, facts, atMs }: { markdown: string; facts: WatchedFacts; atMs: number },
  context: WatchedContext,
): Promise<DescribedPage> {
  const { plan, tools } = context
  const { metadata } = document
  const written = writeWatched(document, plan.data, previous, facts.unread)
  const { text: current, page, tables, missing, partial } = written
  const nowMs = tools.now()
  const { noise } = facts
  // Of a list that is read to the same end again, both versions are what was read.
  const isAsRead = (name: string): boolean =>
    partial.some((one) => one.name === name && (!one.isHeld || one.why === facts.unread?.[name]?.why))
  const uncertain = (facts.partial ?? []).filter((name) => !isAsRead(name))
  const last = readWatched(previous, plan.data)
  const data = tables.length + last.tables.length > 0 && {
    previous: last.tables,
    current: tables,
    pages: [last.page, page] as const,
    uncertain: uncertain.map(toHeadingText),
  }
  const versions = {
    previous,
    current,
    previousAtMs: atMs,
    atMs: nowMs,
    fields: plan.fields,
    noise,
    ...(data && { data }),
  }
  // Equal texts need no comparison, which could take too long.
  const judged =
    previous === current
      ? { isChanged: false, isMeaningful: false, isDoubtful: false, reasons: [], noise: addVisit(noise ?? NO_NOISE) }
      : ((await tools.judge(versions, metadata.url, tools.closing)) ??
        judgeTooLarge(noise, 'the page is too large to be compared'))
  const { judgement, judgedBy, warning = judged.warning } = await decide(judged, metadata.url, context)
  const lacks = missing.length > 0 && `Not compared, because the page gave none: ${missing.join(', ')}.`
  const { isChanged, diff, isMeaningful, reasons, leftOut } = judgement
  const isCut =
    leftOut !== undefined && `${leftOut} reasons are left out after the first ${reasons.length}: see \`diff\`.`
  const warnings = [warning, lacks, lacks && document.warning, ...partial.map(warnOfPart), isCut]
  const move = judgeMove(facts.finalUrl, metadata.url, judgement)
  const { hasMoved } = move
  const moved = hasMoved ? [ofPage(`the page has moved to ${metadata.url}`)] : []
  // Data that was read whole once stays so, with the rows that it keeps.
  const unread = new Set([...missing, ...partial.map(({ name }) => name)])
  const stillPartial = uncertain.filter((name) => unread.has(name))
  const finding: PageFinding = {
    ...beginFinding(facts, nowMs),
    status: hasMoved ? 'moved' : isChanged ? 'changed' : 'same',
    meaningful: hasMoved || isMeaningful,
    reasons: [...moved, ...reasons],
    judgedBy,
    confidence: judgedBy === 'model' ? 'medium' : judgement.isDoubtful && !hasMoved ? 'low' : 'high',
    movedTo: hasMoved ? metadata.url : undefined,
    diff: diff && { ...diff, text: diff.text.slice(0, MAX_DIFF) },
    document: hasMoved || isChanged || plan.hasAllDocuments ? document : undefined,
    warning: joinWarnings(warnings),
  }
  return {
    finding,
    facts: {
      atMs: nowMs,
      finalUrl: metadata.url,
      noise: move.noise,
      partial: listOrNone(stillPartial),
      unread: countUnread(partial),
    },
    markdown: current,
  }
}

const warnOfPart = ({ name, why, visits, isHeld }: WatchedText['partial'][number]): string =>
  isHeld
    ? `\`${name}\` was not read whole, and rows that are missing count as unchanged: ${why}`
    : `\`${name}\` was not read whole in ${visits} checks, and what was read is compared: ${why}`

const joinWarnings = (warnings: readonly (string | false | undefined)[]): string | undefined => {
  const told = warnings.filter(Boolean)
  return told.length === 0 ? undefined : told.join(' ')
}

/**
 * Judges whether a page has moved. Where its text says nothing new, another query or fragment is no move; nor is another
 * address of a page whose address changes at most checks.
 */
function judgeMove(
  before: string | undefined,
  now: string,
  { isMeaningful, noise }: Judgement,
): { hasMoved: boolean; noise: NoiseMemory } {
  const bare = (url: string): string => url.replace(/[?#].*$/s, '')
  const isOther = before !== undefined && (isMeaningful ? before !== now : bare(before) !== bare(now))
  if (!isOther) return { hasMoved: false, noise }
  // The comparison of the texts has counted this visit.
  const { isKnown, noise: next } = addPlace(noise, 'moved')
  return { hasMoved: !isKnown, noise: { ...next, visits: noise.visits } }
}

interface Decided {
  readonly judgement: Judgement
  readonly judgedBy: NewResult['judgedBy']
  readonly warning?: string
}

/** Asks the model where the rules are in doubt, and the watch has a goal. */
async function decide(judgement: Judgement, url: string, { plan, tools }: WatchedContext): Promise<Decided> {
  const { goal } = plan
  if (!judgement.isDoubtful || goal === undefined || !tools.decide) return { judgement, judgedBy: 'rules' }
  const diff = judgement.diff?.text ?? ''
  try {
    const { isMeaningful, reason } = await tools.decide({ url, goal, diff }, tools.closing)
    return { judgement: { ...judgement, isMeaningful, reasons: [reason] }, judgedBy: 'model' }
  } catch (error) {
    if (tools.closing.aborted) throw error
    return { judgement, judgedBy: 'rules', warning: `The model could not be asked: ${messageOf(error)}` }
  }
}
