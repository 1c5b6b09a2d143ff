import type { BrowserPageContext } from '../browser-page.js'
import type { Capture, CapturePlan, CaptureOptions, Captures } from '../capture.js'
import * as registry from '../captures/index.js'

/** Takes the captures that formats need, in the order of the registry. */
export async function takeCaptures(plan: CapturePlan, context: BrowserPageContext): Promise<Captures> {
  const taken: [string, unknown][] = []
  for (const capture of Object.values(registry)) {
    const result = await take(capture, plan, context)
    if (result !== undefined) taken.push([capture.name, result])
  }
  return Object.fromEntries(taken)
}

async function take<Name extends keyof CaptureOptions>(
  capture: Capture<Name>,
  plan: CapturePlan,
  context: BrowserPageContext,
): Promise<unknown> {
  const options = plan[capture.name]
  return options === undefined ? undefined : await capture.take(context, options)
}
