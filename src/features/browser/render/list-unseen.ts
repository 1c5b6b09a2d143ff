import { withinMs } from '../../../base/concurrency/within-ms.js'
import { untilAborted } from '../../../base/concurrency/until-aborted.js'
import type { UnseenMarks } from '../../../base/text/unseen-marks.js'
import { pageFunction } from '../injected/page-functions.js'
import type { OpenPage } from '../navigation/open-page.js'
import type { RenderOptions } from './render-task.js'

/** Texts of a page that are looked at, and marks that are kept. */
const MAX_TEXTS = 30_000
const MAX_MARKS = 5_000
/** Limit for the answer, which takes some hundredths of a second. Milliseconds. */
const ANSWER_MS = 3_000

/**
 * Lists the texts of a page that nobody sees, by the styles and places that the browser has computed.
 *
 * @returns undefined for a page that does not answer, and that has gone on: its style sheets are read then
 */
export async function listUnseen({ world }: OpenPage, { signal }: RenderOptions): Promise<UnseenMarks | undefined> {
  const asked = world.call(pageFunction('listUnseen'), { maxTexts: MAX_TEXTS, maxMarks: MAX_MARKS })
  const marks = await untilAborted(
    withinMs(
      asked.catch(() => undefined),
      ANSWER_MS,
    ),
    signal,
  )
  return marks !== undefined && Array.isArray(marks.list) ? marks : undefined
}
