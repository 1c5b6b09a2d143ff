import type { Output } from './output.js'
import { openLineFile } from './line-file.js'

/** Opens a file with one JSON document per line. */
export function openNdjson(path: string): Output {
  const lines = openLineFile(path)
  return {
    write: async (document) => lines.add(document),
    close: () => lines.close(),
    destination: path,
  }
}
