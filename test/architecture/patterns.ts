import { createHash } from 'node:crypto'
import { partOf } from './laws.js'
import { lineAt, type Module, walk } from './modules.js'

/** One pattern of the house, as it is written. */
export interface Pattern {
  /** `/source/flags`. */
  readonly text: string
  readonly source: string
  readonly flags: string
  /** `src/kernel/fetch/a.ts:12`, each place where it stands. */
  readonly places: readonly string[]
  /** Whether it runs on the host's thread. */
  readonly isHosts: boolean
}

/** Parts that read pages in worker threads, or in the page itself. */
const threadFolders: ReadonlySet<string> = new Set([
  'content/parse',
  'content/extract',
  'content/convert',
  'content/compare',
  'content/digest',
  'content/pdf',
  'content/office',
  'features/search',
  'features/report-view',
])
/** Where the host's thread hands a page over: what these import runs in a thread. */
const handOvers: ReadonlySet<string> = new Set([
  'content/digest/digest.ts',
  // Small pages are compared on the host's thread, as they are digested there.
  'content/compare/judge-changes.ts',
  'features/thread.ts',
  'content/digest/workers/worker.ts',
  'content/parse/parse.ts',
  'content/convert/formats/index.ts',
  'features/search/thread/search-worker.ts',
])

/** The modules that run on the host's thread: those of no thread, and whatever these load without handing a page over. */
export function listHostModules(modules: readonly Module[]): ReadonlySet<string> {
  const byPath = new Map(modules.map((module) => [module.path, module]))
  const found = new Set<string>()
  const queue = modules
    .map(({ path }) => path)
    .filter((path) => !threadFolders.has(partOf(path)) && !path.includes('/injected/'))
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    if (found.has(path)) continue
    found.add(path)
    if (handOvers.has(path)) continue
    for (const { target, kind } of byPath.get(path)?.imports ?? []) {
      if (target !== undefined && kind !== 'type') queue.push(target)
    }
  }
  return found
}

/** Every pattern that is written out, once. */
export function listPatterns(modules: readonly Module[]): Pattern[] {
  const hosts = listHostModules(modules)
  const found = new Map<string, Pattern>()
  for (const { path, text, tree } of modules) {
    for (const node of walk(tree)) {
      const { regex } = node as { readonly regex?: { readonly pattern: string; readonly flags: string } }
      if (node.type !== 'Literal' || !regex) continue
      const written = `/${regex.pattern}/${regex.flags}`
      const known = found.get(written)
      found.set(written, {
        text: written,
        source: regex.pattern,
        flags: regex.flags,
        places: [...(known?.places ?? []), `src/${path}:${lineAt(text, node.start)}`],
        isHosts: known?.isHosts === true || hosts.has(path),
      })
    }
  }
  return [...found.values()]
}

/** Where a pattern is made of a text at run time, as `src/kernel/fetch/a.ts:12`. */
export const listMadePatterns = (modules: readonly Module[]): string[] =>
  modules.flatMap(({ path, text, tree }) =>
    walk(tree).flatMap((node) => {
      const { callee } = node as { readonly callee?: { readonly name?: string } }
      const isMade = /^(?:New|Call)Expression$/.test(node.type) && callee?.name === 'RegExp'
      return isMade ? [`src/${path}:${lineAt(text, node.start)}`] : []
    }),
  )

/** How a pattern's time grows with what it is run over: with which power of its length; `Infinity` is exponential. */
export type Growth = number | 'unknown'

/** What is known of the patterns of the house, by {@link keyOf}: those that are not named are to be looked at. */
export interface KnownPatterns {
  readonly linear: readonly string[]
  readonly quadratic: readonly string[]
  /** Patterns that are too long to be decided. */
  readonly unknown: readonly string[]
}

/** By what a pattern is known from one run to the next. */
export const keyOf = ({ text }: Pick<Pattern, 'text'>): string =>
  createHash('sha256').update(text).digest('base64url').slice(0, 12)

/** The most that is let by: on the host's thread the page's size, in a thread with its time limit the square of it. */
export const maxGrowth = ({ isHosts }: Pick<Pattern, 'isHosts'>): number => (isHosts ? 1 : 2)

/** Says what is wrong with a pattern that grows so; undefined where nothing is. */
export function judgePattern(pattern: Pattern, growth: Growth): string | undefined {
  // What is too long to be decided has many words and few ways: in a thread the time limit is enough for it.
  const isFine = growth === 'unknown' ? !pattern.isHosts : growth <= maxGrowth(pattern)
  if (isFine) return undefined
  const said =
    growth === 'unknown'
      ? 'could not be decided in time'
      : growth === Infinity
        ? 'is exponential'
        : `grows with the power of ${growth}`
  const where = pattern.isHosts ? "on the host's thread" : 'in a thread'
  return `${pattern.places.join(', ')}: ${pattern.text} ${said}, and runs ${where}: write it so that it is linear, or name it in pattern-exceptions.ts with the reason why its input is short`
}
