import type { FetchedPage } from '../../kernel/fetch/fetched-page.js'
import { addressOf } from './address-of.js'
import { digestSource } from './judge-login-page.js'
import type { LoginSigns } from './read-login-signs.js'
import { type AskAs, isToldApart } from './visitor-texts.js'

/** Traits of a page as strangers get it, which members see otherwise. */
interface StrangePage {
  /** Digest of the source as a whole; undefined where it is an error, came from another address, or is not told from theirs. */
  readonly digest: string | undefined
  /** Signatures of its forms that ask for a secret, and that members do not see. */
  readonly forms: readonly string[]
}

/** Reads what a page shows of a login. */
type ReadSigns = (page: FetchedPage) => Promise<LoginSigns>

/**
 * Compares a page as a session gets it with the one that a stranger gets.
 *
 * @returns `asked` if both say the same, and ask for a secret; undefined if they tell nothing
 */
export async function compareVisitors(
  url: string,
  ask: AskAs,
  read: ReadSigns,
): Promise<StrangePage | 'asked' | undefined> {
  // One after the other: machines of a site may take turns.
  const stranger = await ask('stranger')
  const member = stranger && (await ask('member'))
  if (!member) return undefined
  const [shown, strange] = [digestSource(member), digestSource(stranger)]
  if (shown === undefined || strange === undefined) return undefined
  const asking = (await read(stranger)).forms.filter(({ password, code }) => (password ?? code) !== undefined)
  if (shown === strange) return asking.length > 0 ? 'asked' : undefined
  // An error that passes says nothing of what members see.
  if (member.statusCode >= 400) return undefined
  const own = new Set((await read(member)).forms.map(({ signature }) => signature))
  // Pages may differ at each visit.
  const isAsked = asking.length > 0 && asking.every(({ signature }) => own.has(signature))
  if (isAsked && !(await isToldApart(url, ask))) return 'asked'
  const isInPlace = [member, stranger].every((page) => addressOf(page.url) === addressOf(url))
  // Sites answer strangers with errors that members get as well, such as for a page that is missing.
  const isSign = isInPlace && stranger.statusCode < 400 && (await isOfStrangers(strange, ask))
  return {
    digest: isSign ? strange : undefined,
    forms: asking.map(({ signature }) => signature).filter((signature) => !own.has(signature)),
  }
}

/**
 * Tests whether a page is what strangers get. What comes from one machine of a site to everybody, and otherwise from another, comes to
 * the session in turns; where the session has ended meanwhile, it comes each time.
 */
async function isOfStrangers(strange: string, ask: AskAs): Promise<boolean> {
  const again = await ask('member')
  if (!again) return false
  if (digestSource(again) !== strange) return true
  const ended = await ask('member')
  return ended !== undefined && digestSource(ended) === strange
}

/** Tests for a page whose form is shown to strangers alone. */
export const sparesForm = (told: Awaited<ReturnType<typeof compareVisitors>>): boolean =>
  typeof told === 'object' && told.forms.length > 0
