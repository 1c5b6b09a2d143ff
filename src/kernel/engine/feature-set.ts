import { type ErrorRow, type FeatureErrors, InvalidRequestError, messageOf } from '../../base/errors.js'
import type { RobotsRecordKinds } from '../../content/robots/robots-file.js'
import type { FeatureAttempt } from '../ledger/ledger.js'
import { skipReasons, type StopWords } from '../ledger/skip-reason.js'
import type { RewritePlan } from '../../content/digest/rewriter.js'
import type { Json } from '../../base/store/store.js'
import type { PageRewriter, RewrittenPage } from '../page/page-rewriter.js'
import { compact } from '../../base/collections/compact.js'
import type { OpenGuide } from '../job/crawl/crawl-guide.js'
import type { OpenMemory } from '../job/crawl/crawl-memory.js'
import { FormatSet } from '../options/format-set.js'
import type { PageCookies } from '../../base/http/cookies.js'
import type { NamedFetcher } from '../fetch/feature-fetcher.js'
import type { FeatureConfig } from '../options/feature-options.js'
import type { AnyDefinitions, FeatureOptions } from '../options/option-definition.js'
import type { ScrapeOptions } from '../options/scrape-options.js'
import type { FeatureScript, ProfilePlan } from '../fetch/browser-plan.js'
import type { RedirectRule } from '../fetch/fetcher.js'
import {
  type DocumentAddition,
  type FeatureResults,
  type MadeDocument,
  type PageRefusal,
  RefusalError,
} from '../page/feature-steps.js'
import type { FeatureRunner, AnsweredPage, WantedUrl } from '../page/page-context.js'
import type { AskedJob, FeaturesInPage, PlanFeatures, PlannedFeatures } from '../plan/feature-plan.js'
import type { ScrapePlan } from '../plan/scrape-plan.js'
import { changeHeaders, headersFor, withHeaders, withoutCache, withProfile } from './change-headers.js'
import type { EnginePlan } from '../plan/plan-engine.js'
import type { ExchangeObserver } from '../../base/http/observe-exchanges.js'
import type { EngineParts } from './entry-points.js'
import type { AddedFetchers } from '../fetch/renderer.js'
import type { EngineInternals, Feature, FeatureSteps, FetcherParts, NamedEngineExtension } from './feature.js'
import type { OpenPrompt } from './create-strategies.js'
import { callFeature, FeatureRun, toRefusal } from './feature-run.js'

/** The features of an engine, in order. */
export class FeatureSet implements PlanFeatures, FeatureRunner {
  readonly list: readonly Feature[]
  readonly options: FeatureOptions
  readonly metadataNames: ReadonlySet<string>
  readonly skipReasons: readonly string[]
  readonly stopWords: StopWords
  /** Error codes of features. */
  readonly errors: Readonly<Record<keyof FeatureErrors, ErrorRow>>
  /** Further records of robots.txt that they read. */
  readonly robotsKinds: RobotsRecordKinds
  readonly #steps = new Map<string, FeatureSteps | Promise<FeatureSteps>>()
  readonly #opened = new Map<string, unknown>()
  readonly #engine: EngineInternals | undefined
  readonly fetchers: readonly NamedFetcher[]

