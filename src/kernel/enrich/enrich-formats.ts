import type { PaidWork } from '../../base/accounting/credits.js'
import type { CapturesByType } from '../fetch/capture.js'
import type { AnyEnrichFormat, FormatTrait, NeededLists, NeededSnapshot } from './format.js'

/** Items of `formats`, as objects. */
type FormatItems = readonly { readonly type: string }[]

/** Inputs that formats need. */
interface FoundNeeds {
  readonly text: boolean
  readonly facts: boolean
  readonly media: boolean
  readonly model: boolean
  /** A language model is asked where the engine has one. */
  readonly mayAsk: boolean
}

/** Formats that need more than the page. They answer for formats of other kinds as well, which need nothing. */
export class EnrichFormats {
  /** Captures of the formats that need a browser, by the type of the format. @internal */
  readonly captures: CapturesByType
  readonly #byType: ReadonlyMap<string, AnyEnrichFormat>

  constructor(formats: readonly AnyEnrichFormat[]) {
    this.#byType = new Map(formats.map((format) => [format.type, format]))
    this.captures = new Map(formats.flatMap(({ type, capture }) => (capture ? [[type, capture] as const] : [])))
  }

  /** Returns the format of this name; undefined if it needs no more than the page. */
  enriching(type: string): AnyEnrichFormat | undefined {
    return this.#byType.get(type)
  }

  /** Returns true if the format of this name has a trait. */
  hasTrait(type: string, trait: FormatTrait): boolean {
    return this.#byType.get(type)?.traits?.includes(trait) === true
  }

  /** True for a format that compares the page with its last snapshot. */
  comparesSnapshots(type: string): boolean {
    return this.#byType.get(type)?.needs?.snapshot !== undefined
  }

  /** Lists the work that these formats may charge for, besides the page itself, each once. */
  findWork(items: FormatItems): readonly PaidWork[] {
    return [...new Set(items.flatMap((item) => this.#byType.get(item.type)?.charges?.(item) ?? []))]
  }

  /** Returns the lists that these formats need; undefined for none. */
  findLists(items: FormatItems): NeededLists | undefined {
    return firstOf(items, (item) => this.#byType.get(item.type)?.needs?.lists?.(item))
  }

  /** Returns the comparison with the last snapshot that these formats need; undefined for none. */
  findSnapshot(items: FormatItems): NeededSnapshot | undefined {
    return firstOf(items, (item) => this.#byType.get(item.type)?.needs?.snapshot?.(item))
  }

  /** Lists the inputs that these formats need. Planning and the checks of a request read it. */
  findNeeds(items: FormatItems): FoundNeeds {
    const needs = items.map((item) => ({ item, needs: this.#byType.get(item.type)?.needs }))
    return {
      text: needs.some(({ item, needs: own }) => own?.text?.(item) === true),
      facts: needs.some(({ item, needs: own }) => own?.facts?.(item) === true),
      media: needs.some(({ item, needs: own }) => own?.media?.(item) === true),
      model: needs.some(({ item, needs: own }) => own?.model?.(item) === true),
      mayAsk: needs.some(({ item, needs: own }) => (own?.model?.(item) ?? false) !== false),
    }
  }
}

function firstOf<Item, Found>(items: readonly Item[], find: (item: Item) => Found | undefined): Found | undefined {
  for (const item of items) {
    const found = find(item)
    if (found !== undefined) return found
  }
  return undefined
}
