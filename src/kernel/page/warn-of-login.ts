import type { FetchedPage } from '../fetch/fetched-page.js'

/** Words of a whole page up to which a form with a password is its subject: where it was redirected to, and at its own address. */
const [MAX_MOVED_WORDS, MAX_OWN_WORDS] = [150, 60]
/** Start of a page that is searched for the form. Bytes. */
const MAX_BYTES = 500_000

const PASSWORD = /<input\b[^<>]{0,1000}?\btype\s{0,5}=\s{0,5}["']?password\b/i
/** Matches the path of a page that is about an account: whoever asks for it gets what he asked for. */
const NAMES_LOGIN = /log-?[io]n|sign-?(?:in|on|up)|auth|account|regist|join|passw/i

/** Warns about a page that shows the form of a login in place of the text that was asked for. @param words on the whole page */
export function warnOfLogin(
  { url, body }: Pick<FetchedPage, 'url' | 'body'>,
  { asked, words }: { readonly asked: string; readonly words: number },
): string {
  if (words > MAX_MOVED_WORDS) return ''
  const [from, to] = [new URL(asked).pathname, new URL(url).pathname]
  const isMoved = from !== to
  if (NAMES_LOGIN.test(from) || (!isMoved && words > MAX_OWN_WORDS)) return ''
  const start = Buffer.from(body.buffer, body.byteOffset, Math.min(body.byteLength, MAX_BYTES)).toString('latin1')
  if (!PASSWORD.test(start)) return ''
  const place = isMoved ? `it leads to ${to.replace(/[()]/g, '').slice(0, 100)}, which has` : 'it has'
  return `The page seems to ask for a login (${place} a form with a password and little else): see docs/guides/authentication.md.`
}