  /** @throws InvalidRequestError if two have one name, one lacks a feature that it needs, or they are in the wrong order */
  constructor(list: readonly Feature[], options?: FeatureOptions, engine?: EngineInternals) {
    refuseDisorder(list)
    this.list = list
    this.#engine = engine
    this.robotsKinds = new Map(list.flatMap(({ robots }) => (robots ? [...robots] : [])))
    this.errors = Object.fromEntries(
      list.flatMap(({ refusal }) => (refusal ? [[refusal.code, refusal.error]] : [])),
    ) as Record<keyof FeatureErrors, ErrorRow>
    const named = list.flatMap(({ stops, refusal }) => [stops, refusal].flatMap((kind) => kind?.reason ?? []))
    this.skipReasons = [...new Set([...skipReasons, ...named])]
    this.stopWords = Object.fromEntries(list.flatMap(({ stops }) => (stops ? [[stops.reason, stops.stoppedBy]] : [])))
    this.options = options ?? {
      page: mergeOptions(list, 'page'),
      job: mergeOptions(list, 'job'),
      crawl: mergeOptions(list, 'crawl'),
      engine: mergeOptions(list, 'engine'),
      calls: Object.assign({}, ...list.map(({ options: own }) => own?.calls ?? {})) as FeatureOptions['calls'],
      requests: list.flatMap(({ options: own }) => own?.requests ?? []),
      ledgers: list.flatMap(({ ledgers = [] }) => ledgers),
      formats: new FormatSet(list.flatMap(({ formats = [] }) => formats)),
    }
    this.fetchers = list.flatMap(({ name, fetcher }) => (fetcher ? [{ feature: name, fetcher }] : []))
    this.metadataNames = new Set(list.flatMap(({ metadata = [] }) => metadata))
  }

  /** Returns these features with those that a caller adds. @throws InvalidRequestError for a wrong one */
  adopt(given: readonly unknown[]): FeatureSet {
    if (given.length === 0) return this
    const own = this.list.find(({ adopt }) => adopt)?.adopt?.(given, this.list) ?? []
    return new FeatureSet([...this.list, ...own])
  }

  get formats(): FormatSet {
    return this.options.formats
  }

