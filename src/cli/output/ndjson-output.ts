import { openLineFile } from '../../base/folder/line-file.js'
import { removeLeft } from '../../base/folder/left-files.js'
import type { Output } from './output.js'

/** Opens a file with one JSON object per line. */
export function openNdjson(path: string): Output<object> {
  removeLeft(path)
  const lines = openLineFile(path)
  return {
    write: async (item) => lines.add(item),
    close: () => lines.close(),
    destination: path,
  }
}
