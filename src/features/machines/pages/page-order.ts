import type { DroppedPart } from '../../../content/digest/drop-plan.js'
import type { OrderedPage } from './page-task.js'
import { RecentMap } from '../../../base/collections/recent-map.js'
import { compact } from '../../../base/collections/compact.js'
import type { TrackPlan } from '../../../content/digest/digest.js'
import type { ScrapePlan } from '../../../kernel/plan/scrape-plan.js'
import { parseJson } from '../../../base/text/parse-json.js'
import { packMessage, type PageOrder, type ScrapeOrder, unpackMessage } from './page-task.js'

/** Plans, and learnt facts, that a worker keeps unpacked: those of some jobs. */
const MAX_PARTS = 200

/** An order whose plan and learnt facts are packed texts, which are the same in the orders of many pages. */
interface PackedOrder extends OrderedPage {
  readonly plan: string
  /** Comparison with the last snapshot of the page, packed. Absent where the plan has none. */
  readonly track?: string
  /** Absent where the plan has none. */
  readonly drop?: PackedDrop
}

/** A `DropPlan` with its facts as packed texts. */
interface PackedDrop extends DroppedPart {
  readonly learnt: readonly string[]
}

/** The plan without what differs between the pages of a job: what is left out of them, and the last snapshot. */
interface BasePlan extends Omit<ScrapePlan, 'digest'> {
  readonly digest: Omit<ScrapePlan['digest'], 'drop' | 'track'>
}

/**
 * Packs the orders of a job. Most pages of a job differ in their URL alone, so that its plan, and each of the learnt facts, is
 * packed once: serializing and compressing a plan took 0.1 ms for each page.
 */
export class OrderPacker {
  #base: { readonly plan: BasePlan; readonly packed: Promise<string> } | undefined
  readonly #learnt = new WeakMap<object, Promise<string>>()

  /** @throws RangeError when it is too large */
  async pack({ plan, ...order }: ScrapeOrder): Promise<string> {
    const { drop, track, ...digest } = plan.digest
    const packed: PackedOrder = {
      ...order,
      plan: await this.#packPlan({ ...plan, digest }),
      track: track && (await packMessage(track)),
    }
    if (!drop) return JSON.stringify(packed)
    const learnt = await Promise.all(drop.learnt.map((fact) => this.#packLearnt(fact)))
    return JSON.stringify({ ...packed, drop: { ...drop, learnt } })
  }

  #packPlan(plan: BasePlan): Promise<string> {
    if (!this.#base || !areSamePlans(this.#base.plan, plan)) this.#base = { plan, packed: packMessage(plan) }
    return this.#base.packed
  }

  #packLearnt(fact: object): Promise<string> {
    const packed = this.#learnt.get(fact) ?? packMessage(fact)
    this.#learnt.set(fact, packed)
    return packed
  }
}

/** Reads the orders of other engines. */
export class OrderReader {
  readonly #parts = new RecentMap<string, Promise<unknown>>(MAX_PARTS)

  /** Reverses {@link OrderPacker.pack}, and `packMessage` of an order to convert. @throws RangeError when it is too large */
  async read(payload: string): Promise<PageOrder> {
    if (!payload.startsWith('{')) return (await unpackMessage(payload)) as PageOrder
    const { plan, drop: asked, track, ...order } = parseJson(payload) as PackedOrder
    const base = (await this.#unpack(plan)) as BasePlan
    if (!asked && track === undefined) return { ...order, plan: base }
    const drop = asked && {
      ...asked,
      learnt: (await Promise.all(asked.learnt.map((fact) => this.#unpack(fact)))) as object[],
    }
    const tracked = track === undefined ? undefined : ((await unpackMessage(track)) as TrackPlan)
    return { ...order, plan: { ...base, digest: { ...base.digest, ...compact({ drop, track: tracked }) } } }
  }

  #unpack(packed: string): Promise<unknown> {
    const part = this.#parts.get(packed) ?? unpackMessage(packed)
    this.#parts.set(packed, part)
    return part
  }
}

/** Tests for plans with the same parts: what is left out of a page is put into a copy of its job's plan. */
const areSamePlans = ({ digest: one, ...first }: BasePlan, { digest: other, ...second }: BasePlan): boolean =>
  areSameMembers(first, second) && areSameMembers(one, other)

function areSameMembers(one: object, other: object): boolean {
  const [members, others] = [Object.entries(one), new Map(Object.entries(other))]
  return (
    members.length === others.size && members.every(([name, value]) => others.has(name) && others.get(name) === value)
  )
}
