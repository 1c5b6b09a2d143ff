import type { BrowserPageContext } from '../browser-page.js'
import type { CapturePlan, Captures, CapturesByType } from '../capture.js'

/** Takes the captures of a plan, in the order of their formats. */
export async function takeCaptures(
  plan: CapturePlan,
  known: CapturesByType,
  context: BrowserPageContext,
): Promise<Captures> {
  const taken: [string, unknown][] = []
  for (const [type, capture] of known) {
    const options = plan[type]
    if (options !== undefined) taken.push([type, await capture.take(context, options)])
  }
  return Object.fromEntries(taken)
}
