/** Uses of a page that a site can permit or deny, by the names of Content Signals. */
export const uses = ['search', 'ai-input', 'ai-train'] as const

/**
 * A use of a page.
 *
 * - `search`: an index that leads to the page, with short excerpts; no summaries that a model writes.
 * - `ai-input`: input of a model when it answers, such as retrieval.
 * - `ai-train`: training or tuning a model.
 *
 * @see https://contentsignals.org
 */
export type Use = (typeof uses)[number]

/** Decision about a use. `unstated`: nothing that was read says something about it. */
export type Permission = 'granted' | 'denied' | 'unstated'

/** Uses that a statement grants or denies. */
export type StatedUses = Readonly<Partial<Record<Use, 'granted' | 'denied'>>>

/** A statement of a site about the use of a page, with its source. */
export interface PermissionStatement {
  /** Place of the statement. `tdmrep.json` is the file `/.well-known/tdmrep.json`; `rsl` is a licence file, or one in the page. */
  readonly source: 'robots.txt' | 'header' | 'meta' | 'link' | 'tdmrep.json' | 'rsl'
  /**
   * Specification that gives the statement its meaning. `robots-directives` are those of `X-Robots-Tag` and meta `robots`;
   * `rel-license` is a link to a licence that only people can read.
   */
  readonly protocol: 'content-signals' | 'aipref' | 'robots-directives' | 'tdmrep' | 'rsl' | 'rel-license'
  /** The place in words: `https://example.com/robots.txt line 3`, ``header `x-robots-tag` ``. */
  readonly where: string
  /** The statement as written; at most 200 characters. */
  readonly text: string
  /** Verdicts of the statement; empty for one that says nothing about these uses by itself, such as a link to a licence. */
  readonly says: StatedUses
  /** URL of the licence or policy that it names. */
  readonly license?: string
  /** Price that it asks, as written: `0.01 USD`, `subscription`. Never paid. */
  readonly price?: string
  /** True if another statement of the same protocol takes precedence, so that this one decides nothing. */
  readonly overruled?: true
}

/** Uses of a page that its site permits, and the statements that decide. */
export interface Permissions extends Readonly<Record<Use, Permission>> {
  /** The statements, at most 100: those that deny something come first. */
  readonly statements: readonly PermissionStatement[]
}

const MAX_STATEMENTS = 100
const MAX_TEXT_CHARACTERS = 200

/** Shortens a statement to what documents and messages show. */
export const shortenStatement = (text: string): string => {
  const short = text.trim()
  return short.length <= MAX_TEXT_CHARACTERS ? short : `${short.slice(0, MAX_TEXT_CHARACTERS)}…`
}

/**
 * Precedence of the sources within a protocol that defines one: the highest decides, and overrules the others.
 *
 * @see https://w3c.github.io/tdm-reservation-protocol/spec/ section "Processing priority"; RSL 1.0 section 3.1.1: the more
 * specific declaration decides
 */
const precedence: Readonly<Record<PermissionStatement['source'], number>> = {
  'tdmrep.json': 0,
  'robots.txt': 0,
  header: 1,
  meta: 2,
  link: 2,
  rsl: 2,
}

/** A statement with the precedence that its discovery gives it; by default that of its source. */
export interface RankedStatement extends PermissionStatement {
  /** Precedence of licence files: 0 if robots.txt names them, 1 for a header, 2 for the page itself. */
  readonly rank?: number
}

const RANKED: ReadonlySet<string> = new Set(['tdmrep', 'rsl'])

const rankOf = ({ rank, source }: RankedStatement): number => rank ?? precedence[source]

/**
 * Decides from all statements. Within TDMRep and RSL, the statement with the highest precedence decides; over all protocols,
 * a use is denied if one statement denies it, else granted if one grants it.
 *
 * @returns undefined if there is no statement
 * @see draft-ietf-aipref-vocab section 5.1, "Combining Preferences"
 */
export function decidePermissions(statements: readonly RankedStatement[]): Permissions | undefined {
  if (statements.length === 0) return undefined
  const ranks = new Map<string, number>()
  for (const statement of statements) {
    const { protocol, says } = statement
    if (!RANKED.has(protocol) || Object.keys(says).length === 0) continue
    ranks.set(protocol, Math.max(ranks.get(protocol) ?? 0, rankOf(statement)))
  }
  const all = statements.map((statement): PermissionStatement => {
    const { rank: _, ...shown } = statement
    const isOverruled = rankOf(statement) < (ranks.get(statement.protocol) ?? 0)
    return isOverruled ? { ...shown, overruled: true } : shown
  })
  const decide = (use: Use): Permission => {
    const said = new Set(all.flatMap(({ says, overruled }) => (overruled ? [] : (says[use] ?? []))))
    return said.has('denied') ? 'denied' : said.has('granted') ? 'granted' : 'unstated'
  }
  return {
    search: decide('search'),
    'ai-input': decide('ai-input'),
    'ai-train': decide('ai-train'),
    statements: all.toSorted((a, b) => Number(denies(b)) - Number(denies(a))).slice(0, MAX_STATEMENTS),
  }
}

const denies = ({ says, overruled }: PermissionStatement): boolean =>
  !overruled && Object.values(says).includes('denied')

/**
 * Describes why a page must not be used as wanted: the first use that is denied, with the statement that decided.
 *
 * @returns undefined if none of the uses is denied; `unstated` is not
 */
export function describeDenial(permissions: Permissions | undefined, wanted: readonly Use[]): string | undefined {
  for (const use of wanted) {
    if (permissions?.[use] !== 'denied') continue
    const found = permissions.statements.find(({ says, overruled }) => !overruled && says[use] === 'denied')
    const price = found?.price === undefined ? '' : ` (asks a price: ${found.price})`
    return `\`${use}\` is denied by ${found?.where ?? 'its site'}: ${found?.text ?? ''}${price}`
  }
  return undefined
}
