import { InvalidRequestError, TrawlError } from '../../base/errors.js'
import type { AnyDefinitions, FeatureOptions } from '../options/option-definition.js'
import type { ScrapeOptions } from '../options/scrape-options.js'
import type { DocumentAddition, FeatureResults, MadeDocument } from '../page/feature-steps.js'
import type { DigestedPage, FeatureRunner, FeatureStep } from '../page/page-context.js'
import type { PlanFeatures } from '../plan/feature-plan.js'
import type { ScrapePlan } from '../plan/scrape-plan.js'
import type { Feature } from './feature.js'

/** The features of an engine, in order. */
export class FeatureSet implements PlanFeatures, FeatureRunner {
  readonly list: readonly Feature[]
  readonly options: FeatureOptions
  readonly metadataNames: ReadonlySet<string>
  readonly #steps = new Map<string, FeatureStep | Promise<FeatureStep>>()

  /** @throws InvalidRequestError if two have one name, one lacks a feature that it needs, or they are in the wrong order */
  constructor(list: readonly Feature[], options?: FeatureOptions) {
    refuseDisorder(list)
    this.list = list
    this.options = options ?? {
      page: Object.assign({}, ...list.map(({ options: own }) => own?.page ?? {})) as AnyDefinitions,
    }
    this.metadataNames = new Set(list.flatMap(({ metadata = [] }) => metadata))
  }

  /** Returns the features for one engine: their steps share nothing with those of others. The schemas are made once for all. */
  forEngine(): FeatureSet {
    return new FeatureSet(this.list, this.options)
  }

  plan(options: ScrapeOptions): Pick<ScrapePlan, 'features' | 'asksFurther'> {
    const features: Record<string, unknown> = {}
    const asksFurther: string[] = []
    for (const feature of this.list) {
      const slice = feature.plan?.(options)
      if (slice === undefined) continue
      features[feature.name] = slice
      if (feature.asksSite) asksFurther.push(feature.name)
    }
    if (Object.keys(features).length === 0) return {}
    return { features, ...(asksFurther.length > 0 && { asksFurther }) }
  }

  async run(page: DigestedPage): Promise<FeatureResults | undefined> {
    const { features: slices } = page.context.plan
    if (slices === undefined) return undefined
    const results = new Map<string, unknown>()
    for (const feature of this.list) {
      const slice = slices[feature.name]
      if (slice === undefined || !feature.open) continue
      const result = await this.#runStep(feature, page, slice)
      if (result !== undefined) results.set(feature.name, result)
    }
    return results.size === 0 ? undefined : results
  }

  describe(results: FeatureResults, made: MadeDocument): readonly DocumentAddition[] {
    return this.list.flatMap((feature) => {
      const result = results.get(feature.name)
      return result === undefined ? [] : (feature.document?.(result, made) ?? [])
    })
  }

  async #runStep(feature: Feature, page: DigestedPage, slice: unknown): Promise<unknown> {
    const { signal } = page.context.deadline
    try {
      const step = await this.#open(feature)
      return await step(page, slice)
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof TrawlError) throw error
      const { url } = page.context.request
      throw new TrawlError('SCRAPE_ALL_ENGINES_FAILED', `feature \`${feature.name}\` failed: ${String(error)}`, { url })
    }
  }

  #open(feature: Feature): FeatureStep | Promise<FeatureStep> {
    const known = this.#steps.get(feature.name)
    if (known) return known
    const opened = feature.open?.() ?? Promise.reject(new TypeError('no step'))
    this.#steps.set(feature.name, opened)
    // The next page tries again.
    if (opened instanceof Promise) opened.catch(() => this.#steps.delete(feature.name))
    return opened
  }
}

function refuseDisorder(list: readonly Feature[]): void {
  const names = new Set(list.map(({ name }) => name))
  const before = new Set<string>()
  for (const { name, needs = [], after = [] } of list) {
    const fault = before.has(name)
      ? 'stands twice in the list'
      : [
          ...needs.filter((one) => !names.has(one)).map((one) => `needs feature \`${one}\`, which is not in the list`),
          ...[...needs, ...after]
            .filter((one) => names.has(one) && !before.has(one))
            .map((one) => `stands before \`${one}\`, which it follows`),
        ].at(0)
    if (fault !== undefined)
      throw new InvalidRequestError([{ code: 'custom', path: ['features', name], message: `\`${name}\` ${fault}` }])
    before.add(name)
  }
}
