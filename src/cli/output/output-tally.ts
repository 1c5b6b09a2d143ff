import type { Document } from '../../index.js'
import type { ErrorPage, OutputUnit } from './summary.js'
import { describeWritten } from './summary.js'
import type { Output } from './output.js'

/** Counts what an output gets. */
export class OutputTally<Item> {
  readonly output: Output<Item>
  /** Numbers of pages by how they have changed since an earlier crawl. */
  readonly changes = new Map<string, number>()
  /** Pages with an error status of which the output has nothing. */
  readonly answered: ErrorPage[] = []
  written = 0
  unchanged = 0
  /** Number of pages of an earlier crawl that are gone: that they answer 404 is no fault. */
  gone = 0

  constructor(output: Output<Item>) {
    this.output = output
  }

  /** Writes an item. @throws Error of the output */
  async write(item: Item): Promise<void> {
    const written = (await this.output.write(item)) ?? 'written'
    if (written !== 'omitted') this[written] += 1
    const { changeTracking, metadata } = item as Partial<Document>
    const change = changeTracking?.changeStatus
    if (change === 'removed') this.gone += 1
    else if (written === 'omitted' && metadata?.error !== undefined)
      this.answered.push({ url: metadata.url, statusCode: metadata.statusCode, error: metadata.error })
    if (change !== undefined) this.changes.set(change, (this.changes.get(change) ?? 0) + 1)
  }

  /** Says how many items the output has. */
  describe(unit: OutputUnit): string {
    return describeWritten(this, unit, this.output.destination)
  }
}
