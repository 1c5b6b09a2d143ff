import { openLineFile } from './line-file.js'
import type { Output } from './output.js'

/** Opens a file with one JSON document per line. */
export function openNdjson(path: string): Output {
  const lines = openLineFile(path)
  return {
    write: async (document) => lines.add(document),
    close: () => lines.close(),
    destination: path,
  }
}
