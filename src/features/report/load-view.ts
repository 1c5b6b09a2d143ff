import { inflateRawSync } from 'node:zlib'
import { loadPackage } from '../../base/runtime/optional-package.js'
import { parseJson } from '../../base/text/parse-json.js'

/** Parts of a report that are the same in all reports. `src/features/report-view/build.mjs` makes them. */
export interface ReportView {
  readonly script: string
  readonly style: string
  /** HTML of the empty page. */
  readonly body: string
}

/** Loads the parts that all reports share. */
export async function loadView(): Promise<ReportView> {
  const { packed } = await import('./packed-view.js')
  // Sources that are not bundled have the file of the build.
  if (packed === '') return loadPackage('#report-view') as ReportView
  return parseJson(inflateRawSync(Buffer.from(packed, 'base64')).toString()) as ReportView
}
