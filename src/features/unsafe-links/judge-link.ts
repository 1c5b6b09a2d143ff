import { decodePercent } from '../../base/url.js'
import { foldCase, squeezeWords } from '../../base/text/fold-case.js'
import {
  freeParameters,
  helpFolders,
  iconNames,
  iconSets,
  iconStyles,
  proseFolders,
  unsafeNames,
} from './unsafe-names.js'
import { type UnsafeKind, unsafeTexts } from './unsafe-texts.js'

/** Verdict on a link that does more than lead to a page. Plain data. */
export interface UnsafeVerdict {
  readonly kind: UnsafeKind | 'changes something'
  /** A predicate of the link, which quotes it. */
  readonly evidence: string
  /** True for words with what they do it to, `Delete your account`, which may be the title of a page about it as well. */
  readonly isPhrase?: true
}

/** Longest text of a link that does something. Longer ones are sentences. Characters. */
const MAX_TEXT = 60
/** Maximum parameters of a query to read. */
const MAX_PARAMETERS = 30
/** Longest name of a part of a path, a parameter or an icon that is compared. Characters. */
const MAX_NAME = 60
/** Words that may follow those that sign out or unsubscribe, `Log out of all sessions`, and those that delete: `Remove from the list`. */
const FOLLOWING: ReadonlySet<string> = new Set(['all', 'everywhere', 'from', 'here', 'now', 'of'])
const DELETED: ReadonlySet<string> = new Set(['from', 'my', 'this', 'your'])
/** Last part of a path before an action that says of what, `/docs/5/delete`, unless it is one of a date. */
const ID = /^(?:\d+|[\da-f-]{16,})$/i
const DATED = /\/(?:articles?|blogs?|news)\/(?:19|20)\d\d\//i
/** Title of a page of a wiki behind its folder, unlike `Special:UserLogout` and `Logout.jsp`. */
const TITLE = /^\p{Lu}[^.:]*$/u
/** A call of a function, as references have it. */
const CALL = /^[\w.:$]+\(\)$/

