import { createEngine } from 'trawl'
import { growPage, type Shape } from './grow-page.js'

/** Task of a measuring process. */
export interface GrowthTask {
  readonly shape: Shape
  readonly mib: readonly number[]
}

/** Processor time of pages of growing sizes. */
export interface Growth {
  readonly steps: readonly GrowthStep[]
}

export interface GrowthStep {
  readonly mib: number
  readonly cpuMs: number
  /** Warning of the document, if the page exceeded a limit and was read as plain text. */
  readonly warning?: string
}

/** Number of readings of a page, of which the fastest counts, so that noise matters less. */
const READINGS = 3

const { shape, mib } = JSON.parse(process.argv[2] ?? '') as GrowthTask
const engine = createEngine({ threads: 0 })

async function measure(size: number): Promise<GrowthStep> {
  const body = growPage(shape, size * 2 ** 20)
  const readings: number[] = []
  let warning: string | undefined
  for (let reading = 0; reading < READINGS; reading += 1) {
    const started = process.cpuUsage()
    const document = await engine.parse({ url: 'http://page.test/', body })
    const { user, system } = process.cpuUsage(started)
    readings.push((user + system) / 1000)
    warning = document.warning
  }
  return { mib: size, cpuMs: Math.min(...readings), ...(warning === undefined ? {} : { warning }) }
}

await measure(mib[0] ?? 1)
const steps: GrowthStep[] = []
for (const size of mib) steps.push(await measure(size))
process.send?.({ steps } satisfies Growth)
