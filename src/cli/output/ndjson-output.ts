import type { Output } from './output.js'
import { openLines } from './line-file.js'

/** A file with one document in JSON on each line. */
export function openNdjson(path: string): Output {
  const lines = openLines(path)
  return {
    write: async (document) => lines.add(document),
    close: () => lines.close(),
    place: path,
  }
}
