import { isHtmlType } from '../../../base/http/header-values.js'
import { withTimeout } from '../../../base/concurrency/deadline.js'
import { untilAborted } from '../../../base/concurrency/until-aborted.js'
import { pageFunction } from '../injected/page-functions.js'
import { showAnswer, untilParsed } from './load-document.js'
import type { OpenPage } from './open-page.js'

/** Result of {@link correctEncoding}. */
interface CorrectedEncoding {
  /** True if the document was loaded again. */
  readonly isReloaded: boolean
  /** Says that the encoding was guessed. */
  readonly warning?: string
}

/** Maximum time for which the page is asked, in milliseconds, and the share of the time that it has left. */
const MAX_ASKING_MS = 2000
const ASKING_SHARE = 0.1

const AS_DECLARED: CorrectedEncoding = { isReloaded: false }

/**
 * Loads the shown document again, from what was received, if it declares no encoding and a browser has guessed another one than
 * that of the same page over HTTP. A browser guesses by the first bytes alone, and scripts and screenshots show what it guessed.
 *
 * @throws TrawlError with the code that the HTTP fetcher would use; the signal's reason
 */
export async function correctEncoding(
  opened: OpenPage,
  leftMs: () => number,
  signal: AbortSignal,
): Promise<CorrectedEncoding> {
  const { documents, world } = opened
  const answer = documents.answers.at(-1)
  const contentType = answer?.headers()['content-type']
  if (!answer || !isHtmlType(contentType) || !documents.isParsed) return AS_DECLARED
  if (/;\s*charset\s*=\s*["']?utf-?8/i.test(contentType ?? '')) return AS_DECLARED
  // Scripts of the page may hold it.
  using asked = withTimeout(signal, Math.min(MAX_ASKING_MS, leftMs() * ASKING_SHARE))
  const shown = await untilAborted(world.call(pageFunction('readEncoding'), undefined), asked.signal).catch(
    () => undefined,
  )
  signal.throwIfAborted()
  if (!shown || (shown.encoding === 'utf-8' && !shown.isBroken)) return AS_DECLARED
  const body = await untilAborted(answer.body(), signal).catch(() => undefined)
  signal.throwIfAborted()
  if (documents.answers.at(-1) !== answer) return AS_DECLARED
  if (!body)
    return { isReloaded: false, warning: `The page was read as ${shown.encoding}, which could not be checked.` }
  const { decodeBytes, findUndeclared } = await import('../../../content/encoding/decode-text.js')
  const warnings: string[] = []
  const input = { body, contentType, url: answer.url(), warn: (text: string) => void warnings.push(text) }
  const encoding = findUndeclared(input)
  const [warning] = warnings
  // Pages of ASCII alone are the same in most encodings, and most others in those that are related.
  if (encoding === undefined || decodeBytes(body, encoding) === decodeBytes(body, shown.encoding))
    return { isReloaded: false, warning }
  documents.isRepeating = true
  try {
    await showAnswer(opened, answer, { contentType: `text/html; charset=${encoding}`, body }, signal)
    await untilParsed(opened, leftMs(), signal)
  } finally {
    documents.isRepeating = false
  }
  return { isReloaded: true, warning }
}