const spaceWords = (text: string): string =>
  foldCase(text)
    .replace(/[^\p{L}\p{M}\p{N}']+/gu, ' ')
    .trim()

const kindsBy = (
  words: Readonly<Record<UnsafeKind, string>>,
  separator: string | RegExp,
  fold: (word: string) => string,
): ReadonlyMap<string, UnsafeKind> =>
  new Map(
    (Object.entries(words) as [UnsafeKind, string][])
      // The first kind that has a word counts.
      .toReversed()
      .flatMap(([kind, list]) => list.split(separator).map((word) => [fold(word), kind] as const))
      .filter(([word]) => word !== ''),
  )

let texts: ReadonlyMap<string, UnsafeKind> | undefined
let names: ReadonlyMap<string, UnsafeKind> | undefined
let icons: ReadonlyMap<string, UnsafeKind> | undefined

const kindOfText = (text: string): UnsafeKind | undefined =>
  (texts ??= kindsBy(unsafeTexts, '|', spaceWords)).get(spaceWords(text))

/** Finds what a name of a path or a parameter says that its link does. */
const kindOfName = (name: string): UnsafeKind | undefined =>
  name.length > MAX_NAME ? undefined : (names ??= kindsBy(unsafeNames, /\s+/, squeezeWords)).get(squeezeWords(name))

/** Finds what an icon says that its link does, by its name without its set and its style: `mdi-logout-variant`. */
export function kindOfIcon(icon: string): UnsafeKind | undefined {
  if (icon.length > MAX_NAME) return undefined
  icons ??= kindsBy(iconNames, /\s+/, squeezeWords)
  const whole = icons.get(squeezeWords(icon))
  if (whole) return whole
  const words = icon
    .toLowerCase()
    .replace(/\d{1,4}$/, '')
    .split(/[-_:]+/)
    .filter((word) => word !== '')
  while (words.length > 1 && iconSets.has(words[0] ?? '')) words.shift()
  // A style may be a part of the name as well: `box-arrow-right`, `power-off`.
  for (;;) {
    const kind = icons.get(squeezeWords(words.join(''))) ?? kindOfName(words.join(''))
    if (kind || words.length < 2 || !iconStyles.has(words.pop() ?? '')) return kind
  }
}

/** Judges a link by its text: the whole of it, or a part of it that is set apart: `Anna (log out)`. */
export function judgeText(text: string): UnsafeVerdict | undefined {
  if (text === '' || text.length > MAX_TEXT || CALL.test(text)) return undefined
  const evidence = `its text is “${text}”`
  // Without a price: `Buy now 12.00`.
  const whole = kindOfText(text.replace(/[\p{N}\p{Sc}.,]+/gu, ' '))
  if (whole) return { kind: whole, evidence }
  for (const part of text.split(/[()[\]{}|:;,·•–—→»«]| - /u)) {
    const words = spaceWords(part).split(' ')
    const kind = kindOfText(part) ?? kindOfStart(words, FOLLOWING)
    if (kind === 'signs out' || kind === 'unsubscribes') return { kind, evidence }
    if (kindOfStart(words, DELETED) === 'deletes') return { kind: 'deletes', evidence, isPhrase: true }
  }
  return undefined
}

/** Finds words that do something with words that say to what behind them. */
function kindOfStart(words: readonly string[], following: ReadonlySet<string>): UnsafeKind | undefined {
  const at = words.findIndex((word) => following.has(word))
  return at > 0 && words.length <= at + 3 ? kindOfText(words.slice(0, at).join(' ')) : undefined
}

const hasFolder = (folders: readonly string[], wanted: ReadonlySet<string>): boolean =>
  folders.slice(0, 3).some((folder) => wanted.has(folder.toLowerCase()))

/** Tests for an address among pages that explain something: by its first folders, or the begin of its host. */
export function isProse(address: string): boolean {
  const { hostname, pathname } = new URL(address)
  const [first = ''] = hostname.split('.')
  const folders = [first, ...pathname.split('/').filter((folder) => folder !== '')]
  return hasFolder(folders, proseFolders) || hasFolder(folders, helpFolders)
}

/** Judges a link by its address: by whole names in its path and its query. */
export function judgeAddress(address: string): UnsafeVerdict | undefined {
  const { pathname, searchParams } = new URL(address)
  const folders = pathname.split('/').filter((folder) => folder !== '')
  const isAboutWords = hasFolder(folders, proseFolders)
  const isDated = DATED.test(pathname)
  let before = ''
  for (const folder of folders) {
    const written = decodePercent(folder)
    const parts = [`${before} ${written}`, written, ...written.split(/[.:;]/)]
    const isAbout = isAboutWords && (isDated || !ID.test(before))
    const isTitle = before === 'wiki' && TITLE.test(written)
    const found = isTitle ? undefined : parts.map(kindOfName).find((kind) => kind && (!isAbout || kind === 'signs out'))
    if (found) return { kind: found, evidence: `its path has \`${written.slice(0, MAX_NAME)}\`` }
    before = written
  }
  let left = MAX_PARAMETERS
  for (const [name, value] of searchParams) {
    if (left-- === 0) break
    // `Special:UserLogout`
    const [, special] = value.split(':', 2)
    const isFree = freeParameters.has(name.toLowerCase())
    const isOff = value === '0' || value === 'false' || value === 'no'
    const named = isFree || isOff ? undefined : kindOfName(name)
    // `cmd=del`, `/cart?action=add`
    const values = isFree || value.includes('/') ? [] : [value, `${name} ${value}`, `${before} ${value}`]
    const kind = named ?? values.map(kindOfName).find((one) => one) ?? (special && kindOfName(special))
    if (kind) return { kind, evidence: `its query has \`${`${name}=${value}`.slice(0, MAX_NAME)}\`` }
  }
  return undefined
}