  openedFor(type: string): unknown {
    const feature = this.list.find(({ formats = [] }) => formats.some((format) => format.type === type))
    if (!feature?.openFormats || !this.#engine) return undefined
    if (!this.#opened.has(feature.name)) this.#opened.set(feature.name, feature.openFormats(this.#engine))
    return this.#opened.get(feature.name)
  }

  /** Returns the features for one engine: their steps share nothing with those of others. The schemas are made once for all. */
  forEngine(engine: EngineInternals): FeatureSet {
    return new FeatureSet(this.list, this.options, engine)
  }

  /** Returns the fetchers that a feature adds to an engine. */
  openFetchers(engine: FetcherParts): AddedFetchers {
    return this.list.find(({ openFetchers }) => openFetchers)?.openFetchers?.(engine) ?? {}
  }

  /** Opens the observer of the exchanges of an engine; undefined where no feature has one. */
  openObserver(settings: EnginePlan): ExchangeObserver | undefined {
    const observers = this.list.flatMap((feature) => feature.openObserver?.(settings) ?? [])
    if (observers.length < 2) return observers[0]
    return {
      get isActive() {
        return observers.some((observer) => observer.isActive)
      },
      observe(exchange) {
        for (const observer of observers) if (observer.isActive) observer.observe(exchange)
      },
    }
  }

  /** Returns what the features add to an engine. */
  extendEngine(engine: EngineParts): readonly NamedEngineExtension[] {
    return this.list.flatMap((feature) => {
      const extension = feature.extendEngine?.(engine)
      return extension ? [{ ...extension, feature: feature.name }] : []
    })
  }

  planJob(page: ScrapePlan, options: AskedJob, config: FeatureConfig): PlannedFeatures {
    const features: Record<string, unknown> = {}
    let changed = page
    let [guide, pagesAtOnce]: [string?, number?] = []
    for (const feature of this.list) {
      const planned = feature.planJob?.(changed, options, config)
      if (!planned) continue
      features[feature.name] = planned.slice
      changed = planned.page ?? changed
      pagesAtOnce ??= planned.pagesAtOnce
      if (feature.openGuide) guide ??= feature.name
    }
    return compact({
      page: changed,
      features: Object.keys(features).length > 0 ? features : undefined,
      guide,
      pagesAtOnce,
    })
  }

  readonly openPrompt: OpenPrompt = (crawl) => this.list.find(({ openPrompt }) => openPrompt)?.openPrompt?.(crawl)

  readonly openGuide: OpenGuide = ({ guide, features }, crawl) =>
    guide === undefined
      ? undefined
      : this.list.find(({ name }) => name === guide)?.openGuide?.(features?.[guide], crawl)

  readonly openMemory: OpenMemory = (planOf, { start, keyOf, refuse }) => {
    const { features = {} } = planOf()
    const feature = this.list.find(({ name, openMemory }) => openMemory && Object.hasOwn(features, name))
    return feature?.openMemory?.({
      start,
      keyOf,
      refuse,
      get slice() {
        return planOf().features?.[feature.name] ?? features[feature.name]
      },
    })
  }

  plan(options: ScrapeOptions, config: FeatureConfig = {}): FeaturesInPage {
    const features: Record<string, unknown> = {}
    const asksFurther: string[] = []
    const judges: Record<string, string> = {}
    const ownFeatures: string[] = []
    const changesRequests: string[] = []
    const scripts: FeatureScript[] = []
    let rewrite: RewritePlan | undefined
    for (const feature of this.list) {
      const slice = feature.plan?.(options, config)
      // A fetcher may be asked for any page.
      if (feature.isOwn && (slice !== undefined || feature.fetcher)) ownFeatures.push(feature.name)
      if (slice === undefined) continue
      features[feature.name] = slice
      if (feature.asksSite) asksFurther.push(feature.name)
      if (feature.rewrites) rewrite = { feature: feature.name, options: slice as Json }
      if (feature.changesRequests ?? feature.changes?.(slice)) changesRequests.push(feature.name)
      const { name, browser: source, optional } = feature
      if (source !== undefined) scripts.push({ feature: name, source, isOptional: optional || undefined })
      const judgement = feature.judges?.(slice)
      if (judgement !== undefined) judges[feature.name] = judgement
    }
    const own = ownFeatures.length > 0 && { ownFeatures }
    if (Object.keys(features).length === 0) return { ...own }
    return {
      features,
      ...own,
      asksFurther: asksFurther.length > 0 ? asksFurther : undefined,
      changesRequests: changesRequests.length > 0 ? changesRequests : undefined,
      scripts: scripts.length > 0 ? scripts : undefined,
      rewrite,
      judges: Object.keys(judges).length > 0 ? judges : undefined,
    }
  }

  begin(page: AnsweredPage, which: 'features' | 'judges' = 'features'): FeatureRun | undefined {
    const { [which]: names } = page.context.plan
    if (names === undefined) return undefined
    const features = this.list.filter(({ name, open }) => open && Object.hasOwn(names, name))
    return new FeatureRun(page, features, this)
  }

  refuse(wanted: WantedUrl, byAddress?: boolean): Promise<PageRefusal | undefined> {
    const asked =
      byAddress === undefined
        ? this.list
        : this.list.filter(({ judgesRedirects }) => (judgesRedirects === true) === byAddress)
    return this.#refuse(wanted, asked)
  }

  async changeRequest({ url, plan, visit = {}, signal }: WantedUrl) {
    const given = headersFor(url, plan)
    const warnings: string[] = []
    let headers = given
    let profile: ProfilePlan | undefined
    let cookies: PageCookies | undefined
    for (const feature of this.list) {
      if (!plan.changesRequests?.includes(feature.name)) continue
      const slice = plan.features?.[feature.name]
      const asked = { url, slice, signal, headers: { ...headers } }
      try {
        const change = await callFeature(feature, asked, async () =>
          (await this.openSteps(feature)).request?.(asked, { plan, visit }),
        )
        if (change?.headers) headers = changeHeaders(headers, change.headers)
        profile = change?.profile ?? profile
        cookies = change?.cookies ?? cookies
      } catch (error) {
        if (!feature.optional || signal.aborted) throw error
        warnings.push(messageOf(error))
      }
    }
    const changed = headers === given ? plan : withHeaders(plan, url, headers)
    const own = cookies ? withoutCache(changed) : changed
    return { plan: profile ? withProfile(own, profile) : own, warnings, cookies }
  }

  guardRedirects(page: WantedUrl, rule: RedirectRule | undefined): RedirectRule | undefined {
    const { judges } = page.plan
    const asked =
      judges && this.list.filter(({ name, judgesRedirects }) => judgesRedirects && Object.hasOwn(judges, name))
    if (!asked || asked.length === 0) return rule
    return {
      name: [rule?.name ?? '', ...asked.map(({ name }) => `${name} ${judges[name]}`)].join(' '),
      check: async (target) => {
        const judge = async (features: readonly Feature[]) => {
          const refused = await this.#refuse({ ...page, url: target.href, from: page.url }, features)
          if (refused) throw new RefusalError(refused, target.href)
        }
        try {
          await rule?.check(target)
        } catch (error) {
          await judge(asked.filter(({ judgesRedirects }) => judgesRedirects === 'denied'))
          throw error
        }
        await judge(asked.filter(({ judgesRedirects }) => judgesRedirects === true))
      },
    }
  }

  async #refuse(
    { url, from, plan, visit = {}, signal }: WantedUrl & { readonly from?: string },
    features: readonly Feature[],
  ): Promise<PageRefusal | undefined> {
    const { judges, features: slices } = plan
    if (judges === undefined) return undefined
    for (const feature of features) {
      if (!Object.hasOwn(judges, feature.name)) continue
      const message = await callFeature(feature, { url, signal }, async () => {
        const { refuse } = await this.openSteps(feature)
        return refuse?.({ url, from, slice: slices?.[feature.name], signal }, { plan, visit })
      })
      if (message !== undefined) return toRefusal(feature, message)
    }
    return undefined
  }

  async judgeAnswer({ obtained, ...answer }: AnsweredPage): Promise<PageRefusal | undefined> {
    const { page } = obtained
    // A 304 is about a page that was a success.
    const judged = page.statusCode === 304 ? { ...obtained, page: { ...page, statusCode: 200 } } : obtained
    const run = this.begin({ ...answer, obtained: judged }, 'judges')
    await run?.beforeDigest()
    return run?.suspicion
  }

  async openRewriter(plan: RewritePlan | undefined, page: RewrittenPage): Promise<PageRewriter> {
    const feature = this.list.find(({ name }) => name === plan?.feature)
    const rewriter = feature && (await this.openSteps(feature)).openRewriter?.(plan?.options, page)
    if (!rewriter) throw new TypeError(`feature \`${plan?.feature}\` has no rewriter of pages`)
    return rewriter
  }

  describe(results: FeatureResults, made: MadeDocument): readonly DocumentAddition[] {
    return this.list.flatMap((feature) => {
      const result = results.get(feature.name)
      return result === undefined ? [] : (feature.document?.(result, made) ?? [])
    })
  }

  describeAttempt(results: FeatureResults): FeatureAttempt {
    const fields: FeatureAttempt = {}
    for (const { name, attempt } of this.list) {
      const result = attempt && results.get(name)
      if (result !== undefined) Object.assign(fields, attempt?.(result))
    }
    return fields
  }

  /** Opens the steps of a feature, once for all pages. */
  openSteps(feature: Feature): FeatureSteps | Promise<FeatureSteps> {
    const known = this.#steps.get(feature.name)
    if (known) return known
    if (!feature.open || !this.#engine) return {}
    const opened = feature.open(this.#engine)
    this.#steps.set(feature.name, opened)
    // The next page tries again.
    if (opened instanceof Promise) opened.catch(() => this.#steps.delete(feature.name))
    return opened
  }
}

const mergeOptions = (
  list: readonly Feature[],
  of: keyof Omit<NonNullable<Feature['options']>, 'calls'>,
): AnyDefinitions => Object.assign({}, ...list.map(({ options }) => options?.[of] ?? {})) as AnyDefinitions

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
